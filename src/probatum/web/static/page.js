// Asks the service and shows what it answers. Whatever an answer says becomes text, never markup.
"use strict";

const MOST_ROWS = 200;
const MOST_SIGNS = 4000;
const SIGNS = { holds: "✓", fails: "✗", undecided: "?", note: "·" };
const STATUSES = ["VERIFIED", "UNVERIFIABLE", "BLOCKED"];
const STATES = new Map(Object.entries({
  error: "fails", warning: "undecided", info: "note",
  supported: "holds", contradicted: "fails", unsupported: "undecided", open: "undecided",
}));
const UNSEEN = /[\p{C}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2800\u3164\ufe00-\ufe0f\uffa0]/gu;
const byId = (id) => document.getElementById(id);

// What is not seen, or turns text around, is shown as an escape.
function visible(value, most = MOST_SIGNS) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return shown.replace(UNSEEN, (sign) => (sign === "\n" ? sign : `\\u{${sign.codePointAt(0).toString(16)}}`));
}

function make(tag, look, ...content) {
  const made = document.createElement(tag);
  if (look) made.className = look;
  made.append(...content.map((each) => (each instanceof Node ? each : visible(each))));
  return made;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const objects = (value) => (Array.isArray(value) ? value.filter(isObject) : []);
const known = (word, otherwise) => [STATES.get(word) ?? "note", STATES.has(word) ? word : otherwise];
const mark = (state, word, look = "mark") => make("span", `${look} ${state}`, `${SIGNS[state]} `, word);

function entry(state, word, text, ...details) {
  const told = details.filter(Boolean).map((each) => make("p", "detail", each));
  const row = make("li", "", make("div", "", mark(state, word)), make("div", "", make("p", "", text), ...told));
  row.querySelectorAll("p").forEach((each) => { each.dir = "auto"; });
  return row;
}

function section(title, rows) {
  if (!rows.length) return [];
  const beyond = rows.length - MOST_ROWS;
  const shown = rows.slice(0, MOST_ROWS).map((row) => entry(...row));
  if (beyond > 0) shown.push(entry("note", "more", `${beyond} more, in the whole answer below`));
  return [make("h4", "title", title), make("ol", "entries", ...shown)];
}

function plain(value) {
  if (Array.isArray(value) && !value.some(isObject)) return value.join(", ") || "none";
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : value;
}

function table(fields) {
  const rows = Object.entries(fields).slice(0, MOST_ROWS);
  const row = ([name, value]) => [make("dt", "", make("bdi", "", name)), make("dd", "", make("bdi", "", plain(value)))];
  return make("dl", "", ...rows.flatMap(row));
}

function layer(title, note, ...content) {
  const shown = content.length ? content : [make("p", "detail", "Your token does not show this layer.")];
  return make("section", "layer", make("h3", "title", title), make("p", "small", note), ...shown);
}

function stateOf(verdict) {
  if (verdict.status === "VERIFIED") return "holds";
  return verdict.developer_fields?.outcome === "refuted" ? "fails" : "undecided";
}

function developerLayer(verdict, result) {
  const { failed, open, passed, ...fields } = isObject(verdict.developer_fields) ? verdict.developer_fields : {};
  const names = (value) => (Array.isArray(value) ? value : []);
  const lines = [
    ...names(failed).map((id) => ["fails", "failed", id]),
    ...names(open).filter((id) => !names(failed).includes(id)).map((id) => ["undecided", "not decided", id]),
    ...(Number.isInteger(passed) ? [["holds", "passed", `${passed} ${passed === 1 ? "check" : "checks"}`]] : []),
  ];
  const criteria = [
    ...names(result.failed_criteria).map((text) => ["fails", "not met", text]),
    ...names(result.passed_criteria).map((text) => ["holds", "met", text]),
  ];
  const issues = objects(result.issues).map((each) => [
    ...known(each.severity, "issue"), each.message ?? each.title ?? each,
    [each.type, each.location].filter(Boolean).join(" · "), each.suggestion,
  ]);
  const claims = objects(result.claims).map((each) => [
    ...known(each.status, "claim"), each.text ?? each.claim ?? each, each.reason,
    isObject(each.source) ? `${each.source.name}, characters ${each.source.start} to ${each.source.end}` : "",
  ]);
  const scores = ["valid", "passed", "confidence", "quality_score"].filter((name) => name in result);
  const found = [
    ...section("Checks", lines), ...section("Criteria", criteria),
    ...section("Issues", issues), ...section("Claims", claims),
  ];
  const score = (name) => [name.replace("_", " "), result[name]];
  if (scores.length) found.unshift(table(Object.fromEntries(scores.map(score))));
  if (Object.keys(fields).length) found.push(make("h4", "title", "Fields"), table(fields));
  return found;
}

function download(name, content) {
  const link = make("a", "", `Download ${name}`);
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }));
  link.download = name;
  return make("p", "", link);
}

