"""The forms of criteria as a table: the name of what decides, and a pattern over a whole criterion; case is ignored.

``<NAME>`` stands for a part of `PARTS`. A line that is indented goes on with the pattern of the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NUMBERS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
BOUNDS: Final[Mapping[str, str]] = {
    ">=": "at least|no fewer than|no less than|a minimum of|>=",
    "<=": "at most|no more than|not more than|up to|a maximum of|<=|not exceed|within",
    ">": "more than|over|greater than|larger than|>",
    "<": "fewer than|less than|smaller than|lower than|under|below|<",
    "=": "exactly|only",
    "..": "between|from",
}
UNITS: Final = (
    "word", "sentence", "paragraph", "character", "bullet point", "bullet", "item", "section", "heading", "link",
)  # fmt: skip
WHOLE_TEXT: Final = (
    "output|response|answer|reply|text|result|content|document|report|article|essay|email|letter|readme|story|poem|"
    "message|completion|post|blog post|json"
)
STANDARD_PARTS: Final = (
    "executive summary|summary|conclusion|introduction|abstract|references|reference list|bibliography|"
    "table of contents"
)
MUST: Final = "(?:(?:must|should|shall|needs? to|has to|have to) )"
HAVING: Final = f"(?:{MUST}?(?:has|have|contains?|includes?|provides?))"
_N: Final = rf"(?:-?\d[\d,]{{0,12}}(?:\.\d{{1,12}})?|{'|'.join(NUMBERS)}|an?)"

PARTS: Final[Mapping[str, str]] = {
    "MUST": f"{MUST}?",
    "HAVE": HAVING,
    "NOT": "(?:does not|do not|doesn't|don't|must not|should not|shall not|must never|should never|never)",
    "HAVE_NOT": "(?:(?:does not|do not|doesn't|don't|must not|should not|shall not|never|must never|should never) "
    "(?:have|contain|include|contains|includes)(?: any)?|(?:has|have|contains?|includes?) no|is free of|"
    f"{MUST}(?:have|contain|include) no)",
    "NO": "(?:<TEXT><HAVE_NOT> |no |there are no |there is no )",
    "IS": f"(?:is|are|{MUST}be)",
    "IS_NOT": "(?:(?:is|are|must|should|shall) not(?: be)? |<IS> non-?|cannot be )",
    "THERE": "(?:is|are|must be|should be) (?:included|provided|present|written|there|defined)",
    "CODE": "(?:(?:the |this |all |its )?(?:generated |submitted |returned |python )?"
    "(?:code|function|implementation|solution|program|module|script|output) )?",
    "PROGRAM": "(?:(?:the )?(?:code|function|implementation|solution|program|it) )?",
    "EVERY": "(?P<every>every|each|all) (?:the )?(?:public )?(?:functions?|methods?)(?: and methods?)?",
    "TEXT": "(?:(?P<text>(?:(?:the|this|your|its) )?(?:(?:final|generated|whole|entire) )?"
    rf"(?:{WHOLE_TEXT}|summary|abstract|title|introduction|conclusion)|the [a-z_][\w -]{{1,30}}?(?: field)?|"
    r"'[\w .-]{1,40}') )?",
    "BOUND": rf"(?P<bound>{'|'.join(BOUNDS.values())})? ?(?P<low>{_N})(?:(?: to | and |-|–)(?P<high>{_N}))?"
    r"(?P<after> or (?:more|fewer|less))?",
    "UNIT": f"(?P<unit>{'|'.join(f'{each}s?' for each in UNITS)})",
    "QUOTED": """(?:"(?P<double>[^"]{1,200})"|'(?P<single>[^']{1,200})')""",
    "STRINGS": """(?:"[^"]+"|'[^']+')(?:(?:,? and |, )(?:"[^"]+"|'[^']+'))*""",
    "CHOICES": """(?P<names>(?:"[^"]+"|'[^']+')(?:(?:,? or |, )(?:"[^"]+"|'[^']+'))*)""",
    "NAME": r"(?P<name>'?[a-z_]\w{0,60}(?:\(\))?'?)",
    "WHAT": r"(?P<what>'?[a-z_][\w.(), -]{0,50}?'?)(?: (?P<module>modules?|library|libraries|packages?))?",
    "FOREIGN": "(?:external|third[- ]party) (?:dependencies|libraries|packages|imports|modules)",
    "FIELD": r"""(?:(?:(?P<every>all|every|each)(?: of)?(?: the)? )?(?:the )?(?:(?:field|key|property) )?"""
    r"""(?P<field>'[\w .$-]{1,60}'|"[\w .$-]{1,60}"|"""
    r"[a-z_][\w.-]{0,40}(?: [a-z_][\w-]{0,40})??)(?: (?:field|key|property|list|array|values?))?)",
    "CASE": "(?P<case>(?:an? |the )?(?:empty (?:list|string|input)s?|none(?: input)?|zero|"
    "negative (?:numbers?|values?|inputs?|integers?)|duplicates?(?: values?| elements?)?|"
    "single[- ]elements?(?: lists?)?|large inputs?))",
    "ERROR": "(?:an? )?(?P<error>[a-z]{3,40}(?:error|exception))",
    "WELL": "(?:(?P<well> correctly| properly)| gracefully| without (?:errors?|crashing|raising(?: an exception)?))?",
    "ORDER": r"o\((?P<order>1|log ?n|log\(n\)|n|n ?\*? ?log ?\(?n\)?|n(?:\^2|²|\*\*2))\)",
    "CALL": r"(?:the )?(?:call )?(?P<call>[a-z_]\w{0,60}\([^=]{0,200}\))",
}

