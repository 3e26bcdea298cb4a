"""Statements about image files."""

from __future__ import annotations

import base64
import io
import random
import struct
import zlib
from fractions import Fraction

import pytest
from hypothesis import given
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
    "64x32",
    "64x32 pixels",
    "is 64x32 pixels",
    "The image is 64 x 32.",
    "its size is 64×32",
    "the image measures 64 by 32 px",
    "is not 32x64 pixels",
    "is a PNG",
    "It is a PNG file",
    "the format is png",
    "is in PNG format",
    "is not a JPEG",
    "is a 64x32 PNG",
    "width = 64",
    "width: 64",
    "height >= 30 and it is not animated",
    "the width is at most 64 pixels",
    "is 64 pixels wide and 32 pixels high",
    "has a width of 64 pixels",
    "the aspect ratio is 2:1",
    "is landscape",
    "It is false that the image is 32x64",
    "It is not the case that it is a GIF or a JPEG",
    "It is true that it is a PNG",
    "is a GIF or is a PNG",
    "is a PNG, opaque and 64x32",
    "mode is RGB",
    "is RGB",
    "is in RGB mode",
    "is not CMYK",
    "has no alpha channel",
    "has no EXIF data",
    "has 1 frame",
    "has one frame",
    "the number of frames is less than 2",
    "is static",
    "has 2 colours",
    "the number of colors is 2",
    "is not grayscale",
    "is opaque",
    "has no transparency",
    "pixel (3,4) is #00ff00",
    "pixel at (3, 4) is rgb(0, 255, 0)",
    "pixel (3,4) is #00ff00ff",
    "pixel (0,0) is red",
    "pixel (3,4) is not red",
    "exactly 1 pixel is #00ff00",
    "2047 pixels are red",
    "more than 99% of the pixels are red",
    "the share of #ff0000 ~= 99.95%",
    "not all pixels are red",
    "no pixel is #0000ff",
    "the minimum red is 0",
    "the maximum green value is 255",
    "mean blue = 0",
    "mean red > 254.8",
    "mean red ~= 254.9",
    "the file size is at least 50 bytes",
    "is less than 1 KB",
    "file is under 1 MB",
    "the dimensions are 64x32",
    "is a valid PNG",
    "is a 64 by 32 pixel PNG",
    "has a single frame",
    "no more than 2047 pixels are #ff0000",
    "is not completely red",
]
FALSE = [
    "32x64 pixels",
    "is not 64x32 pixels",
    "It is false that the image is 64x32",
    "It is not true that it is a PNG",
    "is a JPEG",
    "is not a PNG",
    "is a 64x32 GIF",
    "is a 64x33 PNG",
    "is a GIF or a JPEG",
    "is a PNG and is animated",
    "width > 64",
    "height = 64",
    "mode is L",
    "is CMYK",
    "has an alpha channel",
    "has EXIF data",
    "has 3 colours",
    "has 2 frames",
    "is grayscale",
    "pixel (3,4) is #ff0000",
    "pixel (0,0) is blue",
    "pixel (0,0) is not red",
    "all pixels are red",
    "all pixels are #ff0000",
    "50% of the pixels are red",
    "the share of #ff0000 is 98%",
    "at least 2 pixels are #00ff00",
    "the maximum blue is 255",
    "mean red is 200",
    "the average colour is #00ff00",
    "is square",
    "the aspect ratio is 3:1",
    "is larger than 1 MB",
    "is over 1 MB",
    "is completely #ff0000",
]
OPEN = {
    "64x32 pixels and contains a cat": "image.partial",
    "contains a cat and is 64x32 pixels": "image.partial",
    "32x64 pixels and contains a cat": "image.partial",
    "is a PNG or shows a dog": "image.partial",
    "I doubt that it is a GIF or is a PNG": "image.partial",
    "contains a cat": "image.content",
    "contains a JPEG": "image.content",
    "It is false that the image contains a cat": "image.content",
    "is a PNG probably": "image.content",
    "is probably a PNG": "image.content",
    "is 64x32 pixels large inside a frame": "image.content",
    "is a PNG of a cat": "image.content",
    "is not a PNG or a GIF": "image.unclear",
    "is not 64 pixels wide and 32 pixels high": "image.unclear",
    "is a GIF and is 64x32 or is a PNG": "image.unclear",
    "It is false that it is a PNG and it is a GIF": "image.unclear",
    "pixel (64,0) is #ff0000": "image.beyond",
    "pixel (0,0) is #ff00": "image.content",
    "the mean red is 254.88": "image.beyond",
    "the average colour is #ff0000": "image.beyond",
    "the share of #ff0000 is 99.95%": "image.beyond",
    "the exif Orientation is 1": "image.beyond",
    "the width is about 64": "image.content",
    "the width ~= 64": "image.content",
}


