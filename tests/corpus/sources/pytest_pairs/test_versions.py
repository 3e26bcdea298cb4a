import pytest
from artifact import next_version


def test_patch():
    assert next_version("1.2.3", "patch") == "1.2.4"
    assert next_version("0.0.9", "patch") == "0.0.10"


def test_minor_starts_patches_again():
    assert next_version("1.2.3", "minor") == "1.3.0"


def test_major_starts_everything_again():
    assert next_version("1.2.3", "major") == "2.0.0"


def test_unknown_change():
    with pytest.raises(ValueError):
        next_version("1.2.3", "tiny")


def test_not_a_version():
    with pytest.raises(ValueError):
        next_version("1.2", "patch")
