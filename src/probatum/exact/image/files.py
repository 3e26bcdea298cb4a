"""Decodes image files wholly, and measures what claims speak of: size, format, mode, and the colours of pixels.

Refuses what is not given as base64, is larger than the budget says before anything is decoded, or cannot be decoded to
its end. Measures no colours of several frames, of more than 8 bits a channel, or in CMYK.
"""

from __future__ import annotations

import base64
import binascii
import io
import struct
import warnings
import zlib
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from probatum.core.errors import BudgetError, NotAttemptedError

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES: Final = 32 * 1024 * 1024
MAX_PIXELS: Final = 50_000_000
"""Pixels of all frames together."""
MAX_MEASURED: Final = 16_000_000
"""Pixels of an image whose colours are measured."""
FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_COLOURED: Final = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA"))
_FAILURES: Final = (
    OSError, SyntaxError, ValueError, EOFError, TypeError, IndexError, KeyError, OverflowError, AttributeError,
    NotImplementedError, struct.error, zlib.error, RuntimeError, MemoryError,
)  # fmt: skip
_STEP: Final = 8192
_ORIENTATION: Final = 274
_PNG_DEPTH: Final = 24
"""Where a PNG file has the bits of one channel (W3C, 11.2.1)."""
Measured = Fraction | str | bool
Subject = tuple[str, tuple[Fraction | str | bool, ...]]
"""What is measured: its name and its arguments."""
MEASURES: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("width", "height", "format", "mode"), ()),
    "pixel": (Fraction, Fraction),
    **dict.fromkeys(("count", "share"), (str,)),
}
"""By name: the types of the arguments."""


def bytes_of(text: str) -> bytes:
    """Return the bytes of a file that is given as base64; raises NotAttemptedError and BudgetError."""
    if len(text) > MAX_BYTES * 4 // 3 + 4:
        raise BudgetError("engine.too_large", f"An image has at most {MAX_BYTES:,} bytes.")
    try:
        data = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError) as error:
        raise NotAttemptedError("image.encoding", "The image is not base64 text.") from error
    if not data:
        raise NotAttemptedError("image.empty", "The image has no bytes.")
    return data


