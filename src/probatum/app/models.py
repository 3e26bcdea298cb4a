"""Models by the names that ``[tool.probatum.models]`` gives them: the one place where asking anything of one begins.

Nothing is sent unless a model is configured and somebody names it in a command. Refuses a name that is not configured,
with the nearest one, and a server elsewhere without a key.
"""

from __future__ import annotations

from probatum.advisors.configured import ConfiguredModel
from probatum.app.configuration import MODELS, read_configuration
from probatum.app.settings import key_in, read_settings
from probatum.core.command import Option
from probatum.core.errors import UsageError, nearest
from probatum.core.ports import MeteredAdvisor


def model_named(name: str, path: str, options: tuple[Option, ...]) -> ConfiguredModel:
    """Return the model that is configured under a name for a path; raises UsageError where none is."""
    found = read_configuration(path, options)
    if name in found.models:
        return found.models[name]
    where = f"[tool.probatum.{MODELS}.{name}] in pyproject.toml"
    hint = nearest(name, found.models) or f"Describe it in {where}."
    raise UsageError("models.unknown", f"No model {name!r} is configured.", hint)


def advisor_for(model: ConfiguredModel) -> MeteredAdvisor:
    """Return who asks a model; raises UsageError where it has no key or httpx is missing."""
    # Deferred: only who asks a model needs what speaks to one.
    from probatum.advisors.openai_api import OpenAiModel
    from probatum.advisors.recorded import Remembering, identity_of
    from probatum.app.cache import Cache

    key = key_in(model.key_variable)
    if not key and not model.is_local:
        said = f"The model {model.name!r} has no key in the environment."
        raise UsageError("models.no_key", said, f"Set {model.key_variable}.")
    asking, folder = OpenAiModel(model, key), read_settings().cache_path()
    return asking if folder is None else Remembering(asking, identity_of(model), lambda: Cache(folder))
