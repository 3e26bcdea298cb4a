"""Reading one file of a contract, without leaving its folder.

Refuses: a link that leads out of the folder, anything that is not a regular file, and a file over the budget. A pipe or
a device is never waited for.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from probatum.core.errors import NotAttemptedError


def read_inside(path: Path, root: Path | None, max_bytes: int) -> bytes | None:
    """Return what a file holds, which must be inside ``root``, links followed, where one is given; None without a file.

    Raises NotAttemptedError where it lies outside, is not a file, is too large or cannot be read.
    """
    try:
        real = path.resolve(strict=True)
        if root is not None and not real.is_relative_to(root.resolve(strict=True)):
            sentence = f"{path.name} is a link that leads out of the contract's folder."
            raise NotAttemptedError("contract.outside", sentence)
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise NotAttemptedError("contract.unreadable", f"{path.name} is not a file.")
            content = stream.read(max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotAttemptedError("contract.unreadable", f"{path.name} cannot be read: {reason}.") from error
    if len(content) > max_bytes:
        raise NotAttemptedError("contract.too_large", f"{path.name} is larger than {max_bytes // 1024} KiB.")
    return content
