"""The report as a static site: an index, a page per paper, the limits of the devices, and the data beside them.

`write_report` writes it into a folder that a static host serves as it is, or, on request, into one file.
"""

from plots.site.write import render, write_report

__all__ = ["render", "write_report"]
