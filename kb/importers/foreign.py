"""JSON that people keep beside results and that holds none: it is named, so that nobody wonders why nothing came of
it.

Accuracy evaluations (Every Eval Ever, lm-evaluation-harness, InferenceX), JSON Schemas, indexes of a dashboard,
microbenchmarks of collective operations, model configurations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kb.importers import NotResults
from kb.importers.run import Run
from kb.importers.source import Source

NAME = "foreign"
TOOL = "no load generator"

Keys = frozenset[str]
_INDEX = "of the InferenceX dashboard, no measurements"


def _inner(record: Any, key: str) -> Keys:
    value = record.get(key) if isinstance(record, dict) else None
    return frozenset(value) if isinstance(value, dict) else frozenset()


def _has(*names: str) -> Callable[[Keys, Any], bool]:
    return lambda keys, _: keys >= set(names)


def _is_schema(keys: Keys, _: Any) -> bool:
    return ("$schema" in keys and bool(keys & {"properties", "$defs", "$ref", "definitions"})) or {
        "$defs",
        "properties",
    } <= keys


def _is_accuracy(keys: Keys, record: Any) -> bool:
    return {"task", "metrics"} <= keys and any(
        name.startswith("em_") or name == "n_eff" for name in _inner(record, "metrics")
    )


def _is_harness(keys: Keys, _: Any) -> bool:
    return "results" in keys and bool(keys & {"n-shot", "higher_is_better", "n-samples", "config_general"})


_KINDS: tuple[tuple[Callable[[Keys, Any], bool], str], ...] = (
    (_is_schema, "is a JSON Schema: it describes files and holds no results"),
    (
        _has("evaluation_id", "evaluation_results"),
        "is an Every Eval Ever record: scores of accuracy, no latencies or throughput",
    ),
    (
        _has("evaluation_id", "sample_id", "answer_attribution"),
        "holds Every Eval Ever samples: answers and accuracy, no latencies or throughput",
    ),
    (_is_accuracy, "holds accuracy scores of InferenceX, no performance results"),
    (_is_harness, "holds accuracy scores of lm-evaluation-harness, no performance results"),
    (
        _has("version", "run", "coverage", "series"),
        "holds CollectiveX results: collective operations, no serving of requests",
    ),
    (_has("version", "runs", "discovery_complete"), "is an index of CollectiveX runs, no measurements"),
    (_has("n_success", "total", "hardware", "date"), "counts which runs succeeded (reliability), no measurements"),
    (_has("summary", "volume"), f"counts submissions {_INDEX}"),
    (_has("runs", "changelogs"), f"lists workflow runs {_INDEX}"),
    (
        lambda keys, _: (
            keys >= {"model", "isl", "osl", "hardware", "framework"} and not keys & {"metrics", "conc", "tput_per_gpu"}
        ),
        f"lists which configurations are available {_INDEX}",
    ),
    (_has("architectures", "model_type"), "is a model's configuration: setup, no results"),
)
_NEVER = frozenset({"mean_ttft_ms", "request_throughput", "load_summary", "benchmarks", "tput_per_gpu"})
"""Keys of result files; with one of these it is for somebody else."""


def _is_mapping(source: Source) -> bool:
    return (
        source.shape == "yaml"
        and "columns" in source.keys
        and source.keys <= {"tool", "tool_version", "columns", "constant"}
    )


def _what(source: Source) -> str | None:
    if _is_mapping(source):
        return "is the mapping file of a table: it says what columns are and holds no results"
    if source.shape not in {"object", "list", "lines"} or source.keys & _NEVER:
        return None
    return next((says for fits, says in _KINDS if fits(source.keys, source.record)), None)


def recognises(source: Source) -> bool:
    """By the keys of the first record."""
    return _what(source) is not None


def read(source: Source) -> Iterator[Run]:
    """Nothing: raises NotResults with what it is."""
    raise NotResults(_what(source) or "holds no performance results")
