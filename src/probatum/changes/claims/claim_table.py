r"""The closed table of mechanical claims, as data: one line a pattern, and the words that make a match unsure.

A line is `KIND [marks] pattern`. A pattern takes a whole sentence without its markup and final stop. In it `(...)`
groups without capturing, `<name>` is an entry of `_PARTS`, and letters match in either case. Marks: `~` contrary
evidence leaves the claim unproven, because its words may mean more than one thing; `^` only as a commit's subject line.
Refuses loose ends: what the table does not spell out is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "ANNOUNCED",
    "COMMAND",
    "FIXED_NAME",
    "LINTERS",
    "NUMBER_WORDS",
    "PATH",
    "REPORTED",
    "SUPPOSED",
    "TABLE",
    "TAKEN_BACK",
    "TOOL",
    "TRAILER",
    "TYPE_CHECKERS",
    "ChangeClaimKind",
    "ClaimPattern",
]


class ChangeClaimKind(StrEnum):
    """What may be claimed of a change."""

    TESTS_PASS = "tests_pass"  # noqa: S105 - not a password
    TESTS_ADDED = "tests_added"
    ONLY_FILES = "only_files"
    NOTHING_ELSE = "nothing_else"
    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    NO_API_CHANGE = "no_api_change"
    REFACTORING = "refactoring"
    FIXES = "fixes"
    VERSION = "version"
    LINT_CLEAN = "lint_clean"
    TYPES_CLEAN = "types_clean"


@dataclass(frozen=True, slots=True)
class ClaimPattern:
    """One line of the table; `refused` holds words with which the sentence is not surely this claim."""

    kind: ChangeClaimKind
    pattern: re.Pattern[str]
    exact: bool
    subject_only: bool
    refused: re.Pattern[str] | None


NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TYPE_CHECKERS = frozenset({"mypy", "basedpyright", "pyright", "pyre", "pytype", "ty"})
LINTERS = frozenset(
    {"ruff", "ruff format", "flake8", "pylint", "black", "isort", "pycodestyle", "pydocstyle", "bandit"}
)
# The longer name first: `ruff format` is no `ruff`.
_TOOLS = "|".join(sorted(LINTERS | TYPE_CHECKERS, reverse=True))

# Longer parts are made of shorter ones; an entry may use those above it.
_PARTS = r"""
number     (?P<count>\d{1,3}(,\d{3})+|\d{1,6}|NUMBER_WORDS)
lead       ((and|also|now|finally|in addition|additionally|i|i have|i've|we|we have|we've|this (commit|change|pr|patch)
lead       |(verified|confirmed|checked|made sure)( that)?),? ){0,6}
ending     \.(py|pyi|pyx|md|rst|txt|toml|cfg|ini|ya?ml|json|lock|in|jsx?|tsx?|css|html|sh|c|h|cpp|rs|go|java|ipynb|sql)
path       `?([\w.-]+/)*[\w.-]+(/|<ending>)`?
paths      (?P<several><path>((, and |, | and | & )<path>)*)
ticked     ``?(?!\S*<ending>`)([\w./-]+::)?[A-Za-z_][\w.]*(\(\))?``?
marked     (<ticked>|[A-Za-z_][\w.]*\(\))
code       (?-i:(?=\w*_|\w*[a-z][A-Z])[A-Za-z_]\w*(\.[A-Za-z_]\w*)*)
name       (<marked>|<code>)
sort       ((helper|utility|private|public|static|async) )*(function|method|class|classmethod|staticmethod|helper)
det        ((a|an|the|new|unused|obsolete|dead|old) )*
where      ( (in|to|from|into) (<path>|<marked>))?
were       (was|were|has been|have been)
edited     (changed|modified|touched|edited|altered|updated)
there      (there (are|is|were|was) )?
made       ( (was|were) made)?
version    `?(?P<version>v?\d+(\.\d+){1,3}([-._]?(a|b|rc|c|alpha|beta|dev|post|pre)[-._]?\d*)*)`?
tool       `?(TOOLS)( (check|--strict|\.|src/?))*`?
tools      (both )?(?P<tools><tool>((, and |, | and | & | \+ |/)<tool>)*)
none       (no|0|zero) (new )?(errors?|issues?|problems?|warnings?|complaints?)
clean      ((is|are|stays?|remains?|comes? back|came back) (all )?(clean|green|happy)|clean|succeeds?|<none>
clean      |(pass(es|ed)?|runs?|ran)( cleanly| with <none>| without (any )?(errors?|issues?|warnings?))?
clean      |(reports?|shows?|finds?|has|have|found|reported) <none>)
tests      (tests?|test cases)
green      ((still |now )?pass(es|ed)?|passing|(is|are|were) (all )?(passing|green)|succeed|succeeded|green)
green      ( successfully| locally| again| now| with(out| no| 0| zero)( any)? (errors?|failures?))*
green      ( \(\d+(/\d+)?( passed| tests?)?(, \d+ skipped)?( in [\d.]+ ?s)?\))?
new        ((new|more|additional|unit|regression|integration|focused|parametri[sz]ed|comprehensive|extra|dedicated|some
new        |a few|several|few|pytest|basic|simple) )*
about      (,? (for|covering|of|that|to|in|verifying|checking|exercising|around|ensuring|on|against|which) .+)?
issue      (([\w.-]+/[\w.-]+)?(#|gh-|bpo-)\d+|https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+)
issues     (issue )?<issue>((, and |, | and )<issue>)*
scope      (\([\w ./-]+\))?
defect     ((subtle|critical|nasty|long-standing|rare|logic|serious|real|off-by-one|memory|race|infinite|silent) )*
defect     (bug|crash|regression|defect|leak|race|condition|deadlock|loop|error)
add        (added|adds|add)
remove     (removed?|removes|deleted?|deletes)
"""

_LINES = r"""
TESTS_PASS        all( of)?( the| our)?( <number>)? <tests> <green>
TESTS_PASS        (the )?<tests> <green>
TESTS_PASS        (the )?(full |whole |entire |complete )?(test )?suite <green>
TESTS_PASS   ~    (all )?(the )?(\d+ )?(existing|old|new|unit) <tests> <green>
TESTS_PASS   ~    <number>(/(?P=count))? tests <green>
TESTS_ADDED       (<add>|wrote) <number> <new>(tests?|test cases?|test functions?)<about>
TESTS_ADDED       <number> (new )?tests? (was |were )?added
TESTS_ADDED       (<add>|wrote) <new>tests|tests (were )?added
TESTS_ADDED  ~    (<add>|wrote) (a )?<new>(tests?|test cases?)<about>
ONLY_FILES        only (the files? )?<paths> (<were> <edited>|changed)
ONLY_FILES        only <edited> <paths>
ONLY_FILES        (the )?only files? (that )?(i )?(<were> )?<edited>( is| are| was| were|:) <paths>
ONLY_FILES        (no (other )?files?|nothing) (other than|besides|except|but) <paths> (<were> )?<edited>
ONLY_FILES        (all |the )?changes are (limited|confined|restricted) to <paths>
NOTHING_ELSE      (no other (source )?files?|nothing else) (<were> )?<edited>
NOTHING_ELSE      no other (file )?changes?<made>|(did not|didn't) (change|touch|modify) anything else
ADDED             <add> <det><sort> (?P<one><name>)<where>
ADDED             <add> <det>(?P<one><name>) <sort><where>
ADDED        ~    <add> <det>(?P<one><marked>)<where>
REMOVED           <remove> <det><sort> (?P<one><name>)<where>
REMOVED           <remove> <det>(?P<one><name>) <sort><where>
REMOVED      ~    <remove> <det>(?P<one><marked>)<where>
RENAMED           renamed? <det>(<sort> )?(?P<old><name>) (to|into|as|->|→) (?P<new><name>)<where>
NO_API_CHANGE     <there>no (public[ -])?apis? changes?<made>|<there>no public[ -]apis? (<were> )?changed
NO_API_CHANGE     <there>no changes? (to|in) (the |any )?(public )?apis?
NO_API_CHANGE     (the )?public (api|interface) (is|remains|stays|was) (unchanged|untouched|the same)
NO_API_CHANGE     (the )?public (api|interface) (did not|didn't|has not|hasn't) changed?
REFACTORING       ((this|it) is )?(a )?(pure|purely a|just a|only a) (refactor|refactoring)
REFACTORING       ((this|it) is )?(refactor|refactoring) only
REFACTORING       <there>no (functional|behaviou?r(al)?|semantic) changes?<made>
REFACTORING       <there>no changes? (in|of|to) (the |any )?(behaviou?r|functionality)
REFACTORING       (the )?behaviou?r (is|remains|stays|was) (unchanged|the same|identical)
REFACTORING       (does not|doesn't|did not|didn't) change (the |any )?(behaviou?r|functionality)
REFACTORING ~^    refactor<scope>: .+
FIXES             (fix(e[sd])?|resolve[sd]?):? <issues>
FIXES        ~    close[sd]?:? <issues>
FIXES        ^    ((\[[\w .#-]+\]|(gh-|bpo-|#)\d+):? )?fix(e[sd])?<scope>:? .+
FIXES             fixe[sd] (a|an|the|this) <defect> in (?P<one><name>)( (where|when|that|which|on|with|for|by) .+)?
FIXES             fixed (?P<one><marked>)
VERSION           (bump(s|ed)?|sets?|updated?|increase[sd]?) (the |package |project )*version:? (from \S+ )?to <version>
VERSION           (bump: |bump(s|ed)? )(the )?version:? (from )?\S+ (→|->|to) <version>
VERSION           (the )?version (<were> )?(set|bumped) to <version>
VERSION     ~^    (prepare |preparing )?(for )?(release|version):? <version>
VERSION     ~^    (chore\(release\): )?(release )?<version>
LINT_CLEAN        (checks: )?<tools>:? <clean>
LINT_CLEAN        (there are )?no lint(er|ing)? (errors?|issues?|warnings?|problems?|violations?)
LINT_CLEAN        (the )?(lint|linter|linting) <clean>
TYPES_CLEAN       (there are )?no (type|typing|type[- ]check(er|ing)?) (errors?|issues?|problems?)
TYPES_CLEAN       (the )?(type[- ]check(s|er|ing)?|types) <clean>
"""

# With these a subject line is not surely a fix of what the program does (a dot stands for a space).
_NOT_BEHAVIOUR = r"""
typos? misspell\w* spelling grammar wording docs? documentation docstrings? readme\w* changelog changes news comments?
links? lint\w* flake8 mypy pylint ruff pyright black isort codespell format(ting)? style whitespace indent\w* tests?
test_\w+ testing pytest tox nox ci travis appveyor circleci azure codecov coverage builds? workflows? actions?
pre-?commit\w* packag(e|es|ing) release version deps dependenc(y|ies) annotations? typing types? type-?hints? hints?
conflicts? merge rst markdown sphinx versionchanged yaml mkdocs rtd readthedocs examples? makefile setup\.\w+
pyproject\w* requirements\S* copyright licen[cs]e badges? benchmarks? scripts? names? naming cog translations?
tutorial notebook code review feedback nits? sorting imports? docker\w* devcontainer gitignore should might maybe
perhaps possibly partial\w* try tries attempt\w* hopefully todo wip temporar\w* first please your? let then later soon
will need(s|ed)? want plan\w* revert\w* part.\d+ is was were are applied ready propos\w+
pins? pinned lockfile reformat\w* refactor\w* cleanup
"""
_NOT_TEST_CODE = r"""
python.?\d[\d.]* py\d+ pypy\S* ci travis tox nox github actions? workflows? windows macos osx sdist manifest\S*
appveyor coverage docs documentation makefile package wheel later todo soon next but not.yet would will.be follow-?up
needs?
"""
_NOT_REFACTORING = r"""
add\w* remov\w+ drop\w* delet\w+ fix\w* allow\w* support\w* improv\w+ chang\w+ deprecat\w+ break\w* optimi[sz]\w*
faster perf\w* speed\w* default\w* new features? implement\w* introduc\w+ updat\w+ enabl\w+ disabl\w+ replac\w+
upgrad\w+ bump\w* api make mak\w+ ensur\w+ prevent\w* handl\w+ rais\w+ error\w* exceptions? messages? warn\w* log\w*
tests? docs? correct\w* adjust\w* rewrit\w+ rework\w* better strict\w* validat\w+ wip todo try attempt\w*
behaviou?r\w* instead only
"""
# Words of a heading, or of the line before a list, after which nothing is a report of what was done.
_NO_REPORT = r"""
todo to.do to-do next plan\w* goals? criteria criterion acceptance expect\w* should shall will would could might may
must need\w* requirements? required remaining outstanding checklist (how.)?to.(verify|check|test|reproduce|do) how.to
steps before once when if unless until not cannot \w+n't without said says ask\w* request\w* prompt tasks?
instructions? quot\w+ claim\w* suggest\w* recommend\w* options? ideas? future follow-?ups? examples? e\.g
definition.of.done ensure make.sure want\w* previous\w* earlier original\w* wip unfinished incomplete partial\w*
fail\w* limitations? questions? assum\w+ propos\w+ wrong false untrue please your? reverts? base upstream template
guidelines? contribut\w* by.others
"""


def _words(words: str, *, anywhere: bool = True) -> re.Pattern[str]:
    return re.compile(rf"{'' if anywhere else r'[^a-z]*'}\b(?:{'|'.join(words.split())})\b|\?|…", re.IGNORECASE)


ANNOUNCED = _words(_NO_REPORT)
REPORTED = _words(
    "summary changes what.changed what.i.(did|changed) what.was.done description changelog done this.(pr|commit) "
    "overview list.of.changes what.this.does",
    anywhere=False,
)
# The start of the sentence after a claim that limits it or takes it back.
TAKEN_BACK = _words(
    "except but however unless apart.from other.than if once provided assuming though although just.kidding at.least "
    "or.so well actually not.(really|yet|quite|all|true|sure) (that|this).(is|was).(false|wrong|not)",
    anywhere=False,
)
# The start of a paragraph that tells no facts.
SUPPOSED = _words(
    "suppose imagine assum(e|ing) ideally todo plan next goal expected wip if unless once please make.sure "
    "ensure pretend",
    anywhere=False,
)
COMMAND = re.compile(r"(?:add|remove|delete|rename|bump|set|update|write)\b", re.IGNORECASE)


def _parts() -> Mapping[str, str]:
    parts: dict[str, str] = {}
    for line in _PARTS.strip().splitlines():
        name, pattern = line.split(maxsplit=1)
        parts[name] = parts.get(name, "") + _filled(pattern, parts)
    return parts


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    pattern = pattern.replace("NUMBER_WORDS", "|".join(NUMBER_WORDS))
    pattern = pattern.replace("TOOLS", _TOOLS)
    pattern = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)
    return re.sub(r"(?<!P)<(\w+)>", lambda match: parts[match[1]], pattern)


def _table(parts: Mapping[str, str]) -> tuple[ClaimPattern, ...]:
    patterns = []
    for line in _LINES.strip().splitlines():
        kind, marks, pattern = re.fullmatch(r"(\w+) +(?:([~^]+) +)?(.+)", line).groups(default="")  # type: ignore[union-attr]  # every line has this form
        kind, subject_only, counted = ChangeClaimKind[kind], "^" in marks, "<about>" in pattern
        refused = _REFUSED.get(kind) if subject_only or counted else None
        compiled = re.compile(f"{parts['lead']}(?:{_filled(pattern, parts)})", re.IGNORECASE)
        patterns.append(ClaimPattern(kind, compiled, "~" not in marks, subject_only, refused))
    return tuple(patterns)


_REFUSED = {
    ChangeClaimKind.FIXES: _words(_NOT_BEHAVIOUR),
    ChangeClaimKind.REFACTORING: _words(_NOT_REFACTORING),
    ChangeClaimKind.TESTS_ADDED: _words(_NOT_TEST_CODE),
}
_NAMED = _parts()
TABLE = _table(_NAMED)
PATH = re.compile(_NAMED["path"], re.IGNORECASE)
TRAILER = re.compile(rf"\s*(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):? {_NAMED['issues']}\s*\Z", re.IGNORECASE)
FIXED_NAME = re.compile(
    rf"(?:\bin|\bof|^fix|^fixed|^fixes|:) ({_NAMED['name']})(?<!error)(?<!exception)(?![\w/-])", re.IGNORECASE
)
TOOL = re.compile(_TOOLS, re.IGNORECASE)
