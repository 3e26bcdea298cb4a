"""The kind ``csv``: what it asks, observes and decides of a CSV file, and what its proof tells."""

import json
from dataclasses import asdict, dataclass

from probatum.core.command import Command, Option
from probatum.core.decision import Outcome, decide
from probatum.core.errors import UsageError
from probatum.core.events import Event, ignore
from probatum.core.finding import Finding
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.core.subject import Subject, shown_path
from probatum.proof.account import Account, AccountRechecker, proof_of
from probatum.proof.artifact import Described, VerifierVersion
from probatum.verification.kind import PlainKind
from probatum.verification.observed import Proof, Whole
from probatum_csv.contract import Contract, contract_of
from probatum_csv.table import FORM, MAX_BYTES, look_at

SENTENCES = {
    "csv.kept": "Every value in all {rows:count} rows of the file is as its header contract demands.",
    "csv.broken": "The file breaks its header contract.",
    "csv.nothing_checked": "No row has a value of which the header contract demands anything.",
    "csv.too_large": "The file is larger than the budget allows.",
    "csv.not_text": "The file could not be read as UTF-8 text.",
}
KEYS = ("checked", "broken")
VERIFIERS = (VerifierVersion("csv.rows", "1"),)


@dataclass(frozen=True, slots=True)
class CsvRequest:
    content: bytes
    name: str
    contract: Contract

    recorded_name = property(lambda self: self.name)


@dataclass(frozen=True, slots=True)
class Checked(Whole):
    name: str
    content: bytes
    account: Account
    found: tuple[Finding, ...]

    def decide(self):
        return self.account.decision

    def proof(self):
        subject = Subject(self.content, self.account.media_type, self.name)
        return Proof(proof_of("csv", self.account, subject), {subject.digest: self.content})

    def document(self):
        told = {"counts": self.account.observations, "issues": [each.to_dict() for each in self.found]}
        return {"result": {"passed": self.account.decision.outcome is Outcome.PROVED, **told}}

    def findings(self):
        return self.found

    def sheet(self, verdict):
        entries = tuple(Entry(Mark.FAILS, each.message, each.location.line) for each in self.found)
        return Sheet(self.name, verdict, verdict.agent_message, (Section("Rows", entries),))


class Workbench:
    def observe(self, request, listener):
        table = look_at(request.content, request.contract)
        listener(Event("checked", f"{len(table.counts)} demands were checked"))
        return Checked(request.name, request.content, _account(request.contract, table.counts), tuple(table.findings))

    def rechecker(self, demands, sources):
        wanted = demands.text("header") and _described(_read(demands.text("header"), sources)).digest

        def unmet(artifact, subject):
            return () if artifact["contract"]["digest"] == wanted else ("say with --header which contract you demand",)

        return AccountRechecker(_restored, unmet, _again, lambda: {each.id: each.version for each in VERIFIERS})

    def observed_again(self, artifact, parts):
        content, contract = parts[artifact["subject"]["digest"]], contract_of(artifact["contract"]["content"])
        return self.observe(CsvRequest(content, artifact["subject"]["name"], contract), ignore)

    def close(self):
        pass


class CsvKind(PlainKind):
    name = "csv"
    too_large = "csv.too_large"
    sentences = SENTENCES
    command = Command(
        name="csv",
        question="Does a CSV file keep its declared header, types and row rules?",
        help="Check every row of a CSV file against a contract.",
        subject="FILE",
        subject_help="A CSV file in UTF-8, or '-' for standard input.",
        options=(Option("header", "The contract, a JSON file.", metavar="CONTRACT", is_required=True),),
        demands=(Option("header", "The contract that it must have been judged by.", metavar="CONTRACT"),),
    )

    def requests(self, given, sources):
        contract = _read(given.text("header"), sources)
        yield CsvRequest(sources.read(given.subject, MAX_BYTES), shown_path(given.subject), contract)

    def request(self, line):
        try:
            fields = Shape(dict(line.fields)).exactly("id", "kind", "text", "header")
            return CsvRequest(fields.text("text").encode(), line.id, contract_of(fields.raw("header")))
        except ValueError as error:
            raise UsageError("request.invalid", f"The request: {error}.") from error

    def open(self, given, host):
        return Workbench()


def _read(path, sources):
    try:
        return contract_of(read_json(sources.read(path, MAX_BYTES, "header contract"), MAX_BYTES, whole=float))
    except ValueError as error:
        raise UsageError("csv.contract", f"The header contract {path!r}: {error}.") from error


def _described(contract):
    return Described("csv", json.loads(json.dumps(asdict(contract))))


def _account(contract, counts):
    form, values = counts[: len(FORM)], counts[len(FORM) :]
    outcome, constraint = Outcome.PROVED, "csv.kept"
    if any(each["broken"] for each in counts):
        outcome, constraint = Outcome.REFUTED, "csv.broken"
    elif not all(each["checked"] for each in form) or not any(each["checked"] for each in values):
        outcome, constraint = Outcome.UNDECIDED, "csv.nothing_checked"
    decision = decide(outcome, constraint, {"rows": form[-1]["checked"]}, catalogue=SENTENCES)
    claim = f"The header and all {form[-1]['checked']} rows are as the contract demands."
    policy = Described("csv/v1", {"every_row": True})
    return Account(decision, claim, _described(contract), policy, counts, VERIFIERS, "text/csv")


def _restored(artifact):
    contract = contract_of(artifact["contract"]["content"])
    told = [each.exactly("demand", *KEYS) for each in Shape(artifact["observations"], "observations").items()]
    counts = [{"demand": each.text("demand"), **{key: each.whole(key, 0) for key in KEYS}} for each in told]
    if [each["demand"] for each in counts] != [*FORM, *contract.demands()]:
        raise ValueError("the observations are not about what the contract demands")
    return _account(contract, counts)


def _again(artifact, content, parts):
    contract = contract_of(artifact["contract"]["content"])
    return _account(contract, look_at(content, contract).counts)
