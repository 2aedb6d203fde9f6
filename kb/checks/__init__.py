"""Checks of a record's form and completeness (KB1xx), one module each; its docstring is its page.

A check has CODE, NAME (so that "allow NAME" is English), SEVERITY and, unless the reader itself raises it,
`check(loaded, library)` yielding Problems. `kb explain CODE` prints the docstring. Codes are grouped, with gaps: 108
to 119 names and references, 120 to 139 evidence, 140 to 149 setup, 150 to 159 claims and source, 160 to 169 changes,
170 to 179 components, 180 to 189 vocabulary, 190 on allowances and what came
later; 100 to 107 are the reader's. A code is never used again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from kb.vocabulary import Severity

if TYPE_CHECKING:
    from kb.finding import Problem
    from kb.library import Library
    from kb.reading import Loaded


class Check(Protocol):
    """What every module of this folder offers."""

    __doc__: str
    CODE: str
    NAME: str
    SEVERITY: Severity

    def check(self, loaded: Loaded, library: Library) -> Iterator[Problem]:
        """Problems of one record, seen in its library."""


MODULES = (
    "wrong_place",
    "not_a_record",
    "bad_value",
    "unknown_field",
    "duplicate_key",
    "tab",
    "front_matter_too_large",
    "missing_field",
    "id_not_file_name",
    "duplicate_id",
    "unknown_record",
    "unknown_word",
    "unknown_part",
    "alias_clash",
    "shadowed_record",
    "translation_behind",
    "translation_of_nothing",
    "broken_link",
    "large_front_matter",
    "relation_to_itself",
    "measured_without_effect",
    "effect_without_points",
    "ratio_without_baseline",
    "points_do_not_fit",
    "unlike_points",
    "typed_effect",
    "contradicted_effect",
    "bound_without_unit",
    "ratio_without_statistic",
    "ratio_without_load_point",
    "unstated_in_points",
    "says_another_number",
    "prose_another_number",
    "unit_of_another_kind",
    "implausible_value",
    "percentiles_out_of_order",
    "more_completed_than_sent",
    "only_one_latency",
    "mean_hides_distribution",
    "latencies_disagree",
    "missing_pin",
    "missing_fact",
    "fact_not_stated",
    "unknown_setup_key",
    "impossible_condition_value",
    "stated_and_not_stated",
    "no_such_release",
    "predates_connector",
    "class_does_not_fit",
    "arms_alike",
    "claim_without_conditions",
    "claim_without_anchors",
    "claim_rests_on_nothing",
    "hedged_measurement",
    "condition_without_why",
    "source_without_relation",
    "signal_without_horizon",
    "watch_of_nothing",
    "dates_out_of_order",
    "unknown_language",
    "shipped_without_artifact",
    "overlapping_ships",
    "ships_without_merge",
    "checked_outside_range",
    "unknown_distribution",
    "change_without_dimensions",
    "range_of_no_release",
    "no_such_symbol",
    "symbol_of_another_release",
    "releases_out_of_order",
    "facts_disagree",
    "component_without_releases",
    "symbols_unreadable",
    "ambiguous_build",
    "builds_out_of_order",
    "list_unexplained",
    "term_clash",
    "metric_badly_defined",
    "idle_allowance",
    "placeholder_left",
    "failures_flatter",
    "outside_the_sweep",
    "rests_on_its_metric",
    "reading_of_nothing",
)
"""Every check by module name, in the order of codes."""


@lru_cache(maxsize=1)
def checks() -> tuple[Check, ...]:
    """The check modules, in the order of their codes."""
    return tuple(cast(Check, import_module(f"kb.checks.{name}")) for name in MODULES)


def find(name: str) -> Check | None:
    """A check by its code or name."""
    return next((each for each in checks() if name.casefold() in {each.CODE.casefold(), each.NAME}), None)


def names() -> tuple[str, ...]:
    """Every code and name."""
    return tuple(word for each in checks() for word in (each.CODE, each.NAME))
