"""Tells whether a query only reads, and whether it can sleep, reach outside the tables or run away.

Every kind of node is on a list of what only reads; every function on the list of its dialect. Refuses everything else,
recursion without a bound that is plain to see, and results as long as a number says.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from probatum.core.errors import nearest
from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import flat
from probatum.exact.sql.functions import ARGUMENTS, DANGEROUS, GROWING, SQLITE_FUNCTIONS, allowed_functions, words
from probatum.exact.sql.reading import Query, RefutedError, part, parts

if TYPE_CHECKING:
    from sqlglot.expressions import Expr
    from sqlglot.tokenizer_core import Token

_WRITES: Final = words("""
    insert update delete merge create drop alter truncatetable command pragma attach detach copy into lock set use
    grant revoke transaction commit rollback kill loaddata describe show analyze returning execute
""")
_READS: Final = words("""
    select from where group having order ordered limit offset fetch limitoptions join table tablealias alias column
    identifier star literal boolean null paren and or not eq neq lt lte gt gte is in between like ilike escape exists
    subquery cte with union intersect except distinct case if cast trycast datatype datatypeparam window windowspec
    add sub mul div intdiv mod bitwiseand bitwiseor jsonpath jsonpathroot jsonpathkey jsonpathsubscript neg dpipe
    interval var tuple filter placeholder parameter nullsafeeq nullsafeneq anonymous collate
""")
_CALLS: Final = words("""
    count sum avg min max abs upper lower round coalesce nullif trim replace rownumber rank denserank percentrank
    cumedist ntile lag lead firstvalue lastvalue nthvalue length substring strposition unicode ascii date time
    datetime timetostr tsordstodate tsordstotimestamp tsordstotime currentdate currenttime currenttimestamp
    currentdatetime groupconcat rand random sign ceil floor sqrt pow exp ln log trunc jsonextract jsonextractscalar
    jsontype likely unlikely hex soundex pi sin cos tan typeof concat concatws left right initcap reverse splitpart
    chr md5 greatest least timestamptrunc datetrunc datepart extract age tochar strtodate strtotime todate totimestamp
    datefromparts arrayagg logicaland logicalor stddev stddevpop stddevsamp variance variancepop pad repeat space
    dateadd datesub datediff year quarter month day dayofmonth dayofweek hour minute second lastday bytelength
    jsonarraylength julianday unixepoch
