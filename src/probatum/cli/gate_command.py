"""`probatum gate`: may this verdict about this file be acted on?

Refuses to end with 0 unless every numbered step holds.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from probatum.app.proofs import user_store
from probatum.cli.options import CheckpointOption, JsonOption, StoreOption, TrustOption, option, path_of, path_option
from probatum.cli.output import tell
from probatum.cli.progress import shown_progress
from probatum.core.command import Given
from probatum.core.events import Event
from probatum.core.sheet import Mark, Page

SubjectOption = Annotated[
    Path, path_option("--subject", "FILE|DIR", "What is about to be acted on: a file, or a repository.")
]
VerdictArgument = Annotated[
    Path,
    typer.Argument(
        metavar="VERDICT",
        help="What 'verify --json' printed, or a bundle of 'proof export'.",
        show_default=False,
        parser=path_of,
    ),
]
RequireOption = Annotated[
    str, typer.Option("--require", metavar="tested|proved", help="The least assurance that is admitted.")
]
AgeOption = Annotated[
    str | None,
    option("--max-age", "AGE", "How long ago it was signed at most, as in 90s, 15m, 24h or 7d; needs --trust."),
]
RecordedOption = Annotated[
    bool,
    typer.Option("--recorded", help="A ledger must have the verdict: the bundle carries its entry; needs --trust."),
]
LogOption = Annotated[
    Path | None, path_option("--ledger", "FILE", "This ledger must have the verdict; it is looked up there.")
]
TrustLogOption = Annotated[
    list[Path] | None,
    path_option(
        "--trust-log", "FILE", "A public key that must have signed the heads of the ledger; default: those of --trust."
    ),
]
LogNameOption = Annotated[
    str | None,
    typer.Option(
        "--origin", metavar="NAME", help="What the ledger must be called in its heads.", show_default="any name"
    ),
]
RecheckOption = Annotated[
    bool, typer.Option("--recheck", help="Also derive the decision again from the recorded observations.")
]
ReplayOption = Annotated[bool, typer.Option("--replay", help="Also verify it again and compare; implies --recheck.")]


def gate(
    verdict: VerdictArgument,
    subject: SubjectOption,
    *,
    require: RequireOption = "tested",
    given: Given,
    trust: TrustOption = None,
    max_age: AgeOption = None,
    recorded: RecordedOption = False,
    ledger: LogOption = None,
    checkpoint: CheckpointOption = None,
    trust_log: TrustLogOption = None,
    origin: LogNameOption = None,
    recheck: RecheckOption = False,
    replay: ReplayOption = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Decide whether a verdict may be acted on: the proof is kept, gives this very verdict, and is about this file.

    Exit codes: 0 admitted, 1 refused: a step does not hold, 2 wrong usage, 3 a file is too large, 4 one cannot be
    read. Only 0 lets anything pass.
    """
    # Deferred, so that help need not load what verifies programs.
    from probatum.app.gating import GateWishes, ask_gate, subject_at
    from probatum.app.kinds import every_kind
    from probatum.app.received import read_verdict
    from probatum.app.sources import Sources

    commands = [kind.command for kind in every_kind()]
    demands = given.only(option for each in commands for option in each.demands)
    needed = given.only(option for each in commands for option in each.replay)
    wishes = GateWishes(
        require=require,
        demands=demands,
        trust=trust or (),
        max_age=max_age,
        recorded=recorded,
        ledger=ledger,
        checkpoints=checkpoint or (),
        trust_log=trust_log or (),
        origin=origin,
        recheck=recheck,
        replay=replay,
    )
    sources = Sources(sys.stdin.buffer)
    received = read_verdict(verdict, sources, str(subject))
    kept = user_store(store, read_only=True)
    content = subject_at(received, subject, kept, sources)
    with shown_progress(str(subject)) as progress:
        progress(Event("gate", "checking"))
        checked = ask_gate(received, content, wishes, kept, needed, sources)
    told = received.verdict
    verdict_told = {"constraint_id": told and told.constraint_id, "agent_message": told and told.agent_message}
    document = {**checked.document, "admitted": checked.holds, **verdict_told}
    word, mark = ("ADMITTED", Mark.HOLDS) if checked.holds else ("REFUSED", Mark.FAILS)
    unsigned = () if trust else ("No signature was asked for: this says nothing about who made the proof.",)
    said = (told.agent_message, *unsigned) if checked.holds and told else ()
    tell(document, Page(word, mark, str(subject), (checked.sentence, *said), (checked.steps,)), as_json=json)
    return 0 if checked.holds else 1
