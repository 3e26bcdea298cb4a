"""The words of controlled English: sentences cut from a text, tokens, and the base forms of nouns and verbs.

Nothing here knows what a word means. A plural or a verb form has one base: the one that the text itself also uses,
else the one that spelling suggests. Refuses a form for which the text uses two bases. What has a grammatical office
is a closed class: no such word ever fills the place of a noun, an adjective or a verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


PREPOSITIONS: Final = _words(
    "in on at of to from with by for under over near behind beside above below inside outside into onto about "
    "against between through during before after since until within around across along toward towards than as"
)
DETERMINERS: Final = _words("the a an every each all any no some")
PRONOUNS: Final = _words("it they he she him her them")
PEOPLE: Final = _words("thing person people things individual individuals entity entities")
"""Nouns that say nothing about what they name."""
ANYTHING: Final = _words("something someone somebody anything anyone anybody")
EVERYTHING: Final = _words("everything everyone everybody")
NOTHING: Final = _words("nothing nobody no-one")
NO_AGENTS: Final = _words(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday christmas easter halloween thanksgiving ramadan passover diwali hanukkah noon "
    "midnight eve new year spring summer autumn winter q1 q2 q3 q4 lake river mount bay cape sea street road avenue "
    "park falls beach bridge harbour harbor loch pond creek canal coast square"
)
"""Words of names that, after a passive and 'by', tell when or where and not who."""
_OFFICES: Final = _words(
    "whoever whatever "
    "i you we me us my your our his its their this that these those who whom whose which what when where why how "
    "and or but nor if then else unless although because while whenever so yet only even just also too still "
    "again not never is are was were be been being am do does did have had having will would shall should can "
    "could may might must ought need't there here many much few several most more less least fewer half both "
    "either neither other others another such same own one two three four five six seven eight nine ten dozen "
    "hundred thousand million perhaps maybe often seldom sometimes always ever almost quite rather very except "
    "without fake former false alleged supposed pretend would-be so-called unknown true untrue case fact said "
    "says say claims claimed believes believed thinks thought otherwise"
)
CLOSED: Final = frozenset().union(PREPOSITIONS, DETERMINERS, PRONOUNS, ANYTHING, EVERYTHING, NOTHING, _OFFICES)
_LY_BUT_NO_ADVERB: Final = _words(
    "family fly early ugly lovely friendly silly holy lonely lively deadly elderly jelly belly bully lily "
    "assembly butterfly curly hilly woolly jolly oily chilly costly cowardly bubbly prickly smelly wooly scaly "
    "daily rely apply reply supply"
)
_PLURALS: Final = _pairs(
    "men:man women:woman children:child mice:mouse geese:goose feet:foot teeth:tooth oxen:ox sheep:sheep "
    "fish:fish deer:deer people:person cacti:cactus fungi:fungus lice:louse dice:die species:species "
    "series:series wolves:wolf calves:calf leaves:leaf knives:knife lives:life wives:wife thieves:thief "
    "halves:half shelves:shelf"
)
_VERBS: Final = {"has": "have", "goes": "go", "does": "do"}
_PASTS: Final = _pairs(
    "ate:eat saw:see won:win wrote:write built:build bought:buy sold:sell led:lead met:meet made:make went:go "
    "ran:run taught:teach gave:give took:take left:leave held:hold became:become began:begin knew:know grew:grow "
    "drew:draw flew:fly spoke:speak broke:break chose:choose drove:drive rode:ride sang:sing swam:swim "
    "threw:throw wore:wear fought:fight caught:catch brought:bring found:find lost:lose paid:pay sent:send "
    "spent:spend kept:keep felt:feel told:tell heard:hear sat:sit stood:stand slept:sleep fed:feed hid:hide "
    "bit:bite fell:fall came:come used:use died:die tied:tie lied:lie owed:owe aged:age got:get drank:drink "
    "forgot:forget shot:shoot stole:steal shook:shake froze:freeze lent:lend fled:flee understood:understand "
    "withdrew:withdraw written:write taken:take given:give known:know drawn:draw flown:fly spoken:speak "
    "broken:break chosen:choose driven:drive ridden:ride sung:sing thrown:throw worn:wear eaten:eat seen:see "
    "stolen:steal beaten:beat bitten:bite hidden:hide forgotten:forget"
)
COLOURS: Final = _words("red green blue white black yellow brown gray grey orange purple pink")
COLOURED: Final = _words(
    "cat dog cow horse mouse rabbit lion tiger bear squirrel wolf car ball bike shirt dress chair table door"
)
"""Nouns by which a 'COLOUR NOUN' is both; a black widow need not be a widow, or black."""
OF_SEVERAL: Final = _words(
    "extinct endangered rare common uncommon widespread numerous ubiquitous scarce equal identical similar alike "
    "different distinct unrelated adjacent parallel perpendicular compatible incompatible together apart weigh "
    "outnumber gather surround assemble collide form constitute comprise total swarm disperse merge"
)
"""What is said of several things, or of a kind, and not of each of them."""
LOOKS: Final = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445"
    "\u0455\u0456\u0458\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03b9",
    "ABESIJKMHOPCTYXaeopcyxsijABEZHIKMNOPTYXovi",
)
"""Letters of other scripts that look like Latin ones."""
_DOUBLES: Final = re.compile("[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]")
"""A stem that doubles its last letter before -ed."""
_NO_PLURAL: Final = ("ss", "us", "is", "ous")
CONTRACTED: Final = re.compile(r"\b(is|are|was|were|does|do|did)n['’]t\b", re.IGNORECASE)
_BOTH: Final = re.compile(r"\b(is|are|was|were) both (?=(?:\S+ ){1,4}and )", re.IGNORECASE)
_NEITHER: Final = re.compile(r"\b(is|are|was|were) neither ((?:\S+ ){1,4}?)nor ", re.IGNORECASE)
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[$€£]?[0-9]+(?:[.,][0-9]+)*%?|\S")
_IS_PERSON: Final = re.compile(rf"\b(?:is|are|was|were)(?: not| never)?(?: an?)? (?:{'|'.join(sorted(PEOPLE))})\b")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Inc|Corp|Ltd|Co|Jr|Sr|vs|etc|No|e\.g|i\.e|approx)|\b[A-Z]|\.[A-Za-z])$"
)
_END: Final = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)|\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text with single spaces, where it stands there, and the sign that ends it."""

    text: str
    start: int
    end: int
    end_sign: str


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text; its lines where no line has a full stop."""
    ends = _END.finditer(text)
    if "\n" in text and not re.search(r"[.!?](?:\s|$)", text):
        ends = re.finditer(r"\n", text)
    found: list[Sentence] = []
    start = 0
    for match in ends:
        if match.group().startswith(".") and _ABBREVIATION.search(text, max(start, match.start() - 12), match.start()):
            continue
        found.append(_sentence(text, start, match.start(), match.group().strip()))
        start = match.end()
    found.append(_sentence(text, start, len(text), ""))
    return tuple(each for each in found if each.text or each.end_sign)


def _sentence(text: str, start: int, end: int, sign: str) -> Sentence:
    inside = text[start:end]
    return Sentence(" ".join(inside.split()), start + len(inside) - len(inside.lstrip()), end, sign)


def tokens_of_sentence(text: str) -> tuple[str, ...]:
    """Return words, numbers and signs as written; contractions with 'not', 'both' and 'neither' are written out."""
    plain = _BOTH.sub(r"\1 ", CONTRACTED.sub(r"\1 not", text))
    return tuple(_TOKEN.findall(_NEITHER.sub(r"\1 not \2 and not ", plain)))


def is_content(word: str) -> bool:
    """True where a word in lower case can be a noun, an adjective or a verb."""
    if not word.replace("-", "a").isalpha() or word in CLOSED:
        return False
    return not (word.endswith("ly") and len(word) > 4 and word not in _LY_BUT_NO_ADVERB)


class AmbiguousWordError(ValueError):
    """A form of a word has two bases in the text."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a text and what it is said about, which settle the base forms."""

    words: frozenset[str]
    counts_people: bool = False
    """Whether something is said to be, or not to be, a person or a thing, so that not everything is one."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Lexicon:
        """Return the lexicon of some sentences."""
        found = [(text, [word.lower() for word in tokens_of_sentence(text)]) for text in texts]
        counts = any(_IS_PERSON.search(text) for text, _ in found)
        return cls(frozenset(word for _, words in found for word in words), counts)

    def singular(self, word: str) -> str:
        """Return the singular of a plural noun; empty where the word is none."""
        if word in _PLURALS:
            return _PLURALS[word]
        if not word.endswith("s") or word.endswith(_NO_PLURAL) or len(word) < 4:
            return ""
        return self._attested(word, _bases(word))

    def base(self, word: str) -> str:
        """Return the base of a verb with -s; empty where the word is none."""
        if word in _VERBS:
            return _VERBS[word]
        if not word.endswith("s") or word.endswith("ss") or len(word) < 3:
            return ""
        return self._attested(word, _bases(word))

    def past_base(self, word: str) -> str:
        """Return the base of a past form; empty where the word is none."""
        if word in _PASTS:
            return _PASTS[word]
        if not word.endswith("ed") or word.endswith("eed") or len(word) < 5:
            return ""
        stem = word[:-2]
        # 'Planed' comes from 'plane' alone: of 'plan' it would be 'planned'.
        forms = [word[:-1]] if _DOUBLES.fullmatch(stem) else [stem, word[:-1]]
        if stem[-1] == stem[-2]:
            forms.append(stem[:-1])
        if stem.endswith("i"):
            forms.append(f"{stem[:-1]}y")
        return self._attested(word, forms)

    def _attested(self, word: str, forms: list[str]) -> str:
        used = [form for form in forms if form in self.words and form not in CLOSED]
        if len(used) > 1:
            raise AmbiguousWordError(f"{word!r} can be a form of {used[0]!r} or of {used[1]!r}")
        return (used or forms)[0]


def _bases(word: str) -> list[str]:
    """Return what a form with -s may come from, the likeliest first."""
    if word.endswith("ies"):
        return [f"{word[:-3]}y", word[:-1]]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "uses", "oes")):
        return [word[:-2], word[:-1]]
    # 'Cubes' are no cubs: an e comes before the s after a hiss alone.
    return [word[:-1], word[:-2]] if word.endswith(("ses", "zes")) else [word[:-1]]
