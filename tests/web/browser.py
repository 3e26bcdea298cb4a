"""A real browser without a window, driven over a pipe by its own protocol; Chromium, where one is installed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--disable-extensions", "--disable-background-networking", "--no-first-run", "--remote-debugging-pipe"),
)
_PATIENCE_SECONDS = 60.0


class Browser:
    """One tab; use it as a context manager."""

    def __init__(self) -> None:
        assert CHROMIUM is not None
        self._profile = tempfile.TemporaryDirectory()
        to_read, to_browser = os.pipe()
        from_browser, to_write = os.pipe()
        # The browser reads its commands from descriptor 3 and answers to 4.
        script = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        words = [
            "bash",
            "-c",
            script,
            "bash",
            CHROMIUM,
            *_OPTIONS,
            f"--user-data-dir={self._profile.name}",
            "about:blank",
        ]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(words, pass_fds=(to_read, to_write), stdout=quiet, stderr=quiet)
        os.close(to_read)
        os.close(to_write)
        self._in, self._out = os.fdopen(to_browser, "wb", 0), os.fdopen(from_browser, "rb")
        self._count = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        # A browser that hangs ends, and with it the pipe that is read.
        self._watch = threading.Timer(_PATIENCE_SECONDS, self._process.kill)
        self._watch.start()
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._watch.cancel()
        self._process.kill()
        self._process.wait()
        self._in.close()
        self._out.close()
        shutil.rmtree(self._profile.name, ignore_errors=True)

    def send(self, method: str, **given: object) -> dict[str, Any]:
        """Return what the browser answers to a command."""
        self._count += 1
        message: dict[str, object] = {"id": self._count, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        self._in.write(json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self._count:
                assert "error" not in told, (method, told["error"])
                return told["result"]  # type: ignore[no-any-return]  # JSON
            self.events.append(told)

    def open(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self.events.clear()
        self.send("Page.navigate", url=address)
        self._until("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page, awaited where it is a promise."""
        told = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def show(self, width: int, height: int = 900, scheme: str = "light") -> None:
        """Give the page a width and a colour scheme."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: Path) -> None:
        """Save what is seen, down to the end of the page."""
        told = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(told["data"]))

    def complaints(self) -> list[str]:
        """Return what the browser says of the page: errors, refused contents, exceptions."""
        logged = [each["params"]["entry"]["text"] for each in self.events if each.get("method") == "Log.entryAdded"]
        thrown = [each for each in self.events if each.get("method") == "Runtime.exceptionThrown"]
        return [*logged, *map(str, thrown)]

    def requested(self) -> list[dict[str, Any]]:
        """Return the requests of the page."""
        told = [each["params"] for each in self.events if each.get("method") == "Network.requestWillBeSent"]
        return [each["request"] for each in told]

    def _until(self, event: str) -> None:
        while not any(each.get("method") == event for each in self.events):
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        told = bytearray()
        while (byte := self._out.read(1)) != b"\0":
            assert byte, "the browser ended"
            told += byte
        return json.loads(told)  # type: ignore[no-any-return]  # JSON
