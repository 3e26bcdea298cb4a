"""Every rule of quality as data: its factor, the type of its issue, its severity, what it takes away, and its words.

A rule takes points, thousandths of the score. In code the points of a warning or an info count for a hundred lines:
in longer code they are that much less, save those of security and of what makes an output useless as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from probatum.core.finding import Severity
from probatum.core.validation import IssueType
from probatum.exact.code.tables import words


class QualityFactor(StrEnum):
    """What makes an output good."""

    CORRECTNESS = "correctness"
    COMPLETENESS = "completeness"
    READABILITY = "readability"
    MAINTAINABILITY = "maintainability"
    PERFORMANCE = "performance"
    SECURITY = "security"
    STYLE = "style"


MOST_POINTS: Final[Mapping[QualityFactor, int]] = {
    QualityFactor.CORRECTNESS: 700,
    QualityFactor.COMPLETENESS: 600,
    QualityFactor.READABILITY: 200,
    QualityFactor.MAINTAINABILITY: 250,
    QualityFactor.PERFORMANCE: 250,
    QualityFactor.SECURITY: 600,
    QualityFactor.STYLE: 150,
}
"""The weight of a factor: the most that all its issues together take from the score, in thousandths."""


@dataclass(frozen=True, slots=True)
class QualityRule:
    """One rule; ``message`` and ``suggestion`` are templates."""

    name: str
    factor: QualityFactor
    type: IssueType
    severity: Severity
    points: int
    message: str
    suggestion: str

    @property
    def is_whole(self) -> bool:
        """Whether its points count in full, however long the output is."""
        return self.severity is Severity.ERROR or self.factor is QualityFactor.SECURITY or self.name in BASIC


BASIC: Final = words(
    "syntax text_empty refusal placeholder text_truncated text_unclosed text_loop code_elided not_judged"
)
"""The rules that are looked at where the quality layer was not asked for: what makes an output useless as it stands."""

_TABLE: Final = """
# correctness correctness_issue
syntax error 600: The code does not parse as Python: {what}
    Correct the syntax at this line so that the code can run.
undefined_name warning 150: Name '{name}' is used but nothing in the code defines or imports it
    Define or import '{name}' before it is used.
empty_division warning 100: Division by {what} fails for empty input
    Handle the empty case before dividing, for example return 0 or raise ValueError with a clear message.
none_comparison warning 20: Comparison to None by equality asks the object's own equality
    Use 'is None' or 'is not None'.
shadowed_builtin info 5: Name '{name}' hides the built-in of that name
    Rename it, for example to '{name}_' or to what it holds.
unused_result warning 60: The result of this comparison is not used
    Assign or return the result, or remove the statement.
missing_return warning 40: Function '{name}' returns a value on some paths and falls off its end on others
    Return a value, or raise an exception, on every path.
swallowed_exception warning 40: Every exception is caught here and nothing is done about it
    Catch only what is expected, and log, handle or raise it again.
mutable_default warning 50: This default is one object that all calls share and change
    Use None as the default and create the object in the function.
# completeness completeness_issue
code_stub warning 120: Function '{name}' has no implementation
    Implement '{name}', or mark it as abstract.
code_elided warning 200: The code leaves a part out: {what}
    Write the part that is left out.
code_todo info 10: A note says that work is left to do here: {what}
    Do what the note says, or remove it.
text_empty warning 600: The text is empty
    Write the answer that was asked for.
refusal warning 500: The text declines to answer: '{what}'
    Answer the request, or say which part cannot be answered and why.
text_loop warning 400: The text repeats itself without end: '{name}' stands {what} times in a row
    Remove the repetition and complete the answer.
as_a_model warning 60: The text speaks of itself as a program: '{what}'
    Remove the remark; the answer is what was asked for.
placeholder warning 150: A placeholder is left over: '{what}'
    Replace the placeholder by its content.
text_truncated warning 150: The text ends in the middle of a sentence: '{what}'
    Complete the last sentence.
text_unclosed warning 100: {what} is never closed
    Complete the text, and close what was opened.
asked_item warning 120: The request asks for {what}, which the text does not have: {name}
    Add what is missing.
asked_count warning 120: The request asks for {what}, and the text has {name}
    Give as many as were asked for.
# readability readability_issue
one_letter info 3: Variable name '{name}' is not descriptive
    Rename it to say what it holds, such as 'user_count' or 'total_items'.
text_sentences warning 40: Sentences are long: {what} words on average (recommended maximum: 30)
    Split the long sentences.
text_difficult info 30: The text is very hard to read: Flesch reading ease {what} (recommended minimum: 10)
    Use shorter sentences and more common words.
text_wall warning 50: A paragraph of {what} words has no break (recommended maximum: 300)
    Split it into paragraphs, one thought each.
text_unstructured info 20: A text of {what} words has no heading, list or table
    Add headings or lists.
text_repeated warning 80: A sentence stands {what} times: '{name}'
    Keep it once.
# maintainability complexity_issue
complexity warning 100: Function '{name}' has a cyclomatic complexity of {what} (recommended maximum: 10)
    Refactor '{name}' into smaller functions.