function proofLayer(verdict, answer) {
  if (!("proof_ref" in verdict)) return [];
  if (verdict.proof_ref === null) return [make("p", "", "A verdict other than VERIFIED carries no proof.")];
  const demand = String(verdict.developer_fields?.constraint_id).startsWith("judge.") ? " --request request.json" : "";
  const reference = /^sha256:[0-9a-f]{64}$/.test(verdict.proof_ref) ? verdict.proof_ref : "REFERENCE";
  return [
    table({ reference: verdict.proof_ref }),
    make("h4", "title", "Check this yourself"),
    make("p", "detail", "What the proof says; the decision, derived again; the check before acting."),
    make("pre", "", make("code", "", [
      `probatum proof show ${reference}`,
      `probatum proof recheck ${reference}`,
      `probatum gate verdict.json --subject FILE${demand}`,
    ].join("\n"))),
    download("verdict.json", { verdict, result: answer.result ?? {} }),
  ];
}

function show(answer, reference) {
  const { verdict } = answer;
  if (!isObject(verdict) || !STATUSES.includes(verdict.status)) throw new Error("The answer holds no verdict.");
  const result = isObject(answer.result) ? answer.result : {};
  const title = make("h2", "name", verdict.status === "VERIFIED" ? "It may be acted on" : "It may not be acted on");
  title.id = "verdict";
  title.tabIndex = -1;
  if (reference) history.replaceState(null, "", `?${new URLSearchParams({ verdict: reference })}`);
  const whole = make("details", "", make("summary", "", "The whole answer as JSON"), make("pre", "code"));
  whole.lastChild.textContent = visible(answer, Infinity);
  const article = make("article", "", mark(stateOf(verdict), verdict.status, "word mark"), title,
    layer("Agent", "What may go back to whoever made it.", make("p", "lead", verdict.agent_message ?? "")),
    layer("Developer", "Why, check by check.", ...developerLayer(verdict, result)),
    layer("Proof", "What a stranger can check.", ...proofLayer(verdict, answer)),
    whole);
  article.setAttribute("aria-labelledby", "verdict");
  byId("answer").replaceChildren(article);
  title.focus();
}

async function asked(path, body) {
  const token = byId("token").value.trim();
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const method = body === undefined ? "GET" : "POST";
  const reply = await fetch(path, { method, headers, body, cache: "no-store", credentials: "omit", redirect: "error" });
  const content = await reply.json().catch(() => ({}));
  if (reply.ok) return content;
  const wait = reply.headers.get("Retry-After");
  const reasons = [
    content.message || `The service answered ${reply.status}`,
    wait && `try again in ${wait} s`, content.request_id && `request ${content.request_id}`,
  ];
  throw Object.assign(new Error(reasons.filter(Boolean).join(" · ")), { status: reply.status });
}

async function attempt(work) {
  const buttons = document.querySelectorAll("button");
  byId("problem").replaceChildren();
  byId("answer").replaceChildren();
  byId("status").textContent = "Asking the service…";
  buttons.forEach((each) => { each.disabled = true; });
  try {
    await work();
  } catch (error) {
    byId("problem").replaceChildren(make("p", "notice fails", `${SIGNS.fails} ${error.message}`));
    if (error.status === 401) byId("token").focus();
  } finally {
    buttons.forEach((each) => { each.disabled = false; });
    byId("status").textContent = "";
  }
}

async function judge() {
  const body = byId("request").value;
  try {
    JSON.parse(body);
  } catch (error) {
    byId("request").focus();
    throw new Error(`The request is not JSON: ${error.message}`);
  }
  const answer = await asked(`v1/${encodeURIComponent(byId("kind").value)}`, body);
  show(answer, answer.verdict?.proof_ref ?? answer.id ?? "");
}

async function showKept() {
  const reference = byId("reference").value.trim();
  if (!reference) throw new Error("Write the reference of a verdict, or the id of its request.");
  show(await asked(`v1/verdicts/${encodeURIComponent(reference)}`), reference);
}

async function offerKinds() {
  const reply = await fetch("openapi.json", { credentials: "omit" });
  const { paths } = await reply.json();
  for (const [path, { post }] of Object.entries(paths)) {
    const kind = /^\/v1\/([a-z][a-z0-9_-]*)$/.exec(path)?.[1];
    if (!kind || !post || kind === "judge") continue;
    const option = make("option", "", `${post.summary ?? ""} (${kind})`);
    option.value = kind;
    byId("kind").append(option);
  }
}

byId("ask").addEventListener("submit", (event) => { event.preventDefault(); attempt(judge); });
byId("show").addEventListener("click", () => attempt(showKept));
byId("reference").addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); attempt(showKept); }
});
offerKinds().catch(() => {});
byId("reference").value = new URLSearchParams(location.search).get("verdict") ?? "";
if (byId("reference").value) attempt(showKept);