""")
_NOT_IN: Final = {
    "mysql": words("FULL NULLS FILTER ILIKE FETCH VALUES TRY_CAST :: == ISNULL NOTNULL GLOB"),
    "postgres": words("== TRY_CAST GLOB @"),
}
"""What the parser reads in a dialect that has none of it."""
_MYSQL_TYPES: Final = words("SIGNED UNSIGNED CHAR DECIMAL DATE DATETIME TIME")
_SET_OPERATIONS: Final = ("union", "intersect", "except")
_MOST_WILD: Final = 6
_LONGEST: Final = 1_000
_MOST_JOINED: Final = 24
_MOST_ROUNDS: Final = 10_000


def require_safe(query: Query) -> None:
    """Raise RefutedError for what writes or is dangerous, and CannotDecideError for what is not known to be neither."""
    allowed = allowed_functions(query.dialect)
    for node in query.tree.walk():
        if node.key in _WRITES:
            raise RefutedError(
                "sql.not_read_only", f"The statement holds {node.key.upper()[:30]}, so it does not only read."
            )
        if node.key == "anonymous":
            _require_function(str(node.this).lower(), query.dialect, allowed)
        if node.key in GROWING | {"pad"}:
            _require_small(node)
        if node.key in ("like", "ilike"):
            texts = [each.name for each in node.args["expression"].walk() if each.key == "literal"]
            if sum(each.count("%") for each in texts) > _MOST_WILD:
                raise CannotDecideError("sql.runaway", "A pattern has too many places where anything may stand.")
    growing = [node for node in query.tree.walk() if _multiplies(node)]
    if len(growing) > 2 or sum(node.key in ("dpipe", "concat") for node in query.tree.walk()) > _MOST_JOINED:
        raise CannotDecideError("sql.runaway", "A text is made many times as long again and again.")
    for name in query.called:
        _require_function(name, query.dialect, allowed)
    for node in query.tree.walk():
        if node.key not in _READS and node.key not in _CALLS:
            raise CannotDecideError("sql.beyond", f"The query holds {node.key.upper()[:30]}, which is not read here.")
        is_plain = query.dialect == "sqlite" or node.key != "is" or node.args["expression"].key in ("null", "boolean")
        if not is_plain or (node.key == "collate" and query.dialect != "sqlite"):
            raise CannotDecideError("sql.beyond", "The query holds IS or COLLATE with what is not read here.")
        inner = {each.key for each in node.walk()} if node.key == "groupconcat" else set()
        if query.dialect != "sqlite" and {"distinct", "order"} <= inner:
            raise CannotDecideError("sql.beyond", "An aggregate of distinct values is ordered.")
        sides = [node.this, node.args["expression"]] if node.key in _SET_OPERATIONS else []
        sides = [each for each in sides if each.key == "select"]
        if any(each.args.get(name) for each in sides for name in ("order", "limit", "offset")):
            raise CannotDecideError("sql.beyond", "A part of a set operation is ordered or limited without brackets.")
    _require_words(query)


def _multiplies(node: Expr) -> bool:
    """Return whether a function may make a text many times as long."""
    put = node.args.get("replacement")
    is_plain = put is None or (put.key == "literal" and len(put.name) <= len(node.args["expression"].name))
    return node.key == "repeat" or (node.key == "replace" and not is_plain)


def _require_function(name: str, dialect: str, allowed: frozenset[str]) -> None:
    if name in DANGEROUS:
        raise RefutedError("sql.dangerous", f"The function {name[:60]!r} may do more than compute a value.", name=name)
    if name in allowed:
        return
    if dialect == "sqlite" and name not in SQLITE_FUNCTIONS:
        near = nearest(name, sorted(allowed))
        raise RefutedError("sql.unknown_function", f"SQLite has no function {name[:60]!r}. {near}".strip(), name=name)
    raise CannotDecideError("sql.unknown_function", f"It is not known here what the function {name[:60]!r} does.")


def _require_small(node: Expr) -> None:
    numbers = [each for each in node.iter_expressions() if each.key == "literal" and not each.is_string]
    if (
        len(numbers) != 1
        or not numbers[0].name.isdigit()
        or int(numbers[0].name[:9]) > _LONGEST
        or len(numbers[0].name) > 9
    ):
        raise CannotDecideError("sql.runaway", "A text is made as long as something says that is no small number.")


def _require_words(query: Query) -> None:
    """Refuse what the parser reads although the dialect has it not, or has it for something else."""
    tokens = query.tokens
    words = [token.text.upper() for token in tokens if token.token_type.name not in ("STRING", "IDENTIFIER")]
    if any(word in _NOT_IN.get(query.dialect, ()) for word in words):
        raise CannotDecideError("sql.beyond", "The query holds a word that its dialect does not have.")
    pairs = list(pairwise(tokens))
    if query.dialect == "postgres" and any(
        other.token_type.name == "STRING" and one.token_type.name in ("STRING", "ALIAS") for one, other in pairs
    ):
        raise CannotDecideError("sql.beyond", "A text stands where the dialect wants a name.")
    if query.dialect != "sqlite":
        _require_arguments(tokens)
    joins = [each for each in query.tree.walk() if each.key == "join"]
    if query.dialect == "postgres":
        told = [
            j for j in joins if j.args.get("on") is not None or any(j.args.get(n) for n in ("using", "method", "kind"))
        ]
        limits = zip(tokens, tokens[1:], tokens[2:], strict=False)
        if words.count("JOIN") != len(told) or any(t[0].text.upper() == "LIMIT" and t[2].text == "," for t in limits):
            raise CannotDecideError("sql.beyond", "A join has no condition, or a limit two numbers.")
    elif query.dialect == "mysql":
        casts = pairwise(words)
        if "CAST" in words and any(one == "AS" and other not in _MYSQL_TYPES for one, other in casts):
            raise CannotDecideError("sql.beyond", "It is not told whether the dialect casts to a type of this name.")


def _require_arguments(tokens: tuple[Token, ...]) -> None:
    """Refuse a number of arguments that a function does not take; the parser overlooks some."""
    # For each open bracket: the name before it, the arguments so far, and whether it holds a word that separates them.
    opened: list[list[object]] = []
    for before, token in pairwise(tokens):
        kind = token.token_type.name
        if kind == "L_PAREN":
            opened.append([before.text.lower(), 0, False])
        elif kind == "R_PAREN" and opened:
            name, commas, is_worded = opened.pop()
            count = 0 if before.token_type.name == "L_PAREN" else int(str(commas)) + 1
            least, most = ARGUMENTS.get(str(name), (0, 9_999))
            least = 2 if name in ("substring", "position") and not is_worded else least
            if not least <= count <= most:
                told = f"{str(name).upper()} is given {count} arguments."
                raise CannotDecideError("sql.wrong_arguments", told)
        elif opened and kind == "COMMA":
            opened[-1][1] = int(str(opened[-1][1])) + 1
        elif opened and token.text.upper() in ("FROM", "FOR", "IN"):
            opened[-1][2] = True


def require_recursions_bounded(query: Query) -> None:
    """Raise CannotDecideError where a query of WITH reads itself and may go on without end."""
    for each in query.tree.walk():
        body = each.this if each.key == "cte" else None
        if body is not None and body.key == "union":
            reads = [inner for inner in body.args["expression"].walk() if inner.key == "table"]
            if any(inner.name.lower() == each.alias.lower() for inner in reads):
                _require_bounded(each.alias, body)


def _require_bounded(name: str, body: Expr) -> None:
    """Raise CannotDecideError where a query that reads itself may go on without end.

    It ends where it only adds new rows whose values are columns as they are, and where it counts up to a number.
    """
    first, step = body.this, body.args["expression"]
    sources = [each for each in step.walk() if each.key == "table"]
    own = [each for each in sources if str(each.name).lower() == name.lower()]
    if step.key != "select" or first.key != "select" or len(own) != 1:
        raise CannotDecideError("sql.runaway", "A query that reads itself has no bound that is plain to see.")
    values = [each.this if each.key == "alias" else each for each in step.expressions]
    if body.args.get("distinct") and all(each.key in ("column", "literal") for each in values):
        return
    is_alone = len(sources) == 1 and part(first, "from") is None and first.key == "select"
    starts = [each.this if each.key == "alias" else each for each in first.expressions]
    names = _names_of(body, first)
    is_flat = all(
        each.key in ("column", "literal", "add", "sub", "identifier") for value in values for each in value.walk()
    )
    if is_alone and is_flat and step.args.get("where") is not None:
        for place, value in enumerate(values):
            is_counter = place < min(len(starts), len(names)) and _counts(value, names[place])
            tests = flat(step.args["where"].this, "and") if is_counter else ()
            if any(_stops(each, names[place], starts[place]) for each in tests):
                return
    raise CannotDecideError("sql.runaway", "A query that reads itself has no bound that is plain to see.")


def _names_of(body: Expr, first: Expr) -> list[str]:
    alias = body.parent.args.get("alias") if body.parent is not None else None
    given = parts(alias, "columns") if alias is not None else []
    return [str(each.this).lower() for each in given] or [each.alias_or_name.lower() for each in first.expressions]


def _whole(node: Expr) -> int | None:
    is_number = node.key == "literal" and not node.is_string and node.name.isdigit() and len(node.name) < 9
    return int(node.name) if is_number else None


def _counts(value: Expr, name: str) -> bool:
    if value.key != "add":
        return False
    sides = value.this, value.args["expression"]
    return any(
        one.key == "column" and one.name.lower() == name and (_whole(other) or 0) > 0
        for one, other in (sides, sides[::-1])
    )


def _stops(condition: Expr, name: str, start: Expr) -> bool:
    if condition.key not in ("lt", "lte", "gt", "gte"):
        return False
    sides = condition.this, condition.args["expression"]
    left, right = sides if condition.key in ("lt", "lte") else sides[::-1]
    most, least = _whole(right), _whole(start)
    is_name = left.key == "column" and left.name.lower() == name
    return is_name and most is not None and least is not None and most - least <= _MOST_ROUNDS
