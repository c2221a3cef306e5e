"""The style and the script of the pages."""

from __future__ import annotations

from pathlib import Path

from plots.style import PALETTE, palette_css

TEMPLATES = Path(__file__).parent.parent / "templates"
#: The ground of figures in light mode (--card), and the contrast that a text needs on it.
CARD, CONTRAST = "#f6f7f9", 4.5


def style() -> str:
    """The page's own style, then those of its script."""
    paths = sorted(TEMPLATES.glob("*.css"), key=lambda path: (path.name != "lockstep.css", path.name))
    text = "\n".join([*(path.read_text(encoding="utf-8") for path in paths), series_texts()])
    light, dark = palette_css(dark=False), palette_css(dark=True)
    return text.replace("/* light palette */", light).replace("/* dark palette */", dark)


def script() -> str:
    """All scripts of the templates' folder, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(TEMPLATES.glob("*.js")))


def series_texts() -> str:
    """Texts in the colour of a series, and boxes with a text, are darker than its line where that is too light to be read."""
    rules = []
    for number, (light, _) in enumerate(PALETTE, start=1):
        dark_enough = readable(light)
        if dark_enough != light:
            name = f"var(--series-{number})"
            texts = f'svg text[style*="{name}"], svg text[fill="{name}"]'
            boxes = f'svg.cells path[style*="fill:{name}"]'
            rules.append(f"  {texts}, {boxes} {{ fill: {dark_enough} !important; }}")
    return "\n".join(["@media print, (prefers-color-scheme: light) {", *rules, "}", ""])


def readable(colour: str) -> str:
    """The colour, darkened until it has enough contrast with the ground."""
    channels = [int(colour[index : index + 2], 16) for index in (1, 3, 5)]
    share = 1.0
    while contrast(channels, share) < CONTRAST:
        share -= 0.01
    return "#" + "".join(f"{int(channel * share):02x}" for channel in channels)


def contrast(channels: list[int], share: float) -> float:
    ground = [int(CARD[index : index + 2], 16) for index in (1, 3, 5)]
    return (luminance(ground) + 0.05) / (luminance([int(channel * share) for channel in channels]) + 0.05)


def luminance(channels: list[int]) -> float:
    """Relative luminance as WCAG defines it."""
    shares = [channel / 255 for channel in channels]
    linear = [float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4) for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
