"""Layers are projections: each says no more than the deeper one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from probatum.core.canonical import canonical_bytes
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer, disclose, parse_layer
from probatum.core.errors import UsageError
from tests.core.strategies import verdicts

DEEPER = [Layer.AGENT, Layer.DEVELOPER, Layer.PROOF]


@given(verdicts())
def test_each_layer_is_part_of_the_deeper_one(result: DiagnosticResult):
    shown = [disclose(result, layer) for layer in DEEPER]
    for less, more in pairwise(shown):
        assert less.keys() < more.keys()
        assert all(less[key] == more[key] for key in less)


@given(verdicts())
def test_the_agent_sees_status_and_sentence_only(result: DiagnosticResult):
    assert disclose(result, Layer.AGENT) == {"status": result.status.value, "agent_message": result.agent_message}


@given(verdicts())
def test_the_developer_sees_no_proof(result: DiagnosticResult):
    shown = canonical_bytes(disclose(result, Layer.DEVELOPER)).decode()
    assert "proof_ref" not in shown
    assert result.proof_ref is None or result.proof_ref not in shown


@given(verdicts())
def test_the_deepest_layer_is_the_whole_verdict(result: DiagnosticResult):
    assert disclose(result, Layer.PROOF) == result.to_dict()


@pytest.mark.parametrize("layer", Layer)
def test_a_layer_has_a_name(layer: Layer):
    assert parse_layer(layer.value) is layer


@pytest.mark.parametrize("name", ["", "AGENT", "auditor", "developper"])
def test_an_unknown_layer_is_a_usage_error_that_lists_the_known_ones(name: str):
    with pytest.raises(UsageError, match="agent, developer, proof") as caught:
        parse_layer(name)
    assert caught.value.code == "layer.unknown"