TABLE: Final = r"""
tests (?:some |the )?(?:unit |automated |python )?tests? <THERE>
tests <CODE><HAVE> (?:<BOUND> |some )?(?:unit |automated |python )?tests?
docstrings (?:<CODE>|<EVERY> )<HAVE> (?:a )?docstrings?
type_hints (?:<CODE>|<EVERY> )(?:<HAVE>|<MUST>uses?) type (?:hints?|annotations?)
naming <CODE>(?:<HAVE>|follows?|<MUST>uses?) (?P<proper>proper) (?:naming|names?)(?: conventions?)?
naming <CODE><MUST>(?:follows?|uses?) (?:the )?pep ?8 naming(?: conventions?)?
naming (?P<only>(?:all |the )?functions? names?) (?:<IS>|<MUST>follows?|<MUST>uses?) (?:in )?(?:snake[_ ]case|pep ?8)
defines <CODE><MUST>(?:defines?|implements?|contains?|includes?|has|have|provides?|exposes?) (?:an? |the )?
    (?P<kind>function|class) (?P<named>named |called )?<NAME>
defines (?:the |a )?(?P<kind>function|class) (?P<named><IS> (?:named|called)|name <IS>) <NAME>
uses <CODE>(?P<verb><MUST>(?:uses?|imports?)) (?:the |an? )?<WHAT>
uses <CODE>(?P<no><NOT>) (?P<verb>uses?|imports?|calls?)(?: any| the| an?)? <WHAT>
uses (?P<no>no) (?:use of )?(?P<what>eval|exec|recursion|print|lambdas?|eval\(\)|exec\(\)|
    loops)(?: statements?| calls?)?(?: <IS> used)?
no_imports (?:<CODE><NOT> (?:import (?:any )?(?:modules|libraries|packages|anything)|use (?:any )?imports)|no imports)
dependencies <CODE>(?:(?:<HAVE>|<MUST>uses?) )?no <FOREIGN>(?: (?:are|is) (?:used|required|needed|imported))?
dependencies <CODE><NOT> (?:use|uses|import|have|require|need|rely on|depend on) (?:any )?<FOREIGN>
dependencies <CODE><MUST>(?:only )?(?:uses?|imports?|relies on|depends on) (?:only )?(?:from )?
    the (?:python )?standard library(?: only)?
lines <CODE>(?:<IS>|<HAVE>) <BOUND> lines(?: of code)?(?: long| in length)?
line_length (?:all )?lines (?:<IS>|<MUST>have|(?:do|must|should)) <BOUND> characters(?: long)?
parses <CODE><MUST>(?:parses?|compiles?)(?: as python| without (?:any )?(?:syntax )?errors?)?
parses <CODE><IS> (?:syntactically )?valid python(?: code| 3)?(?: syntax)?
parses (?:<CODE>(?:<HAVE>|<IS>) )?(?:no|free of) (?:python )?syntax errors?
unfinished (?:<CODE><HAVE_NOT> |no |there are no )(?P<marks>(?:todo|fixme|tbd)s?(?: or (?:todo|fixme|tbd)s?)?)
    (?: comments?| markers?| notes?| items?)?(?: (?:remain|are left|left|remaining|in the code))?

section <TEXT><HAVE> (?:an? )?section (?:on|about|for|covering) (?:the )?(?:<QUOTED>|(?P<topic>[\w '-]{2,60}))
section <TEXT><HAVE> (?:an? )?section (?:titled|named|called|headed) (?:<QUOTED>|(?P<title>[\w -]{2,60}))
section <TEXT><HAVE> (?:an?|the) (?:<QUOTED>|(?P<topic>[\w-]{2,40}(?: [\w-]{2,40})?)) section
section <TEXT><HAVE> (?:an? )?(?P<part><PART>)(?: section)?
sections <TEXT><HAVE> (?:an? )?(?P<names>[a-z' -]{3,40}(?:,? and |, ).{3,160}) sections
counts <TEXT>(?:<HAVE>|<IS>|does|must|should|shall) <BOUND> <UNIT>(?: long| in length)?
counts (?:(?:answer|respond|reply) (?:with|in) |there (?:are|is|should be|must be) )?<BOUND> <UNIT>(?: long| in length)?
counts <NO><UNIT>
counts <TEXT><IS> (?:a single|one) (?P<unit>word|sentence|paragraph)
language <TEXT>(?:<IS> )?(?:written )?in (?P<language>[a-z]{4,20})
format (?:<TEXT><IS> )?(?:a )?(?:valid )?(?P<format>json(?: object| array)?)
format <TEXT>(?:<IS> )?(?:formatted as|in|formatted in) (?:valid )?(?P<format>json|markdown)(?: format)?
counts <TEXT>(?P<uses><HAVE>|<MUST>uses?) (?P<unit>bullet points?)
ends (?P<end>start|begin|end|finish) (?:your (?:response|answer) )?with (?:this |the )?(?:exact )?
    (?:phrase|words?) <QUOTED>
ends <TEXT><MUST>(?P<end>starts?|begins?|ends?) with (?:the (?:words?|phrase|sentence) )?<QUOTED>
mentions <TEXT><MUST>(?:mentions?|names?|refers? to|cites?) (?P<names>.{2,200})
mentions (?:include|mention|use) (?:the )?(?:keywords?|words?|phrases?) (?P<names><STRINGS>)
    (?: in (?:the|your) \w{4,10})?
mentions (?P<no>do not|don't|never) (?:include|mention|use) (?:the )?(?:keywords?|words?|phrases?) (?P<names>.{3,200})
mentions <TEXT><HAVE> (?:the (?:words?|phrases?|strings?|text) )?(?P<names><STRINGS>)
mentions <TEXT>(?P<no><NOT>) (?:mentions?|names?|refers? to) (?:the (?:words?|phrase|name) )?(?P<names>.{2,200})
mentions <TEXT>(?P<no><HAVE_NOT>) (?:the (?:words?|phrases?|strings?|text) )?<CHOICES>
forbidden <NO>(?P<kind>placeholders?)(?: text| values?| content)?(?: remains?)?
forbidden <NO>(?P<kind>e-?mail addresses|e-?mails|phone numbers|personal data|pii|personally identifiable information)
    (?: (?:are|is) (?:included|present|exposed|disclosed))?

bounded <FIELD> <IS> (?P<sign>positive|negative|non-?negative|zero)(?: numbers?)?
bounded <FIELD> (?:<IS>(?: equal to)?|<MUST>equals?) <BOUND>
filled (?:<FIELD> )?<IS_NOT>(?:empty|blank)
equal (?:<FIELD> )?(?:<MUST>equals?|<IS>(?: equal to)?) (?:either |exactly )?(?:one of )?:? ?<CHOICES>
present (?:the )?(?:required )?(?:fields?|keys?|propert(?:y|ies)) (?P<fields>'?[\w.$'", -]{1,200}?) <THERE>
present (?:the )?(?P<fields>'[\w.$ -]{1,60}') (?:field|key|property) (?:<THERE>|exists)
present <TEXT><HAVE> (?:the |an? )?(?P<fields>'[\w.$ -]{1,60}') (?:field|key|property)
present <TEXT><HAVE> (?:the |an? )?(?:required )?(?:fields?|keys?|properties):? (?P<fields>[\w.$'", -]{1,200})
length <FIELD> <HAVE> <BOUND> (?:items?|elements?|entries|rows)

handles <PROGRAM>(?:gracefully )?<MUST>handles? <CASE><WELL>
handles <CASE> <IS> handled<WELL>
raises <PROGRAM><MUST>(?:raises?|throws?) <ERROR> (?:for|on|when given|given|if given|with) <CASE>
call <CALL>(?: ?==? ?| <MUST>(?:returns?|equals?|gives?|is) )(?P<wanted>.{1,200})
call <CALL> <MUST>(?:raises?|throws?) <ERROR>
growth (?:(?:the )?(?:time )?(?:performance|complexity|running time|runtime)(?: <IS>|:)|
    <CODE>(?:<MUST>(?:runs?|be|works?) in|<IS>|has(?: an?)?(?: time)? complexity(?: of)?)) (?:at most |no worse than )?
    <ORDER>(?: or better| or faster)?(?: time)?(?: complexity)?
growth <CODE>(?:<MUST>(?:runs?|works?) in|has|is) (?P<word>constant|logarithmic|linear|linearithmic|quadratic)
     time(?: complexity)?
tests_pass (?:all |the |all the |all of the )?(?:unit |included |given )?tests <MUST>pass
works (?:the )?(?:code|function|implementation|solution|program) (?:is (?:functional|correct|working)|
    works(?: correctly| as documented)?)
task (?:the )?(?:code|function|implementation|solution|program) (?:correctly )?<MUST>
    (?:implements?|performs?|computes?|calculates?) (?:the |an? )?(?P<task>[a-z]{3,20})
    (?: functionality| algorithm| function)?
"""


def patterns() -> list[tuple[str, str]]:
    """Return the name of what decides and the whole pattern of every form, in order."""
    parts = {**PARTS, "PART": STANDARD_PARTS}
    found: list[tuple[str, str]] = []
    for line in filter(None, TABLE.split("\n")):
        if line.startswith("    "):
            name, pattern = found[-1]
            found[-1] = (name, pattern + line[4:])
        else:
            name, _, pattern = line.partition(" ")
            found.append((name, pattern))
    return [(name, _filled(pattern, parts)) for name, pattern in found]


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    # Parts stand in parts, three deep at most.
    for _ in range(3):
        for name, text in parts.items():
            pattern = pattern.replace(f"<{name}>", text)
    return pattern
