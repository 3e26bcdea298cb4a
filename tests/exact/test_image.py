"""Statements about image files."""

from __future__ import annotations

import base64
import io
import random
import struct
import zlib
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.exact.claims import (
    ANSWERS,
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

Image = pytest.importorskip("PIL.Image")
Pixel = tuple[int, int, int]


def png_of(rows: list[list[Pixel]]) -> bytes:
    """Return a PNG file, written here."""
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    raw = b"".join(b"\0" + b"".join(map(bytes, row)) for row in rows)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def text_of(data: bytes) -> str:
    """Return bytes as they are given."""
    return base64.b64encode(data).decode()


def saved(image: object, form: str, **options: object) -> bytes:
    """Return an image as a file."""
    file = io.BytesIO()
    image.save(file, form, **options)  # type: ignore[attr-defined]  # an image
    return file.getvalue()


def _picture() -> bytes:
    rows = [[(255, 0, 0)] * 64 for _ in range(32)]
    rows[4][3] = (0, 255, 0)
    return png_of(rows)


PICTURE = _picture()
TRUE = [
    "width == 64",
    "width == 64 and height == 32",
    "width == 128/2",
    "64 == width",
    "30 < height <= 32",
    "width > height",
    "width != height",
    "not width == 32",
    "format == 'PNG'",
    "format != 'JPEG'",
    "format == 'GIF' or format == 'PNG'",
    "not (format == 'GIF' or format == 'JPEG')",
    "mode == 'RGB'",
    "mode != 'CMYK'",
    "pixel(3, 4) == '#00ff00'",
    "pixel(3, 4) == '#00ff00ff'",
    "pixel(3, 4) != '#ff0000'",
    "count('#00ff00') == 1",
    "count('#ff0000') == 2047",
    "count('#0000ff') == 0",
    "share('#ff0000') > 0.99",
    "share('#ff0000') == 2047/2048",
    "share('#ff0000') < 1 and format == 'PNG' and width == 64",
]
FALSE = [
    "width == 32 and height == 64",
    "not width == 64",
    "format == 'JPEG'",
    "format != 'PNG'",
    "width > 64",
    "height == 64",
    "mode == 'L'",
    "pixel(3, 4) == '#ff0000'",
    "pixel(3, 4) == '#00ff0080'",
    "pixel(0, 0) != '#ff0000'",
    "share('#ff0000') == 1",
    "share('#ff0000') == 0.9995",
    "count('#00ff00') >= 2",
    "format == 'PNG' and pixel(0, 0) == '#0000ff'",
]
OPEN = ["pixel(64, 0) == '#ff0000'", "pixel(0, 32) != '#ff0000'", "pixel(64, 0) == '#ff0000' and width == 64"]
UNREAD = [
    "is a 64x32 PNG",
    "contains a cat",
    "contains('cat')",
    "width",
    "width == 'wide'",
    "width == height == 'PNG'",
    "format == 'png'",
    "format == 'JPG'",
    "format < 'PNG'",
    "format == mode",
    "mode == 'rgb'",
    "pixel(3, 4) == 'red'",
    "pixel(3, 4) == '#FF0000'",
    "pixel(3, 4) == '#f00'",
    "pixel(3) == '#ff0000'",
    "pixel(3.5, 4) == '#ff0000'",
    "pixel(-1, 4) == '#ff0000'",
    "count('red') == 1",
    "count('#ff000080') == 1",
    "64 == 64",
    "width == 64 or 1 == 1",
    "frames == 1",
    "６４ == width and 1",
    "",
]


@pytest.mark.parametrize("statement", TRUE)
def test_true_statements_are_proved(statement: str) -> None:
    assert ruled("image", statement, image=text_of(PICTURE)).outcome is PROVED


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_are_refuted(statement: str) -> None:
    assert ruled("image", statement, image=text_of(PICTURE)).outcome is REFUTED


@pytest.mark.parametrize("statement", OPEN)
def test_what_the_image_does_not_settle_is_undecided(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE)) == (UNDECIDED, "image.beyond")


@pytest.mark.parametrize("statement", UNREAD)
def test_what_is_not_measured_is_blocked(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE)) == (BLOCKED, "image.syntax")


@pytest.mark.parametrize(
    "statement", ["width == 64", "format == 'PNG' and count('#00ff00') == 1", "pixel(3, 4) == '#00ff00'"]
)
def test_every_digit_of_a_certificate_counts(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE)) == (PROVED, "image.holds")
    require_every_digit_counts(claim_of("image", statement, image=text_of(PICTURE)))


