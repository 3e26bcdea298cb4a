"""The command ``read``: what the documentation of a program says, and the readings of it that there are.

It gives no verdict. Refuses two things at once, a person's verdict without a name, and a folder.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, replace

from probatum.core.command import DRY_RUN, Command, Form, Given, Option
from probatum.core.errors import UsageError
from probatum.verification.desk import Told, ToolDesk

EVERY = "all"
READINGS = Option("readings", "The readings file, where it is not the one beside the code.", metavar="FILE")
CONTRACT = Option("contract", "Further requirements on the program, written as a docstring.", metavar="TEXT|@FILE")
COMMAND = Command(
    position=15,
    name="read",
    question="What does the documentation say, and who has read it as code?",
    help="""List the statements of a program's documentation with their readings, and add or accept readings.

    A reading is one statement as a small Python expression. A model, an agent or a person writes it from --ask, which
    shows documentation and signatures and nothing of the code; --with asks models that are configured. What is added
    is a proposal; once somebody accepts it, 'verify' holds the program to it. Readings are kept beside the code: those
    of shop.py in shop.readings.toml.""",
    subject="PATH[::NAME]",
    subject_help="A Python file, or one name in it; with --ask and --with also folders and several of them.",
    options=(
        Option("ask", "Print, as JSON, a card for each function with sentences that nobody has read.", Form.FLAG),
        Option("changed", "Only functions that changed since the last commit.", Form.FLAG),
        Option("after", "Go on behind this card, where an answer did not hold all of them.", metavar="PATH::NAME"),
        Option(
            "answer",
            "Add what a reader answers to cards, try it, and verify: JSON, an object from cards to answers.",
            metavar="FILE|-",
        ),
        Option("add", "Add what a reader answered: JSON, one record a line or a list.", metavar="FILE|-"),
        Option(
            "with",
            "Ask these models of [tool.probatum.models], or a recorded reader, and add what they answer.",
            metavar="MODEL,…|replay:FILE",
        ),
        DRY_RUN,
        Option("task", "Of a recorded reader, the records with this id alone.", metavar="ID"),
        Option("reader", "Who read, where the answer does not say it.", metavar="NAME"),
        Option("accept", "Accept readings: they are contract from now on.", Form.TEXTS, metavar="[ID,…]", bare=EVERY),
        Option("reject", "Reject readings: they are kept, so that nobody adds them again.", Form.TEXTS, metavar="ID,…"),
        Option(
            "all",
            "Accept every proposal but those that may say less than their words; of --ask and --answer, print all.",
            Form.FLAG,
        ),
        Option("by", "The person who accepts or rejects.", metavar="NAME"),
        Option("sign", "Sign the acceptance with this key of yours, see 'probatum key'.", metavar="KEYNAME"),
        READINGS,
        CONTRACT,
        Option("python", "Load the program with this Python and the packages installed for it.", metavar="INTERPRETER"),
        Option("unsafe-no-isolation", "Load it WITHOUT a sandbox: it can do all that you can do.", Form.FLAG),
    ),
)
_ACTIONS = ("ask", "answer", "add", "with", "accept", "reject")
_BELONGS = {
    **dict.fromkeys(("task", "dry-run"), ("with",)),
    "reader": ("add", "with", "answer"),
    "all": ("accept", "ask", "answer"),
    **dict.fromkeys(("changed", "after"), ("ask",)),
    "sign": ("accept",),
    "by": ("accept", "reject"),
}
_OF_REPLAYS = ("task", "reader")


@dataclass(frozen=True, slots=True)
class ReadTool:
    """The command ``read``; ``today`` tells the date that an acceptance bears."""

    today: Callable[[], datetime.date] = datetime.date.today

    @property
    def command(self) -> Command:
        """What it is called and takes."""
        return COMMAND

    def act(self, given: Given, desk: ToolDesk) -> Told:
        """Do what was asked for; raises UsageError and NotAttemptedError, see `Tool`."""
        from probatum.kinds.program import loop_command, model_reading, reading_desk

        asks_models = not (given.text("with") or reading_desk.REPLAY).startswith(reading_desk.REPLAY)
        if given.others and "ask" not in given.options and not asks_models:
            raise UsageError("read.one_file", "One file is read at a time.", f"Run it again for {given.others[0]}.")
        wanted = [name for name in _ACTIONS if name in given.options]
        if EVERY in (chosen := given.texts("accept")):
            rest = tuple(each for each in chosen if each != EVERY)
            given = replace(given, options={**given.options, "accept": rest, "all": True})
        wanted += ["accept"] if given.flag("all") and not wanted else []
        if len(wanted) > 1:
            raise UsageError("read.one_thing", f"--{wanted[0]} and --{wanted[1]} cannot go together.", "Run one first.")
        action = wanted[0] if wanted else ""
        for name, owners in _BELONGS.items():
            if name in given.options and action not in owners:
                sentence = f"--{name} belongs to --{' or --'.join(owners)}."
                raise UsageError("read.alone", sentence, "See 'probatum read --help'.")
        if action in {"ask", "answer"}:
            return loop_command.acted(action, given, desk)
        for name in _OF_REPLAYS if asks_models else ("dry-run",):
            if name in given.options:
                owner = "replay:FILE" if asks_models else "MODEL"
                raise UsageError("read.alone", f"--{name} belongs to --with {owner}.", "See 'probatum read --help'.")
        if asks_models:
            return model_reading.read_with_models(given, desk)
        if not given.subject:
            raise UsageError("read.no_path", "No file is named.", "Example: probatum read shop/cart.py")
        program = reading_desk.opened(given, desk)
        return reading_desk.ACTIONS[action](program, given, desk.sources, self.today)
