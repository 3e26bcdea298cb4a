"""Models by name: only what is configured, with the key of its host alone, and never for tools that agents call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probatum.app.configuration import read_configuration
from probatum.app.desk import ServiceDesk
from probatum.app.kinds import kind_named
from probatum.app.models import advisor_for, model_named
from probatum.app.service import Service
from probatum.app.settings import key_in
from probatum.app.sources import NO_SOURCES
from probatum.core.command import Option
from probatum.core.errors import UsageError
from probatum.core.model_questions import ModelQuestion, asked
from probatum.proof.stores import MemoryStore
from tests.advisors.stub import PATH, REPLY, completion
from tests.local_server import Place

TABLE = '[tool.probatum.models.local]\nurl = "{}/v1"\nmodel = "small"\n'
FAR = '[tool.probatum.models.far]\nurl = "https://models.example"\nmodel = "big"\n'


def written(folder: Path, text: str) -> str:
    (folder / "pyproject.toml").write_text(text)
    return str(folder / "shop.py")


def test_models_stand_beside_the_values(tmp_path: Path) -> None:
    path = written(tmp_path, f'[tool.probatum]\nlevel = "quick"\n{FAR}')
    found = read_configuration(path, (Option("level", "How much.", is_configurable=True),))
    assert (found.values, found.models["far"].model) == ({"level": "quick"}, "big")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[tool.probatum]\nmodels = 3\n", "configuration.invalid"),
        ("[tool.probatum.models]\nfar = 3\n", "models.invalid"),
        ('[tool.probatum.models.far]\nmodel = "m"\n', "models.invalid"),
    ],
)
def test_a_table_of_another_form_is_refused(text: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_configuration(written(tmp_path, text), ())
    assert caught.value.code == code


def test_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        model_named("fra", written(tmp_path, FAR), ())
    assert (caught.value.code, caught.value.hint) == ("models.unknown", "Did you mean 'far'?")


def test_a_server_elsewhere_needs_the_key_of_its_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another")
    model = model_named("far", written(tmp_path, FAR), ())
    with pytest.raises(UsageError) as caught:
        advisor_for(model)
    assert (caught.value.code, "PROBATUM_KEY_MODELS_EXAMPLE" in caught.value.hint) == ("models.no_key", True)
    monkeypatch.setenv("PROBATUM_KEY_MODELS_EXAMPLE", "k")
    assert advisor_for(model).name == "big"


def test_a_key_is_read_without_its_line_end() -> None:
    assert (key_in("K", {"K": " abc\n"}), key_in("K", {})) == ("abc", "")


@pytest.mark.parametrize("is_kept", [True, False])
def test_what_was_asked_before_is_kept_in_the_cache(
    is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(tmp_path / "cache") if is_kept else "/dev/null/nowhere")
    place = Place()
    place.answers[PATH] = completion()
    path = written(tmp_path, TABLE.format(place.origin))
    for _ in range(2):
        advisor = advisor_for(model_named("local", path, ()))
        assert asked(advisor, ModelQuestion("?", {"type": "object"}, lambda reply: reply)) == json.loads(REPLY)
    assert len(place.asked) == (1 if is_kept else 2)
    place.close()


def test_tools_that_agents_call_ask_no_model(tmp_path: Path) -> None:
    path = written(tmp_path, FAR)
    with Service(MemoryStore()) as service:
        desk = ServiceDesk(service, kind_named("program"), NO_SOURCES, (tmp_path,))
        with pytest.raises(UsageError) as caught:
            desk.advisor("far", path)
        assert caught.value.code == "models.not_here"
        free = ServiceDesk(service, kind_named("program"), NO_SOURCES)
        unsent = free.rehearsal("far", path)
    with pytest.raises(LookupError):
        unsent.advise("?", {"type": "object"}, temperature=0.0, seed=0)
    assert [each["url"] for each in unsent.noted] == ["https://models.example/chat/completions"]
