"""Environments that need nothing of the program: a scratch folder, a known clock, a known random generator.

Code that asks the present time or draws numbers by itself runs in known worlds already (`running.worlds`); these are
for a function that is given its folder, its clock or its generator.
"""

from __future__ import annotations

from typing import Final

from probatum.programs.environments.provider import EnvironmentProvider, GivenFacts, MadeVariant

_FOLDER: Final = """\
import pathlib
import shutil
import tempfile
folder = pathlib.Path(tempfile.gettempdir(), 'scratch')
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
"""
_FILES: Final = """\
(folder / 'a.txt').write_text('first\\nsecond\\n', encoding='utf-8')
(folder / 'b.txt').write_text('', encoding='utf-8')
(folder / 'c').mkdir()
(folder / 'c' / 'd.txt').write_text('third\\n', encoding='utf-8')
"""
_CLOCK: Final = """\
import datetime
moments = (datetime.datetime({}) + datetime.timedelta(seconds=step) for step in range(1_000_000))
return lambda *zone: next(moments)
"""
_STARTS: Final = ("2024, 3, 1, 12, 30", "2023, 12, 31, 23, 59, 59", "2024, 2, 29")
_GENERATORS: Final = 3


def _folders(_around: GivenFacts) -> tuple[MadeVariant, ...]:
    return MadeVariant(f"{_FOLDER}return folder\n"), MadeVariant(f"{_FOLDER}{_FILES}return folder\n")


def _clocks(_around: GivenFacts) -> tuple[MadeVariant, ...]:
    return tuple(MadeVariant(_CLOCK.format(start)) for start in _STARTS)


def _generators(around: GivenFacts) -> tuple[MadeVariant, ...]:
    seeds = range(around.seed, around.seed + _GENERATORS)
    return tuple(MadeVariant(f"import random\nreturn random.Random({each})\n") for each in seeds)


SCRATCH: Final = EnvironmentProvider("scratch", _folders)
CLOCK: Final = EnvironmentProvider("clock", _clocks)
RANDOMNESS: Final = EnvironmentProvider("randomness", _generators)