nesting warning 50: Function '{name}' nests statements {what} levels deep (recommended maximum: 5)
    Return early, or move inner blocks into functions of their own.
function_length info 30: Function '{name}' has {what} lines (recommended maximum: 100)
    Split '{name}' into functions that do one thing each.
parameters info 10: Function '{name}' has {what} positional parameters (recommended maximum: 8)
    Group parameters in an object, or make them keyword-only.
duplicated warning 40: {what} lines here repeat those from line {name}
    Move the common lines into one function.
not_judged warning 100: Not judged for its quality: {what}
    Judge the parts of a very long output one by one.
# maintainability style_issue
global_statement info 10: Statement 'global {name}' lets a function change the module's state
    Pass the value as a parameter and return it, or keep it in an object.
bare_except warning 30: A bare 'except' also catches KeyboardInterrupt and SystemExit
    Name the exceptions that are expected, or use 'except Exception'.
deprecated warning 40: '{name}' is {what}
    Use {instead} instead.
# performance performance_issue
nested_loops warning 80: Nested loops over '{what}' result in O(n²) complexity
    Use a set or a dictionary for O(n) complexity, or itertools.combinations for pairs.
text_in_loop info 20: Text '{name}' grows by += in a loop, which may copy it each time
    Collect the parts in a list and join them once: ''.join(parts).
list_membership info 20: Membership in list '{name}' is tested in a loop, which searches it each time
    Build a set of its items before the loop.
list_front info 20: '{what}' moves all other items of the list each time
    Use collections.deque with popleft() or appendleft().
# performance optimization
comprehension info 4: Consider using a list comprehension instead of the loop that fills '{name}'
    Write {name} = [... for ... in ...].
# readability optimization
type_hints info 4: Consider adding type hints for better code clarity
    Add type hints to the parameters and the result of '{name}'.
# readability style_issue
docstring warning 15: Function '{name}' lacks a docstring
    Add a docstring that explains parameters, return value and exceptions.
# security security_issue
shell_true warning 250: {what} reaches a shell command that is run with shell=True
    Use subprocess with a list of arguments instead of shell=True
shell_system warning 200: {what} reaches a shell command in {name}()
    Use subprocess.run with a list of arguments, or shlex.quote() for each value.
code_injection warning 250: {what} reaches {name}(), which runs it as code
    Use ast.literal_eval() for values, or a table of what is allowed.
code_evaluation warning 60: {name}() runs text that is not fixed as code
    Use ast.literal_eval() for values, or a table of what is allowed.
unsafe_loading warning 60: {name}() can run any code that its data holds
    Load data from outside with json, or with yaml.safe_load.
sql_injection warning 200: A SQL statement is put together from values: {what}
    Pass the values as parameters: execute('... WHERE id = ?', (value,)).
path_traversal warning 80: {what} reaches a path in {name}(), and may lead out of the folder
    Resolve the path, and check that it is below the folder that is meant.
template_injection warning 200: {what} reaches a template in {name}(), which runs what stands in it
    Use a fixed template, and pass values as its variables.
unverified_tls warning 120: Certificates are not verified here: {name}
    Leave verification on; for a certificate of your own, give its file.
temporary_name warning 60: tempfile.mktemp() gives a name that somebody else may create first
    Use tempfile.NamedTemporaryFile or tempfile.mkstemp.
secret warning 150: '{name}' holds a secret that is written in the code
    Read the secret from the environment or from a secret store, and change it.
xml_entities warning 40: {what} reaches the XML parser {name}(), which expands entities
    Use defusedxml for XML from outside.
debug_mode warning 120: The web application runs in debug mode, which lets strangers run code
    Set debug=False outside of development.
hidden_text warning 250: A character that turns or hides text stands here ({what}): what is seen is not what runs
    Remove the character.
# style style_issue
camel_case warning 30: Function name uses camelCase instead of snake_case
    Rename '{name}' to '{what}' to follow Python naming conventions.
line_length info 3: Line has {what} characters (recommended maximum: 88)
    Break the line into multiple lines.
trailing_space info 1: Whitespace stands at the end of the line
    Remove the whitespace at the end of the line.
wildcard_import warning 20: 'from {name} import *' hides where names come from
    Import the names that are used.
unused_import info 6: Import '{name}' is not used
    Remove the import.
unused_variable info 8: Variable '{name}' is given a value that is never used
    Use the variable, or remove it.
# maintainability optimization
more_issues info 1: {what} more issues were found
    Correct what is told first, and validate again.
"""


def _read(table: str) -> Mapping[str, QualityRule]:
    found: dict[str, QualityRule] = {}
    factor, kind = "", ""
    lines = iter(table.strip().splitlines())
    for line in lines:
        if line.startswith("# "):
            _, factor, kind = line.split()
            continue
        head, _, message = line.partition(": ")
        name, severity, points = head.split()
        rule = (name, QualityFactor(factor), IssueType(kind), Severity(severity), int(points), message)
        found[name] = QualityRule(*rule, next(lines).strip())
    return found


RULES: Final = _read(_TABLE)