def test_a_certificate_is_bound_to_its_image_and_statement() -> None:
    from probatum.core.frozen import thaw
    from probatum.exact import check

    evidence = thaw(ruled("image", "width == 64", image=text_of(PICTURE)).evidence)
    other = text_of(png_of([[(255, 0, 0)] * 64]))
    for claim in (
        claim_of("image", "width == 64", image=other),
        claim_of("image", "width == 63", image=text_of(PICTURE)),
        claim_of("image", "height == 32", image=text_of(PICTURE)),
    ):
        with pytest.raises(ValueError):
            check(claim, evidence)


def _bomb() -> bytes:
    parts = ((b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)), (b"IDAT", b""), (b"IEND", b""))
    return PICTURE[:8] + b"".join(chunk(*part) for part in parts)


NOT_JUDGED = {
    "empty": (b"", "image.empty"),
    "no image": (b"hello, world", "image.format"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg' width='64' height='32'/>", "image.format"),
    "signature": (PICTURE[:8], "image.format"),
    "header": (PICTURE[:33], "image.format"),
    "cut": (PICTURE[:-20], "image.damaged"),
    "end is missing": (PICTURE[:-12], "image.damaged"),
    "checksum": (PICTURE[:50] + bytes([PICTURE[50] ^ 1]) + PICTURE[51:], "image.damaged"),
    "no pixels": (PICTURE[:33] + chunk(b"IEND", b""), "image.damaged"),
    "few pixels": (
        PICTURE[:33] + chunk(b"IDAT", zlib.compress(b"\0" * 50)) + chunk(b"IEND", b""),
        "image.damaged",
    ),
}


@pytest.mark.parametrize("name", NOT_JUDGED)
@pytest.mark.parametrize("statement", ["width == 64", "format == 'PNG'", "pixel(3, 4) == '#00ff00'"])
def test_what_is_no_whole_image_is_blocked(name: str, statement: str) -> None:
    data, code = NOT_JUDGED[name]
    assert outcome_of("image", statement, image=text_of(data)) == (BLOCKED, code)


def test_a_bomb_is_not_decoded() -> None:
    assert outcome_of("image", "format == 'PNG'", image=text_of(_bomb())) == (UNDECIDED, "engine.too_large")
    tiff = bytearray(saved(Image.new("RGB", (9, 7)), "TIFF"))
    place = tiff.index(struct.pack("<HHII", 256, 4, 1, 9))
    tiff[place + 8 : place + 12] = struct.pack("<I", 2_000_000_000)
    assert outcome_of("image", "format == 'TIFF'", image=text_of(bytes(tiff)))[0] in (UNDECIDED, BLOCKED)


@pytest.mark.parametrize("image", ["not base64!", "iVBORw0KGgo", "ï"])
def test_what_is_not_base64_is_blocked(image: str) -> None:
    assert outcome_of("image", "format == 'PNG'", image=image) == (BLOCKED, "image.encoding")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"])
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_cut_file_is_blocked_in_every_format(form: str, cut: float) -> None:
    noise = random.Random(form).randbytes(40 * 30 * 3)
    data = saved(Image.frombytes("RGB", (40, 30), noise), form)
    assert outcome_of("image", f"format == '{form}'", image=text_of(data)) == (PROVED, "image.holds")
    assert outcome_of("image", f"format == '{form}'", image=text_of(data[: int(len(data) * cut)]))[0] is BLOCKED


LOSSLESS = [
    (form, mode)
    for form, modes in {
        "PNG": ("1", "L", "P", "RGB", "RGBA", "LA"),
        "GIF": ("L", "P"),
        "BMP": ("1", "L", "P", "RGB"),
        "WEBP": ("RGB", "RGBA"),
        "TIFF": ("1", "L", "P", "RGB", "RGBA"),
    }.items()
    for mode in modes
]


@pytest.mark.parametrize(("form", "mode"), LOSSLESS)
def test_what_is_measured_is_what_was_drawn(form: str, mode: str) -> None:
    source = random.Random(f"{form} {mode}")
    width, height = source.randint(1, 30), source.randint(1, 30)
    drawn = [source.choice([(0, 0, 0), (255, 255, 255), (255, 0, 0)]) for _ in range(width * height)]
    image = Image.new("RGB", (width, height))
    image.putdata(drawn)
    image = image.convert(mode)
    drawn = list(image.convert("RGB").get_flattened_data())
    data = text_of(saved(image, form, **({"lossless": True} if form == "WEBP" else {})))
    white = drawn.count((255, 255, 255))
    place = source.randrange(len(drawn))
    true = [
        f"width == {width} and height == {height} and format == '{form}'",
        f"count('#ffffff') == {white}",
        f"pixel({place % width}, {place // width}) == '#{bytes(drawn[place]).hex()}'",
        f"share('#ffffff') == {white}/{len(drawn)}",
    ]
    for statement in true:
        assert ruled("image", statement, image=data).outcome is PROVED, statement
    for statement in (f"width == {width + 1}", f"count('#ffffff') == {white + 1}"):
        assert ruled("image", statement, image=data).outcome is REFUTED, statement


@given(st.lists(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=3, max_size=3), min_size=1, max_size=4))
def test_shares_are_exact(rows: list[list[Pixel]]) -> None:
    data, pixels = text_of(png_of(rows)), [pixel for row in rows for pixel in row]
    share = Fraction(sum(p == pixels[0] for p in pixels), len(pixels))
    colour = bytes(pixels[0]).hex()
    said = f"{share.numerator}/{share.denominator}"
    assert ruled("image", f"share('#{colour}') == {said}", image=data).outcome is PROVED
    assert ruled("image", f"share('#{colour}') > {said}", image=data).outcome is REFUTED


