"""Reads the structure of image files without decoding them: format, size, frames, and where the file ends.

Refuses a file that is not complete, whose checksums are wrong, or that goes on after its end, where something else
could hide. Shares nothing with the library that decodes images, so that it checks what that says.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import NotAttemptedError

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DAMAGES: Final = (struct.error, zlib.error, IndexError, KeyError, ValueError)
"""What reading a damaged file raises."""
MAX_OWN_PIXELS: Final = 1_000_000
"""How many pixels are decoded here."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What the structure of a file says."""

    format: str
    width: int
    height: int
    frames: int = 1
    depth: int = 8
    """Bits of one channel."""


def outline_of(data: bytes) -> Outline | None:
    """Return the outline of a file; None for a format without a reader here. Raises NotAttemptedError for damage."""
    reader = next((read for magic, read in _READERS.items() if data.startswith(magic)), None)
    if reader is None or (reader is _webp and data[8:12] != b"WEBP"):
        return None
    try:
        outline, end = reader(data)
    except DAMAGES as error:
        raise NotAttemptedError("image.damaged", "The file is damaged or ends too early.") from error
    if end < len(data):
        raise NotAttemptedError("image.trailing", f"{len(data) - end} bytes follow after the end of the image.")
    if end > len(data) or not outline.width or not outline.height:
        raise NotAttemptedError("image.damaged", "The file is damaged or ends too early.")
    return outline


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield the kind, the content and the end of each chunk of a PNG file."""
    place, kind = len(_PNG), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, place + 8 + length)
        if zlib.crc32(kind + content) != checksum:
            raise ValueError("a checksum is wrong")
        place += 12 + length
        yield kind, content, place


def _png(data: bytes) -> tuple[Outline, int]:
    kinds, header, frames, end = list[bytes](), b"", 1, 0
    for kind, content, place in _chunks(data):
        header = content if not kinds else header
        frames = struct.unpack_from(">I", content)[0] if kind == b"acTL" else frames
        kinds.append(kind)
        end = place
    if kinds[0] != b"IHDR" or b"IDAT" not in kinds:
        raise ValueError("a chunk is missing")
    width, height, depth = struct.unpack_from(">IIB", header)
    return Outline("PNG", width, height, frames, depth), end


def _gif(data: bytes) -> tuple[Outline, int]:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    place, frames = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0), 0
    while data[place] != 0x3B:
        if data[place] == 0x2C:
            flags = data[place + 9]
            place += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0) + 1
            frames += 1
        elif data[place] == 0x21:
            place += 2
        else:
            raise ValueError("no block begins here")
        while data[place]:
            place += data[place] + 1
        place += 1
    if not frames:
        raise ValueError("there is no image")
    return Outline("GIF", width, height, frames), place + 1


def _bmp(data: bytes) -> tuple[Outline, int]:
    (end,), (header,) = struct.unpack_from("<I", data, 2), struct.unpack_from("<I", data, 14)
    width, height = struct.unpack_from("<HH" if header == 12 else "<ii", data, 18)
    return Outline("BMP", width, abs(height)), end


def _jpeg(data: bytes) -> tuple[Outline, int]:
    place, size, depth, is_scanned = 2, (0, 0), 8, False
    while True:
        if data[place] != 0xFF:
            raise ValueError("no marker stands here")
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker == 0xD9:
            if not is_scanned:
                raise ValueError("there is no image")
            return Outline("JPEG", size[1], size[0], depth=depth), place + 2
        (length,) = struct.unpack_from(">H", data, place + 2)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            depth, *sides = struct.unpack_from(">BHH", data, place + 4)
            size = (sides[0], sides[1])
        place += 2 + length
        if marker == 0xDA:
            is_scanned = True
            place = data.index(b"\xff", place)
            while data[place + 1] == 0 or 0xD0 <= data[place + 1] <= 0xD7:
                place = data.index(b"\xff", place + 2)


def _webp(data: bytes) -> tuple[Outline, int]:
    end = struct.unpack_from("<I", data, 4)[0] + 8
    kind, place, frames = data[12:16], 12, 0
    while place < end:
        frames += data[place : place + 4] == b"ANMF"
        (length,) = struct.unpack_from("<I", data, place + 4)
        place += 8 + length + length % 2
    if kind == b"VP8X":
        sides = [int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27)]
    elif kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        sides = [(bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1]
    elif kind == b"VP8 ":
        sides = [side & 0x3FFF for side in struct.unpack_from("<HH", data, 26)]
    else:
        raise ValueError("the file begins with another part")
    return Outline("WEBP", sides[0], sides[1], max(frames, 1)), end


_READERS: Final[Mapping[bytes, Callable[[bytes], tuple[Outline, int]]]] = {
    _PNG: _png,
    b"GIF87a": _gif,
    b"GIF89a": _gif,
    b"BM": _bmp,
    b"\xff\xd8\xff": _jpeg,
    b"RIFF": _webp,
}


def png_pixels(data: bytes) -> bytes | None:
    """Return the pixels of a PNG file as red, green, blue and alpha; None where this small decoder does not reach."""
    parts = {kind: content for kind, content, _ in _chunks(data)}
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if depth != 8 or interlaced or width * height > MAX_OWN_PIXELS or (b"tRNS" in parts and colour != 3):
        return None
    count = _CHANNELS[colour]
    packed = b"".join(content for kind, content, _ in _chunks(data) if kind == b"IDAT")
    raw = zlib.decompressobj().decompress(packed, (width * count + 1) * height)
    rows = b"".join(_unfiltered(raw, width * count, height, count))
    if colour == 6:
        return rows
    if colour == 3:
        alphas = parts.get(b"tRNS", b"").ljust(256, b"\xff")
        entries = [parts[b"PLTE"][3 * at : 3 * at + 3] + alphas[at : at + 1] for at in range(256)]
        return b"".join(entries[index] for index in rows)
    opaque = b"\xff" * (width * height)
    planes = [rows[at::count] for at in range(count)]
    bands = {0: (0, 0, 0), 2: (0, 1, 2), 4: (0, 0, 0, 1)}[colour]
    whole = bytearray(4 * width * height)
    for at, band in enumerate(bands):
        whole[at::4] = planes[band]
    if len(bands) == 3:
        whole[3::4] = opaque
    return bytes(whole)


def _unfiltered(raw: bytes, length: int, height: int, step: int) -> Iterator[bytes]:
    before = bytearray(length)
    for row in range(height):
        start = row * (length + 1)
        sort, line = raw[start], bytearray(raw[start + 1 : start + 1 + length])
        for at in range(length) if sort else ():
            left = line[at - step] if at >= step else 0
            corner = before[at - step] if at >= step else 0
            line[at] = (line[at] + _predicted(sort, left, before[at], corner)) & 255
        yield bytes(line)
        before = line


def _predicted(sort: int, left: int, above: int, corner: int) -> int:
    if sort < 4:
        return (0, left, above, (left + above) // 2)[sort]
    distances = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
    return (left, above, corner)[distances.index(min(distances))]