@pytest.mark.parametrize("statement", TRUE)
def test_true_statements_are_proved(statement: str) -> None:
    assert ruled("image", statement, image=text_of(PICTURE)).outcome is PROVED


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_are_refuted(statement: str) -> None:
    assert ruled("image", statement, image=text_of(PICTURE)).outcome is REFUTED


@pytest.mark.parametrize(("statement", "constraint"), OPEN.items())
def test_what_the_image_does_not_settle_is_undecided(statement: str, constraint: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE)) == (UNDECIDED, constraint)


@pytest.mark.parametrize("lead", ["nobody says it is a PNG", "nobody says it is a GIF", "maybe it is a PNG"])
@pytest.mark.parametrize("tail", [" and is 64x32", " or is 64x32"])
def test_one_part_that_is_not_read_leaves_the_whole_undecided(lead: str, tail: str) -> None:
    assert outcome_of("image", lead + tail, image=text_of(PICTURE))[0] is UNDECIDED


@pytest.mark.parametrize("statement", ["64x32 pixels", "is a PNG", "mean red > 254.8", "pixel (3,4) is #00ff00"])
def test_every_digit_of_a_certificate_counts(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE)) == (PROVED, "image.holds")
    require_every_digit_counts(claim_of("image", statement, image=text_of(PICTURE)))


def test_a_certificate_is_bound_to_its_image_and_statement() -> None:
    from probatum.core.frozen import thaw
    from probatum.exact import check

    evidence = thaw(ruled("image", "width = 64", image=text_of(PICTURE)).evidence)
    other = text_of(png_of([[(255, 0, 0)] * 64]))
    for claim in (
        claim_of("image", "width = 64", image=other),
        claim_of("image", "width = 63", image=text_of(PICTURE)),
        claim_of("image", "height = 32", image=text_of(PICTURE)),
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
    "signature": (PICTURE[:8], "image.damaged"),
    "header": (PICTURE[:33], "image.damaged"),
    "cut": (PICTURE[:-20], "image.damaged"),
    "end is missing": (PICTURE[:-12], "image.damaged"),
    "checksum": (PICTURE[:50] + bytes([PICTURE[50] ^ 1]) + PICTURE[51:], "image.damaged"),
    "no pixels": (PICTURE[:33] + chunk(b"IEND", b""), "image.damaged"),
    "few pixels": (
        PICTURE[:33] + chunk(b"IDAT", zlib.compress(b"\0" * 50)) + chunk(b"IEND", b""),
        "image.damaged",
    ),
    "more follows": (PICTURE + b"PK\3\4", "image.trailing"),
}


@pytest.mark.parametrize("name", NOT_JUDGED)
@pytest.mark.parametrize("statement", ["64x32 pixels", "is a PNG", "contains a cat"])
def test_what_is_no_whole_image_is_blocked(name: str, statement: str) -> None:
    data, code = NOT_JUDGED[name]
    assert outcome_of("image", statement, image=text_of(data)) == (BLOCKED, code)