class Decoded:
    """An image that has been decoded to its end, measured by subjects."""

    def __init__(self, data: bytes, *, in_steps: bool = False) -> None:
        self.data = data
        self._in_steps = in_steps
        from PIL.Image import DecompressionBombError

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._decode()
            except (*_FAILURES, DecompressionBombError) as error:
                raise _failure(error) from error

    def measure(self, subject: Subject) -> Measured | None:
        """Return the value of a subject of `MEASURES`; None where the image does not settle it."""
        name, arguments = subject
        match name:
            case "format":
                return self.format
            case "mode":
                return self.mode
            case "width" | "height" if self._is_turned:
                return None
            case "width":
                return Fraction(self.width)
            case "height":
                return Fraction(self.height)
            case "pixel":
                return self._pixel(*(int(each) for each in arguments if isinstance(each, Fraction)))
            case _:
                return self._of_colour(str(arguments[0]), is_share=name == "share")

    def _decode(self) -> None:
        from PIL import ImageFile
        from PIL.Image import open as opened

        self._orientation = 1
        image: Image
        # Of PNG, this goes through all checksums up to the end; decoding alone stops at the last pixel.
        opened(io.BytesIO(self.data), formats=FORMATS).verify()
        image = opened(io.BytesIO(self.data), formats=FORMATS)
        self.format = "JPEG" if image.format == "MPO" else image.format or ""
        self.mode = image.mode
        self.width, self.height = image.size
        _require_size(self.width, self.height, 1)
        self.frames = getattr(image, "n_frames", 1)
        with suppress(*_FAILURES):
            self._orientation = image.getexif().get(_ORIENTATION, 1)
        # Some readers turn the image as its metadata say, and some leave its sides as they are.
        self._is_turned = self._orientation in range(5, 9) and self.width != self.height
        _require_size(self.width, self.height, self.frames)
        for frame in range(self.frames):
            image.seek(frame)
            image.load()
        if self.frames > 1:
            image = opened(io.BytesIO(self.data), formats=FORMATS)
            image.load()
        if self._in_steps and self.format != "TIFF":
            parser = ImageFile.Parser()
            for start in range(0, len(self.data), _STEP):
                parser.feed(self.data[start : start + _STEP])
            image = parser.close()
        self._image = image
        bits = getattr(image, "tag_v2", {}).get(258, (8,))
        self._bits = max(bits) if isinstance(bits, tuple) else int(bits)
        if self.format == "PNG":
            self._bits = self.data[_PNG_DEPTH]

    @property
    def _is_coloured(self) -> bool:
        is_plain = self.frames == 1 and self.mode in _COLOURED and self._bits <= 8
        return is_plain and self.width * self.height <= MAX_MEASURED

    def _pixel(self, x: int, y: int) -> str | None:
        """Return the colour of a pixel as ``#rrggbbaa``."""
        if not self._is_coloured or self._orientation in range(2, 9) or x >= self.width or y >= self.height:
            return None
        if self._in_steps:
            at = 4 * (y * self.width + x)
            found = self._rgba_bytes()[at : at + 4]
        else:
            found = bytes(self._image.convert("RGBA").getpixel((x, y)))  # type: ignore[arg-type]  # four numbers
        return f"#{found.hex()}"

    def _of_colour(self, colour: str, *, is_share: bool) -> Fraction | None:
        """Return how many pixels have a colour, or which part of them."""
        if not self._is_coloured:
            return None
        total = self.width * self.height
        count = _counted_in_bytes(self._rgba_bytes(), colour) if self._in_steps else _counted(self._image, colour)
        return None if count is None else Fraction(count, total if is_share else 1)

    def _rgba_bytes(self) -> bytes:
        return self._image.convert("RGBA").tobytes()


def _require_size(width: int, height: int, frames: int) -> None:
    if width * height * frames > MAX_PIXELS:
        raise BudgetError("engine.too_large", f"An image has at most {MAX_PIXELS:,} pixels.")


def _failure(error: Exception) -> Exception:
    from PIL import UnidentifiedImageError
    from PIL.Image import DecompressionBombError

    if isinstance(error, DecompressionBombError):
        return BudgetError("engine.too_large", f"An image has at most {MAX_PIXELS:,} pixels.")
    if isinstance(error, UnidentifiedImageError):
        return NotAttemptedError("image.format", "This is no image of a known format.")
    return NotAttemptedError("image.damaged", "The file is damaged or ends too early.")


def _counted(image: Image, colour: str) -> int | None:
    """Return how many pixels have a colour, as the library counts; None where one is not opaque."""
    from PIL import ImageChops

    *bands, alpha = image.convert("RGBA").split()
    if alpha.getextrema() != (255, 255):
        return None
    masks = [band.point(mask) for band, mask in zip(bands, _masks(colour), strict=True)]
    return ImageChops.darker(ImageChops.darker(masks[0], masks[1]), masks[2]).histogram()[1]


def _counted_in_bytes(raw: bytes, colour: str) -> int | None:
    """Return the same from the bytes of the pixels."""
    *bands, alpha = (raw[at::4] for at in range(4))
    if alpha.count(255) != len(alpha):
        return None
    masks = zip(bands, _masks(colour), strict=True)
    bits = [int.from_bytes(band.translate(bytes(mask)), "big") for band, mask in masks]
    return (bits[0] & bits[1] & bits[2]).bit_count()


def _masks(colour: str) -> list[list[int]]:
    """Return, for each channel, which of its values is that of a colour."""
    return [[int(value == at) for value in range(256)] for at in bytes.fromhex(colour[1:])]
