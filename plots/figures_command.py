"""`lockstep figures`: writes the figures, tables and rows of every experiment with results, as SVG, PNG, Markdown
and CSV.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from plots.atomic import write_bytes, write_text
from plots.draw_many import draw_many
from plots.gather import Page, Section
from plots.results import frame

Say = Callable[[str], None]


def write_figures(
    sections: Sequence[Section], out: Path, say: Say = print, step: Callable[[], None] = lambda: None
) -> int:
    """Writes OUT/figures/<experiment>/<device>/<name>.* and returns the number of figures and tables.

    Calls `step` after each.
    """
    written = 0
    for section in sections:
        for page in [section.across, *section.pages]:
            written += _write_page(section, page, out / "figures" / section.experiment.name / page.slug, step)
            if page.drawings or page.tables:
                what = f"{len(page.drawings)} figures, {len(page.tables)} tables"
                say(
                    f"{section.experiment.name}, {page.slug}: {what} in {out / 'figures' / section.experiment.name / page.slug}"
                )
            for title, reason in page.missing:
                say(f"{section.experiment.name}, {page.slug}: not drawn: {title} ({reason})")
    return written


def _write_page(section: Section, page: Page, folder: Path, step: Callable[[], None]) -> int:
    if page.view is not None:
        write_text(folder / "cases.csv", frame(page.view).to_csv(index=False))
    drawn = draw_many([(drawing, section.looks) for drawing in page.drawings], "svg", "png")
    for drawing, files in zip(page.drawings, drawn):
        for kind, content in files.items():
            write_bytes(folder / f"{drawing.name}.{kind}", content)
        write_text(folder / f"{drawing.name}.csv", drawing.csv())
        step()
    for table in page.tables:
        write_text(folder / f"table_{table.name}.md", table.markdown())
        write_text(folder / f"table_{table.name}.csv", table.csv())
        step()
    return len(page.drawings) + len(page.tables)