def test_a_bomb_is_not_decoded() -> None:
    assert outcome_of("image", "is a PNG", image=text_of(_bomb())) == (UNDECIDED, "engine.too_large")
    tiff = bytearray(saved(Image.new("RGB", (9, 7)), "TIFF"))
    place = tiff.index(struct.pack("<HHII", 256, 4, 1, 9))
    tiff[place + 8 : place + 12] = struct.pack("<I", 2_000_000_000)
    assert outcome_of("image", "is a TIFF", image=text_of(bytes(tiff)))[0] in (UNDECIDED, BLOCKED)


@pytest.mark.parametrize("image", ["not base64!", "iVBORw0KGgo", "ï"])
def test_what_is_not_base64_is_blocked(image: str) -> None:
    assert outcome_of("image", "is a PNG", image=image) == (BLOCKED, "image.encoding")


@pytest.mark.parametrize("statement", ["", " . ", "６４x32 pixels", "is ٦٤x32 pixels"])
def test_what_says_nothing_is_blocked(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE))[0] is BLOCKED


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"])
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_cut_file_is_blocked_in_every_format(form: str, cut: float) -> None:
    noise = random.Random(form).randbytes(40 * 30 * 3)
    data = saved(Image.frombytes("RGB", (40, 30), noise), form)
    assert outcome_of("image", f"is a {form}", image=text_of(data)) == (PROVED, "image.holds")
    assert outcome_of("image", f"is a {form}", image=text_of(data[: int(len(data) * cut)]))[0] is BLOCKED


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
    red = Fraction(sum(pixel[0] for pixel in drawn), len(drawn))
    white = drawn.count((255, 255, 255))
    place = source.randrange(len(drawn))
    true = [
        f"{width}x{height} {form}",
        f"has {len(set(drawn))} colours",
        f"exactly {white} pixels are white",
        f"pixel ({place % width},{place // width}) is #{bytes(drawn[place]).hex()}",
        f"the maximum green is {max(pixel[1] for pixel in drawn)}",
        f"mean red >= {red.numerator // red.denominator}",
        f"mean red < {red.numerator // red.denominator + 1}",
        f"is {'' if all(len(set(pixel)) == 1 for pixel in drawn) else 'not '}grayscale",
    ]
    for statement in true:
        assert ruled("image", statement, image=data).outcome is PROVED, statement
    false = [f"{width + 1}x{height}", f"exactly {white + 1} pixels are white", f"has {len(set(drawn)) + 1} colours"]
    for statement in false:
        assert ruled("image", statement, image=data).outcome is REFUTED, statement


@given(st.lists(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=3, max_size=3), min_size=1, max_size=4))
def test_statistics_are_exact(rows: list[list[Pixel]]) -> None:
    data, pixels = text_of(png_of(rows)), [pixel for row in rows for pixel in row]
    assert ruled("image", f"the minimum blue is {min(p[2] for p in pixels)}", image=data).outcome is PROVED
    share = Fraction(sum(p == pixels[0] for p in pixels), len(pixels))
    colour = bytes(pixels[0]).hex()
    percent = share * 100
    assert ruled("image", f"the share of #{colour} is at least {int(percent)}%", image=data).outcome is PROVED
    assert ruled("image", f"more than {int(percent) + 1}% of the pixels are #{colour}", image=data).outcome is REFUTED


def test_half_transparent_pixels_have_no_colour_of_six_digits() -> None:
    data = text_of(saved(Image.new("RGBA", (2, 2), (255, 0, 0, 128)), "PNG"))
    assert outcome_of("image", "pixel (0,0) is #ff0000", image=data)[0] is UNDECIDED
    assert outcome_of("image", "pixel (0,0) is #0000ff", image=data)[0] is REFUTED
    assert outcome_of("image", "pixel (0,0) is #ff000080", image=data)[0] is PROVED
    assert outcome_of("image", "all pixels are red", image=data)[0] is UNDECIDED
    assert outcome_of("image", "has transparency and an alpha channel", image=data)[0] is PROVED


