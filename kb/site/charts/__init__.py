"""Charts of the site: static SVG, drawn by hand when the site is built; one module for each kind, listed here.

Why by hand (measured here, a chart of 30 points with error bars): 0.08 ms and 3.9 kB, with titles, descriptions and
classes that the site's sheet gives its light and dark colours; pygal takes 4.6 ms and 23 kB, matplotlib 32 ms (1.5 s to
import, 140 MB, nothing for screen readers), vl-convert 46 ms and 33 kB (84 MB), and plotly 4.8 MB of JavaScript and
nothing without it. The site's policy (no inline style or script) rules out what these write anyway. The charts of the
shipped records, each drawn for wide places and again for phones, take 1.1 ms and 6.3 kB with their tables and captions.

What all kinds keep to: nothing is drawn that was not measured, and lines only join points of one sweep of one arm; the
statistic is named, also where it is not stated; a spread is named as the source names it; arms differ by shape and dash
besides colour; the numbers stand in a table beside. The same input gives the same bytes.
"""

from __future__ import annotations

from kb.site.charts.band import version_band
from kb.site.charts.chart import Chart
from kb.site.charts.days import timeline
from kb.site.charts.matrix import coverage_matrix
from kb.site.charts.over_load import latency_load
from kb.site.charts.passages import passages
from kb.site.charts.ratio_cells import ratio_map
from kb.site.charts.trade_off import frontier
from kb.site.charts.wait import stages

__all__ = [
    "Chart",
    "coverage_matrix",
    "frontier",
    "latency_load",
    "passages",
    "ratio_map",
    "stages",
    "timeline",
    "version_band",
]