def test_half_transparent_pixels_have_a_colour_of_eight_digits() -> None:
    data = text_of(saved(Image.new("RGBA", (2, 2), (255, 0, 0, 128)), "PNG"))
    assert outcome_of("image", "pixel(0, 0) == '#ff0000'", image=data)[0] is REFUTED
    assert outcome_of("image", "pixel(0, 0) == '#ff000080'", image=data)[0] is PROVED
    assert outcome_of("image", "share('#ff0000') == 1", image=data)[0] is UNDECIDED


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
def test_colours_of_several_frames_are_not_measured(form: str) -> None:
    frames = [Image.new("RGB", (8, 8), (40 * at, 0, 0)) for at in range(4)]
    data = text_of(saved(frames[0], form, save_all=True, append_images=frames[1:]))
    assert outcome_of("image", f"format == '{form}'", image=data)[0] is PROVED
    assert outcome_of("image", "pixel(0, 0) == '#000000'", image=data)[0] is UNDECIDED


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_the_sides_of_an_image_that_metadata_turn_are_left_open(form: str) -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[274] = 6
    turned = text_of(saved(Image.new("RGB", (64, 32), "red"), form, exif=exif))
    for statement in ("width == 64", "width == 32", "width > height", "width < 50", "pixel(40, 0) == '#ff0000'"):
        assert outcome_of("image", statement, image=turned) == (UNDECIDED, "image.beyond")
    assert outcome_of("image", f"format == '{form}'", image=turned)[0] is PROVED


@given(
    st.binary(max_size=200), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"BM", b"\xff\xd8\xff", b"RIFF"])
)
@example(bytes(7) + b"," + bytes(5) + b"\x0b\x00\xf9", b"GIF89a")
def test_no_bytes_are_more_than_blocked(data: bytes, magic: bytes) -> None:
    """A header may also promise more pixels than are looked at."""
    outcome, reason = outcome_of("image", "width == 1", image=text_of(magic + data))
    assert outcome in (BLOCKED, REFUTED, PROVED) or reason == "engine.too_large"


@given(st.data())
def test_no_change_of_a_file_crashes(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"]))
    file = bytearray(saved(Image.new("RGB", (9, 7), (1, 2, 3)), form))
    for place in data.draw(st.lists(st.integers(0, len(file) - 1), max_size=3)):
        file[place] = data.draw(st.integers(0, 255))
    assert outcome_of("image", "width == 9 and share('#010203') == 1", image=text_of(bytes(file)))[0] in ANSWERS


@given(st.text(alphabet="width=64 and()#%.<>='PNG pixel", max_size=60))
def test_no_statement_crashes(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE))[0] in ANSWERS


@pytest.mark.parametrize(
    "statement", ["width == 64 and " * 1500 + "x", "not " * 400 + "width == 64", "(" * 1900, "x" * 9000]
)
def test_long_statements_are_not_decided(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE))[0] in (UNDECIDED, BLOCKED)