def test_a_named_colour_may_be_meant_loosely() -> None:
    data = text_of(png_of([[(250, 5, 5)] * 4]))
    assert outcome_of("image", "pixel (0,0) is red", image=data)[0] is UNDECIDED
    assert outcome_of("image", "all pixels are red", image=data)[0] is UNDECIDED
    assert outcome_of("image", "all pixels are #ff0000", image=data)[0] is REFUTED
    assert outcome_of("image", "all pixels are blue", image=data)[0] is REFUTED


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
def test_frames_are_counted_and_colours_of_several_are_not_measured(form: str) -> None:
    frames = [Image.new("RGB", (8, 8), (40 * at, 0, 0)) for at in range(4)]
    data = text_of(saved(frames[0], form, save_all=True, append_images=frames[1:]))
    assert outcome_of("image", "has 4 frames and is animated", image=data)[0] is PROVED
    assert outcome_of("image", "has 3 frames", image=data)[0] is REFUTED
    assert outcome_of("image", "pixel (0,0) is black", image=data)[0] is UNDECIDED


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_the_sides_of_an_image_that_metadata_turn_are_left_open(form: str) -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[274] = 6
    turned = text_of(saved(Image.new("RGB", (64, 32), "red"), form, exif=exif))
    for statement in ("is 64x32", "is 32x64", "is landscape", "is portrait", "width < 50", "pixel (40, 0) is red"):
        assert outcome_of("image", statement, image=turned) == (UNDECIDED, "image.beyond")
    assert outcome_of("image", f"is in {form} format", image=turned)[0] is PROVED


def test_what_may_be_called_otherwise_is_left_open() -> None:
    from PIL import Image

    palette = Image.new("P", (4, 4))
    clear = text_of(saved(palette, "PNG", transparency=0))
    for statement in ("has an alpha channel", "has no alpha channel"):
        assert outcome_of("image", statement, image=clear) == (UNDECIDED, "image.beyond")
    frames = [Image.new("RGB", (8, 8), (shade, 0, 0)) for shade in (0, 90, 200)]
    moving = text_of(saved(frames[0], "PNG", save_all=True, append_images=frames[1:], default_image=True))
    for statement in ("has 3 frames", "has 2 frames"):
        assert outcome_of("image", statement, image=moving) == (UNDECIDED, "image.beyond")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_metadata_is_read(form: str) -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "Camera #1", 6
    data = text_of(saved(Image.new("RGB", (8, 8)), form, exif=exif))
    assert outcome_of("image", 'has EXIF data and exif Make is "Camera #1"', image=data)[0] is PROVED
    assert outcome_of("image", "exif tag Orientation = 6", image=data)[0] is PROVED
    assert outcome_of("image", "exif Orientation is 1", image=data)[0] is REFUTED
    assert outcome_of("image", 'exif Make is "Other"', image=data)[0] is REFUTED
    assert outcome_of("image", 'exif Model is "Other"', image=data)[0] is UNDECIDED


@given(
    st.binary(max_size=200), st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"BM", b"\xff\xd8\xff", b"RIFF"])
)
def test_no_bytes_are_more_than_blocked(data: bytes, magic: bytes) -> None:
    assert outcome_of("image", "width = 1", image=text_of(magic + data))[0] in (BLOCKED, REFUTED, PROVED)


@given(st.data())
def test_no_change_of_a_file_crashes(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"]))
    file = bytearray(saved(Image.new("RGB", (9, 7), (1, 2, 3)), form))
    for place in data.draw(st.lists(st.integers(0, len(file) - 1), max_size=3)):
        file[place] = data.draw(st.integers(0, 255))
    assert outcome_of("image", "is 9x7 and grayscale", image=text_of(bytes(file)))[0] in ANSWERS


@given(st.text(alphabet="is not a PNG64x,()#%.<>=\"' and or pixel", max_size=60))
def test_no_statement_crashes(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE))[0] in ANSWERS


@pytest.mark.parametrize(
    "statement", ["is a PNG and " * 1500 + "x", "it is false that " * 1000 + "is a PNG", "(" * 9000]
)
def test_long_statements_are_undecided(statement: str) -> None:
    assert outcome_of("image", statement, image=text_of(PICTURE))[0] is UNDECIDED
