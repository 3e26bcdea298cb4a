"""How often the judge is right about claims, and whether its confidence says so: on public sets, without any model.

Usage: python benchmarks/judge_reliability.py FOLDER [OUT.svg]

FOLDER holds ``fever-symmetric-dev.jsonl``, ``fool-me-twice-dev.jsonl`` and ``bump-task1.jsonl``. A claim is right where
its status fits the label; a summary is supported where all of its claims are. The confidence of a ruling is held
against how often rulings like it are right, in five parts, each held out once.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.core.validation import ClaimStatus, ValidationResult
from probatum.judge import Judge

FOLDS: Final = 5
_LAYERS: Final = ("facts", "hallucination")
_SIDE: Final = 300


@dataclass(frozen=True, slots=True)
class Row:
    """One judged text: its set, what is planted in it, whether it is true, and what the judge says."""

    name: str
    planted: str
    is_true: bool
    result: ValidationResult

    @property
    def statuses(self) -> set[ClaimStatus]:
        """What the sources say of its claims."""
        return {each.status for each in self.result.claims}

    @property
    def is_supported(self) -> bool:
        """Whether all of its claims are supported."""
        return self.statuses == {ClaimStatus.SUPPORTED}

    @property
    def is_contradicted(self) -> bool:
        """Whether one of its claims is contradicted."""
        return ClaimStatus.CONTRADICTED in self.statuses


def rows(folder: Path) -> Iterator[Row]:
    """Yield every row of the three sets, judged."""
    for name in ("fever-symmetric-dev", "fool-me-twice-dev"):
        for each in _lines(folder / f"{name}.jsonl"):
            evidence = each["evidence"]
            texts = [evidence] if isinstance(evidence, str) else [" ".join(evidence)]
            yield Row(
                name, "", each["label"] == "SUPPORTS", Judge().validate(each["claim"], _LAYERS, trusted_sources=texts)
            )
    for each in _lines(folder / "bump-task1.jsonl"):
        for key in ("reference_summary", "edited_summary"):
            planted = each["error_type"] if key == "edited_summary" else ""
            result = Judge().validate(each[key], _LAYERS, trusted_sources=[each["article"]])
            yield Row("bump-task1", planted, not planted, result)


def _lines(path: Path) -> Iterator[Mapping[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def accuracy(found: list[Row]) -> None:
    """Print the figures of one set."""
    true, false = ([each for each in found if each.is_true is truth] for truth in (True, False))
    kept, refused = sum(each.is_supported for each in true), sum(not each.is_supported for each in false)
    balanced = (kept / len(true) + refused / len(false)) / 2
    contradicted = [sum(each.is_contradicted for each in side) for side in (true, false)]
    precision = contradicted[1] / max(1, sum(contradicted))
    print(f"{found[0].name}: balanced accuracy {balanced:.3f} of {len(found)}", end="; ")
    print(f"contradicted is right in {precision:.3f}, given on {contradicted[1] / len(false):.3f} of the false ones")
    kinds = Counter(each.planted for each in false if each.planted)
    for kind, count in sorted(kinds.items()):
        noticed = sum(not each.is_supported for each in false if each.planted == kind)
        print(f"    {kind}: {noticed / count:.2f}")


def reliability(found: list[Row]) -> list[tuple[float, float, int]]:
    """Return stated confidence, how often it was right out of the held-out parts, and the count, for single claims."""
    groups: dict[float, list[bool]] = defaultdict(list)
    for each in found:
        if len(each.result.claims) == 1:
            groups[each.result.confidence].append(each.result.valid is each.is_true)
    told = []
    for confidence, right in sorted(groups.items()):
        parts = [right[fold::FOLDS] for fold in range(FOLDS)]
        shares = [sum(part) / len(part) for part in parts if part]
        share = sum(right) / len(right)
        print(f"{confidence:.2f}  {share:.2f}  ({min(shares):.2f} to {max(shares):.2f})  {len(right):5}")
        told.append((confidence, share, len(right)))
    return told


def plot(points: list[tuple[float, float, int]]) -> str:
    """Return a reliability diagram: stated confidence to the right, how often it was right upwards."""
    dots = [
        f'<circle cx="{40 + _SIDE * stated:.0f}" cy="{20 + _SIDE * (1 - right):.0f}" r="{2 + count**0.5 / 4:.1f}"'
        f' fill="#2563eb" fill-opacity="0.6"><title>{stated:.2f}: {right:.2f} of {count}</title></circle>'
        for stated, right, count in points
    ]
    middle = 20 + _SIDE // 2
    frame = (
        f'<path d="M40 20V{20 + _SIDE}H{40 + _SIDE}M40 {20 + _SIDE}L{40 + _SIDE} 20" fill="none" stroke="#888"/>'
        f'<text x="{40 + _SIDE // 2}" y="{50 + _SIDE}" text-anchor="middle">stated confidence</text>'
        f'<text x="14" y="{middle}" transform="rotate(-90 14 {middle})" text-anchor="middle">right</text>'
    )
    ticks = [
        f'<text x="{40 + _SIDE * each / 4:.0f}" y="{34 + _SIDE}" text-anchor="middle">{each / 4:g}</text>'
        f'<text x="36" y="{24 + _SIDE * (1 - each / 4):.0f}" text-anchor="end">{each / 4:g}</text>'
        for each in range(5)
    ]
    size = f'viewBox="0 0 {60 + _SIDE} {60 + _SIDE}" font-family="sans-serif" font-size="11" fill="#333"'
    background = '<rect width="100%" height="100%" fill="#fff"/>'
    drawn = "\n".join([background, frame, *ticks, *dots])
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{drawn}\n</svg>\n'


def main(folder: str, out: str = "") -> None:
    """Print the figures of all sets and, for claims, the table of reliability; write the plot."""
    found = list(rows(Path(folder)))
    for name in dict.fromkeys(each.name for each in found):
        accuracy([each for each in found if each.name == name])
    print("\nconfidence, how often right (least to most of five parts), rows")
    points = reliability(found)
    if out:
        Path(out).write_text(plot(points), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
