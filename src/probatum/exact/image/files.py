"""Decodes image files wholly, and measures what statements speak of: size, mode, transparency, colours, metadata.

Refuses what is not given as base64, is larger than the budget says before anything is decoded, or cannot be decoded to
its end. Measures no colours of several frames, of more than 8 bits a channel, or in CMYK.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import struct
import warnings
import zlib
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.image.headers import Outline, outline_of, png_pixels
from probatum.exact.image.statements import NEAR, Value

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES: Final = 32 * 1024 * 1024
MAX_PIXELS: Final = 50_000_000
"""Pixels of all frames together."""
MAX_MEASURED: Final = 16_000_000
"""Pixels of an image whose colours are measured."""
MAX_COLOURS: Final = 1 << 16
_FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")
_COLOURED: Final = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA"))
_FAILURES: Final = (
    OSError, SyntaxError, ValueError, EOFError, TypeError, IndexError, KeyError, OverflowError, AttributeError,
    NotImplementedError, struct.error, zlib.error, RuntimeError, MemoryError,
)  # fmt: skip
_STEP: Final = 8192
_ORIENTATION: Final = 274
_PIXELS: Final = ("pixel", "gray", "transparency", "colours", "share", "count", "min", "max", "mean")


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
        self.outline = outline_of(data)
        self._in_steps = in_steps
        if self.outline is not None:
            _require_size(self.outline.width, self.outline.height, self.outline.frames)
        from PIL.Image import DecompressionBombError

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._decode()
            except (*_FAILURES, DecompressionBombError) as error:
                raise _failure(error) from error

    def measure(self, subject: str) -> Value | None:
        """Return the value of a subject; None where the image does not settle it."""
        name, _, rest = subject.partition(" ")
        if name == "exif" and rest:
            return self._tag(rest)
        if name in _PIXELS:
            return self._of_pixels(name, rest)
        plain: dict[str, Callable[[], Value | None]] = {
            "width": lambda: None if self._is_turned else Fraction(self.width),
            "height": lambda: None if self._is_turned else Fraction(self.height),
            "aspect": lambda: None if self._is_turned else Fraction(self.width, self.height),
            "bytes": lambda: Fraction(len(self.data)),
            "sha256": lambda: hashlib.sha256(self.data).hexdigest(),
            "format": lambda: self.format,
            "mode": self.mode.upper,
            "frames": lambda: None if self._has_extra else Fraction(self.frames),
            "animated": lambda: self.frames > 1,
            "alpha": self._alpha,
            "exif": lambda: None if self.format == "TIFF" else "exif" in self._image.info,
        }
        return plain[name]()

    def _alpha(self) -> bool | None:
        """Return whether there is an alpha channel; a transparent colour is none, and may be meant by it."""
        is_there = self.mode in ("LA", "La", "PA", "RGBA", "RGBa")
        return None if not is_there and "transparency" in self._image.info else is_there

    def _decode(self) -> None:
        from PIL import ImageFile
        from PIL.Image import open as opened

        self._orientation = 1
        image: Image
        image = opened(io.BytesIO(self.data), formats=_FORMATS)
        self.format = "JPEG" if image.format == "MPO" else image.format or ""
        self.mode = image.mode
        self.width, self.height = image.size
        _require_size(self.width, self.height, 1)
        self.frames = getattr(image, "n_frames", 1)
        with suppress(*_FAILURES):
            self._orientation = image.getexif().get(_ORIENTATION, 1)
        # Some readers turn the image as its metadata say, and some leave its sides as they are.
        self._is_turned = self._orientation in range(5, 9) and self.width != self.height
        # A picture in place of an animation may or may not be called a frame.
        self._has_extra = self.outline is not None and self.outline.frames != self.frames
        _require_size(self.width, self.height, self.frames)
        if self.outline is not None:
            _require_same(self.outline, self)
        for frame in range(self.frames):
            image.seek(frame)
            image.load()
        if self.frames > 1:
            image = opened(io.BytesIO(self.data), formats=_FORMATS)
            image.load()
        if self._in_steps and self.format != "TIFF":
            parser = ImageFile.Parser()
            for start in range(0, len(self.data), _STEP):
                parser.feed(self.data[start : start + _STEP])
            image = parser.close()
        self._image = image
        self._bits = self.outline.depth if self.outline is not None else 8
        if self.format == "TIFF":
            bits = getattr(image, "tag_v2", {}).get(258, (8,))
            self._bits = max(bits) if isinstance(bits, tuple) else int(bits)

    def _of_pixels(self, name: str, rest: str) -> Value | None:
        if self.frames > 1 or self.mode not in _COLOURED or self._bits > 8:
            return None
        if self.width * self.height > MAX_MEASURED or (name == "pixel" and self._orientation in range(2, 9)):
            return None
        if self._in_steps:
            return _from_bytes(self._rgba_bytes(), self.width, self.height, name, rest)
        return _from_image(self._image.convert("RGBA"), name, rest)

    def _rgba_bytes(self) -> bytes:
        own = png_pixels(self.data) if self.format == "PNG" else None
        return own if own is not None else self._image.convert("RGBA").tobytes()

    def _tag(self, name: str) -> Value | None:
        from PIL import ExifTags

        if self.format == "TIFF" or "exif" not in self._image.info:
            return None
        exif = self._image.getexif()
        found = {**exif.get_ifd(0x8769), **exif}
        named = {ExifTags.TAGS.get(number, "").lower(): value for number, value in found.items()}
        value = named.get(name)
        if isinstance(value, str):
            return value.rstrip("\0")
        if isinstance(value, int) and not isinstance(value, bool):
            return Fraction(value)
        below = getattr(value, "denominator", 0)
        return Fraction(int(getattr(value, "numerator", 0)), int(below)) if below else None


def _require_same(outline: Outline, image: Decoded) -> None:
    if (outline.format, outline.width, outline.height) != (image.format, image.width, image.height):
        raise ValueError("the structure of the file says something else")


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


def _from_image(image: Image, name: str, rest: str) -> Value | None:
    """Measure pixels by what the library counts."""
    from PIL import ImageChops

    red, green, blue, alpha = image.split()
    bands = {"red": red, "green": green, "blue": blue}
    is_opaque = alpha.getextrema() == (255, 255)
    if name == "pixel":
        x, y = map(int, rest.split(" "))
        inside = x < image.width and y < image.height
        return "#" + bytes(image.getpixel((x, y))).hex() if inside else None  # type: ignore[arg-type]  # four numbers
    if name == "transparency":
        return not is_opaque
    is_gray = all(ImageChops.difference(green, other).getbbox() is None for other in (red, blue))
    if name == "gray":
        return is_gray if is_gray or is_opaque else None
    if not is_opaque or (rest == "gray" and not is_gray):
        return None
    if name == "colours":
        found = image.getcolors(MAX_COLOURS)
        return None if found is None else Fraction(len(found))
    if name in ("share", "count"):
        masks = [band.point(mask) for band, mask in zip(bands.values(), _masks(rest), strict=True)]
        count = ImageChops.darker(ImageChops.darker(masks[0], masks[1]), masks[2]).histogram()[1]
        return Fraction(count, image.width * image.height if name == "share" else 1)
    counts = bands.get(rest, green).histogram()
    if name == "mean":
        return Fraction(sum(value * many for value, many in enumerate(counts)), sum(counts))
    present = [value for value, many in enumerate(counts) if many]
    return Fraction(present[0 if name == "min" else -1])


def _from_bytes(raw: bytes, width: int, height: int, name: str, rest: str) -> Value | None:
    """Measure the same from the bytes of the pixels."""
    red, green, blue, alpha = (raw[at::4] for at in range(4))
    is_opaque = alpha.count(255) == len(alpha)
    if name == "pixel":
        x, y = map(int, rest.split(" "))
        at = 4 * (y * width + x)
        return "#" + raw[at : at + 4].hex() if x < width and y < height else None
    if name == "transparency":
        return not is_opaque
    is_gray = red == green == blue
    if name == "gray":
        return is_gray if is_gray or is_opaque else None
    if not is_opaque or (rest == "gray" and not is_gray):
        return None
    if name == "colours":
        found = set[tuple[int, ...]]()
        for start in range(0, len(alpha), MAX_COLOURS):
            found.update(zip(*(band[start : start + MAX_COLOURS] for band in (red, green, blue)), strict=True))
            if len(found) > MAX_COLOURS:
                return None
        return Fraction(len(found))
    if name in ("share", "count"):
        masks = zip((red, green, blue), _masks(rest), strict=True)
        bits = [int.from_bytes(band.translate(bytes(mask)), "big") for band, mask in masks]
        return Fraction((bits[0] & bits[1] & bits[2]).bit_count(), len(alpha) if name == "share" else 1)
    band = {"red": red, "blue": blue}.get(rest, green)
    if name == "mean":
        return Fraction(sum(band), len(band))
    return Fraction(min(band) if name == "min" else max(band))


def _masks(colour: str) -> list[list[int]]:
    """Return, for each channel, which of its values count for a colour, or near it."""
    spread = NEAR if colour.startswith("near ") else 0
    wanted = bytes.fromhex(colour[-6:])
    return [[int(abs(value - at) <= spread) for value in range(256)] for at in wanted]
