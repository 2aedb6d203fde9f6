"""KB182 metric-badly-defined."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: msec}]
""",
        "write ms",
    ),
    (
        """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: ms, units: [US]}]
""",
        "write us",
    ),
    (
        """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: tokens/S}]
""",
        "write tok",
    ),
    (
        """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: ms, plausible: [5, 1]}]
""",
        "turned round",
    ),
    (
        """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: ms, definitions: [{id: a.m, tool: a, says: x, same_as: b.m}]}]
""",
        "no definition is called b.m",
    ),
    (
        """
# entries/vocabulary.yaml
metrics:
  - id: m
    better: lower
    titles: {en: mm}
    unit: ms
    definitions:
      - {id: a.m, tool: a, says: x, same_as: b.m}
      - {id: b.m, tool: b, says: x, same_as: c.m}
      - {id: c.m, tool: c, says: x}
""",
        "write c.m",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Units are spelled as they are converted; ranges begin with the smaller end; twins exist and name the same one."""
    fires("metric-badly-defined", fragment, says)


@rows(
    """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: ms, units: [us, s], plausible: [1, 5]}]
""",
    """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: req/s, units: [tok/s]}]
""",
    """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: tok/s/GPU}]
""",
    """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: parsec}]
""",
    """
# entries/vocabulary.yaml
metrics: [{id: m, better: lower, titles: {en: mm}, unit: x}]
""",
    """
# entries/vocabulary.yaml
metrics:
  - {id: m, better: lower, titles: {en: mm}, unit: ms, definitions: [{id: a.m, tool: a, says: x, same_as: b.k}]}
  - {id: k, better: lower, titles: {en: kk}, unit: ms, definitions: [{id: b.k, tool: b, says: x}]}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Known units, other kinds that sources use, ones of one's own, and a twin under another label are fine."""
    quiet("metric-badly-defined", fragment)
