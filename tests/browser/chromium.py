"""Drives Chromium without a window by the DevTools protocol: JSON messages, each ended by a NUL, on descriptors 3 and 4."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 60.0  # seconds for an answer, on a machine that does other work
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--remote-debugging-pipe",
)

Json = dict[str, Any]


def found() -> str | None:
    """The path of a Chromium or Chrome, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    paths = (shutil.which(name) for name in names)
    return next((path for path in paths if path), None)


class Browser:
    """One Chromium with a profile of its own. Events of all pages are kept until a page takes them."""

    def __init__(self, program: str, profile: Path) -> None:
        # Copied to numbers that are not 3 or 4, which the child gives new meanings.
        pipes = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (*os.pipe(), *os.pipe())]
        commands, self._out, self._in, answers = pipes

        def connect() -> None:
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=connect,
        )
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._last = 0
        self.events: list[Json] = []

    def call(self, method: str, session: str | None = None, **parameters: Any) -> Json:
        self._last += 1
        number = self._last
        message: Json = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        deadline = time.monotonic() + PATIENCE
        while (answer := self.receive(deadline)).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return dict(answer["result"])

    def receive(self, deadline: float) -> Json:
        while b"\0" not in self._buffer:
            readable, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            if not readable:
                raise TimeoutError("Chromium does not answer")
            received = os.read(self._in, 1 << 20)
            if not received:
                raise RuntimeError("Chromium ended")
            self._buffer += received
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))

    def open(self) -> Page:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        return Page(self, target, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])

    def close(self) -> None:
        try:
            self.call("Browser.close")
        except (RuntimeError, TimeoutError, OSError):
            self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)


class Page:
    """A tab."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        # A page in the background gets no frames, no focus and no clipboard.
        self.call("Page.bringToFront")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method: str, **parameters: Any) -> Json:
        return self._browser.call(method, self._session, **parameters)

    def events(self, *methods: str) -> list[Json]:
        """The parameters of the page's events so far, oldest first."""
        self.call("Runtime.evaluate", expression="0")
        mine = (event for event in self._browser.events if event.get("sessionId") == self._session)
        return [event["params"] for event in mine if event["method"] in methods]

    def forget(self) -> None:
        self._browser.events = [one for one in self._browser.events if one.get("sessionId") != self._session]

    def go(self, url: str) -> None:
        """Loads a page, and forgets the events of the one before. The same page is loaded again, too."""
        self.forget()
        if self.call("Page.navigate", url=url).get("loaderId") is None:
            self.until(f"location.href === {json.dumps(url)}")
            self.forget()
            self.call("Page.reload")
        self._wait(lambda: bool(self.events("Page.loadEventFired")), f"{url} to load")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited if it is a promise."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Waits until a JavaScript expression is true."""
        self._wait(lambda: bool(self.run(f"Boolean({expression})")), expression)

    def _wait(self, is_done: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_done():
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited for {what}")
            time.sleep(0.02)

    def width(self, pixels: int, height: int = 900) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind: str = "screen", **features: str) -> None:
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=kind, features=named)

    def key(self, name: str) -> None:
        code = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        text = {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            extra = text if kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code[name], **extra
            )

    def mouse(self, kind: str, x: float, y: float) -> None:
        button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    def click(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)
        self.forget()
