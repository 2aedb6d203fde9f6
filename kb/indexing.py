"""A record in hand -> what the derived file keeps of it: text, facets, numbers, relations, rows.

One file is enough, but for a change, which is in releases that a component lists: a component's aliases and the
vocabulary's terms are documents of their own, which queries resolve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kb import carried
from kb.carried import Releases
from kb.change import Change
from kb.component import Component
from kb.conditions import Conditions, single
from kb.deployment import Deployment
from kb.document import Document, Term
from kb.document import Loaded as Indexed
from kb.evaluation import COMPARISONS, Claim, Evaluation, Translation
from kb.evidence import Computed, Point, compute
from kb.model import RecordModel
from kb.reading import Loaded
from kb.setup import Setup, Spread
from kb.terms import Vocabulary, Wording
from kb.units import convert
from kb.vocabulary import UNKNOWN, Kind, Reported

CANONICAL_UNIT = {
    **dict.fromkeys(
        ("ttft", "tpot", "itl", "e2el", "transfer_duration", "post_duration", "prep_duration", "hand_over",
         "prefill_duration", "kv_load_duration", "queue_time"), "ms"),
    **dict.fromkeys(("request_throughput", "goodput"), "req/s"),
    **dict.fromkeys(("input_throughput", "output_throughput", "total_throughput"), "tok/s"),
    "output_throughput_per_gpu": "tok/s/GPU",
    "duration": "s",
    "transfer_bandwidth": "GB/s",
    "transfer_size": "MB",
    "hit_rate": "fraction",
    "slo_attainment": "%",
    **dict.fromkeys(("completed", "failed", "input_tokens", "output_tokens", "descriptors"), "count"),
}  # fmt: skip
"""Unit in which numbers of a metric are compared; tests/test_indexing.py holds it to the vocabulary."""

SIDES = ("both.", "prefill.", "decode.")
LOADS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "request_rate": "qps",
    "concurrency": "concurrency",
}
"""Load key -> field of the query language."""

ASKED = frozenset({"source", "prefix_caching", "version"})
"""Fields in which `unknown` is worth searching for."""

Number = tuple[str, float, float]
Pair = tuple[str, str | None]


def indexed(loaded: Loaded, base: str = "", releases: Releases | None = None) -> list[Indexed]:
    """Documents (or, of the vocabulary, terms) of one record file; `base` is the mount it comes from, `releases` are
    those that a change can be in.
    """
    record = loaded.record
    if isinstance(record, Vocabulary):
        return list(_terms(record, loaded.path))
    if isinstance(record, Translation):
        return [_translation(record, loaded, base)]
    if isinstance(record, Evaluation):
        return [_evaluation(record, loaded, base)]
    if isinstance(record, Change):
        return [_change(record, loaded, base, releases or {})]
    if isinstance(record, Component):
        return [_component(record, loaded, base), _component_term(record, loaded.path)]
    return [_deployment(record, loaded, base)]


def _document(record: RecordModel, kind: Kind, loaded: Loaded, base: str, **more: Any) -> Document:
    aliases = more.pop("aliases", record.aliases)
    body = "\n\n".join(filter(None, [*more.pop("texts", ()), loaded.body]))
    return Document(
        id=record.id,
        kind=kind.value,
        title=record.title,
        path=loaded.path,
        base=base,
        aliases=tuple(aliases),
        tags=record.tags,
        body=body,
        record=record.stored_json(),
        **more,
    )


def _evaluation(record: Evaluation, loaded: Loaded, base: str) -> Document:
    setups = [record.arm_setup(arm) for arm in record.arms] or [record.setup or Setup()]
    return _document(
        record,
        Kind.EVALUATION,
        loaded,
        base,
        lang=record.language,
        date=_date(record.date or (record.source.date if record.source else None)),
        claims=tuple(claim.says for claim in record.claims),
        texts=_evaluation_texts(record),
        about=(*_compared(setups), *mainly(claim.rests_on for claim in record.claims)),
        facets=_facets([*_setup_facets(setups), *_evaluation_facets(record)]),
        numbers=tuple(dict.fromkeys((*_point_numbers(record), *_effects(record), *_loads(setups)))),
        relations=tuple(dict.fromkeys(_evaluation_relations(record, setups))),
        points=tuple(map(_point_row, record.points)),
        claim_rows=tuple(_claim_row(claim, record) for claim in record.claims),
    )


def _compared(setups: Iterable[Setup]) -> tuple[str, ...]:
    """The connectors and caches that arms run: what an evaluation is about, where a change only mentions them."""
    pins = [pin for setup in setups for pin in (setup.connector, setup.cache) if pin]
    return tuple(dict.fromkeys(pin.component for pin in pins if pin.component))


def mainly(listed: Iterable[Iterable[str]]) -> Iterator[str]:
    """What at least half of some lists name: it is what the whole is about, where others only touch it."""
    lists = [frozenset(each) for each in listed]
    for name in dict.fromkeys(name for each in lists for name in sorted(each)):
        if 2 * sum(name in each for each in lists) >= len(lists):
            yield name


def _evaluation_texts(record: Evaluation) -> Iterator[str]:
    """Typed text that people search for beside the body."""
    yield from record.limits
    if record.decision:
        yield from (record.decision.chose, record.decision.because, *record.decision.steps)
    yield from (signal.what for signal in record.signals)
    yield from (stage.says for stage in record.stages)
    yield from (arm.title for arm in record.arms if arm.title)
    for claim in record.claims:
        yield from _condition_texts(claim.conditions)
    if record.source:
        yield " ".join(filter(None, (record.source.title, record.source.by, record.source.url)))


def _evaluation_facets(record: Evaluation) -> Iterator[Pair]:
    yield "type", record.kind.value
    if record.question:
        yield "question", record.question
    if record.source and record.source.relation:
        yield "source", record.source.relation.value
    if record.source and record.source.depth:
        yield "depth", record.source.depth.value
    for point in record.points:
        yield "metric", point.metric
        if point.definition:
            yield "metric", point.definition
        if point.where and point.where.model:
            yield "model", point.where.model
    for claim in record.claims:
        yield "claim_kind", claim.kind.value
        if claim.effect:
            yield "metric", claim.effect.metric
        yield from (("dimension", dimension) for dimension in claim.rests_on)


def _setup_facets(setups: Iterable[Setup]) -> Iterator[Pair]:
    for setup in setups:
        yield from _plain_facets(setup)
        for key, pin in setup.pins().items():
            name = key.rpartition(".")[2]
            field = name if name in {"engine", "connector"} else None
            named = (pin.component, getattr(pin, "class_name", None), getattr(pin, "name", None))
            yield "component", next(filter(None, named), None)
            if field:
                yield from ((field, value) for value in named)
            if pin.version:
                yield "version", pin.version


def _plain_facets(setup: Setup) -> Iterator[Pair]:
    hardware = setup.hardware
    yield "model", setup.model
    yield "family", setup.family
    yield "topology", setup.topology
    if hardware:
        yield from (
            ("hardware", hardware.gpu),
            ("hardware", hardware.instance),
            ("interconnect", hardware.interconnect),
        )
    if setup.transport:
        yield from (("interconnect", setup.transport.path), ("transport", setup.transport.backend))
    if setup.connector and setup.connector.mode:
        yield "connector_mode", setup.connector.mode.value
    if setup.workload:
        yield "dataset", setup.workload.dataset
    for side in (setup.both, setup.prefill, setup.decode):
        if side is not None:
            yield from (("prefix_caching", side.prefix_caching), ("hardware", side.gpu), ("kv_layout", side.kv_layout))


def _facets(pairs: Iterable[Pair]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for field, value in pairs:
        if value and (value != UNKNOWN or field in ASKED):
            found.setdefault(field, {})[value] = None
    return {field: tuple(values) for field, values in found.items()}


def _point_numbers(record: Evaluation) -> Iterator[Number]:
    """Measured values in canonical units; a reported comparison is no value of its metric."""
    for point in record.points:
        number = point.number
        unit = CANONICAL_UNIT.get(point.metric, point.unit)
        if point.reported is None and number is not None:
            low, high = number if isinstance(number, tuple) else (number, number)
            ends = [convert(end, point.unit, unit) for end in (low, high)]
            if ends[0] is not None and ends[1] is not None:
                yield point.metric, ends[0], ends[1]
        if point.where:
            yield from _spreads(point.where)


def _effects(record: Evaluation) -> Iterator[Number]:
    """The claimed ratios as pages print them, and each below one also from the other side: 0.31x is 3.2 as well."""
    points = record.point_table()
    for claim in record.claims:
        effect = claim.effect
        if effect is None or effect.form not in COMPARISONS:
            continue
        number = compute(effect, points)
        reported = points[effect.points[0]].reported if number and number.reported else None
        if number is not None and (factor := _factor(number, reported)) is not None:
            low, high = factor
            yield "effect", low, high
            if high < 1:
                yield "effect", 1 / high, 1 / low


def _factor(number: Computed, reported: Reported | None) -> tuple[float, float] | None:
    """Ends of the ratio; 30% better is 1.3."""
    low, high = number.low, number.high
    if reported in {Reported.PERCENT_CHANGE, Reported.PERCENT_IMPROVEMENT}:
        low, high = 1 + low / 100, 1 + high / 100
    elif number.unit != "x":
        return None
    return (low, high) if low > 0 else None


def _loads(setups: Iterable[Setup]) -> Iterator[Number]:
    for setup in setups:
        if setup.workload:
            yield from _spreads(setup.workload)


def _spreads(load: object) -> Iterator[Number]:
    for key, field in LOADS.items():
        spread = getattr(load, key, None)
        if not isinstance(spread, Spread):
            continue
        if spread.shape in {None, "fixed"} or not (spread.min or spread.max):
            yield from ((field, value, value) for value in spread.values)
        if spread.min is not None and spread.max is not None:
            yield field, spread.min, spread.max
        elif not spread.values and spread.mean is not None:
            yield field, spread.mean, spread.mean


def _evaluation_relations(record: Evaluation, setups: Iterable[Setup]) -> Iterator[tuple[str, str]]:
    yield from ((each.relation.value, each.to) for each in record.relations)
    for setup in setups:
        yield from (("uses", pin.component) for pin in setup.pins().values() if pin.component)
    yield from (("watches", each.watches.change) for each in record.signals if each.watches and each.watches.change)
    yield from (("judges", impact.change) for impact in record.impacts if impact.change)


def _point_row(point: Point) -> dict[str, Any]:
    row = point.stored()
    return {**row, "stat": point.stat.value, "n": point.n if isinstance(point.n, int) else None}


def _claim_row(claim: Claim, record: Evaluation) -> dict[str, Any]:
    effect = claim.effect
    number = compute(effect, record.point_table()) if effect else None
    return {
        "claim": claim.id,
        "kind": claim.kind.value,
        "text": claim.says,
        "form": effect.form.value if effect else None,
        "metric": effect.metric if effect else None,
        "value": number.value if number else None,
        "low": number.low if number else None,
        "high": number.high if number else None,
        "phase": claim.phase.value if claim.phase else None,
    }


def _translation(record: Translation, loaded: Loaded, base: str) -> Document:
    """A document of the original's id; facts and numbers stay with the original."""
    return Document(
        id=record.translates,
        kind=Kind.EVALUATION.value,
        title=record.title,
        path=loaded.path,
        base=base,
        lang=record.language,
        original=False,
        claims=tuple(claim.says for claim in record.claims),
        tags=record.tags,
        body="\n\n".join([*record.limits, loaded.body]),
        record=record.stored_json(),
    )


def _change(record: Change, loaded: Loaded, base: str, releases: Releases) -> Document:
    dates = record.dates
    components = (record.component, *record.also)
    pairs: list[Pair] = [("status", record.status.value), ("type", record.kind.value)]
    pairs += [("component", each) for each in components]
    pairs += [("dimension", each) for each in record.dimensions]
    pairs += [("version", version) for version in carried.versions(record, releases)]
    pairs += [("introduced", version) for version in carried.introduced(record, releases)]
    pairs += [("removed", version) for version in carried.removed(record, releases)]
    number = _number_of(record.url)
    days = dates.stored() if dates else {}
    day = next((days[name] for name in ("merged", "reverted", "closed", "opened") if _date(days.get(name))), None)
    return _document(
        record,
        Kind.CHANGE,
        loaded,
        base,
        aliases=(*record.aliases, *([number] if number else [])),
        date=day,
        claims=(record.summary,),
        texts=[
            *filter(None, (record.said_effect, record.url)),
            *record.links,
            *record.symbols,
            *_condition_texts(record.guards),
        ],
        about=tuple(mainly([each] for each in record.dimensions)),
        facets=_facets(pairs),
        dates=tuple((f"{name}_date", value) for name, value in days.items() if _date(value)),
        relations=(
            *(("changes", each) for each in components),
            *((each.relation.value, each.to) for each in record.relations),
        ),
    )


def _number_of(url: str | None) -> str | None:
    """`#45211` of a pull request's or issue's address: people search for the number."""
    last = (url or "").rstrip("/").rpartition("/")[2]
    return f"#{last}" if last.isdigit() else None


def _component(record: Component, loaded: Loaded, base: str) -> Document:
    newest = record.newest()
    pairs: list[Pair] = [("type", record.kind.value), ("component", record.id)]
    pairs += [("component", each) for each in (record.ships_in, *record.also_ships_in)]
    if record.kind.value in {"engine", "connector"}:
        pairs += [(record.kind.value, record.id)]
        pairs += [(record.kind.value, each.name) for each in record.classes]
    pairs += [("release", each.version) for each in record.releases]
    names = [name for fact in record.facts for table in (fact.options, fact.env, fact.defaults) for name in table]
    return _document(
        record,
        Kind.COMPONENT,
        loaded,
        base,
        aliases=tuple(dict.fromkeys((*record.aliases, *(each.name for each in record.classes)))),
        date=_date(newest.date) if newest else None,
        claims=(record.summary,) if record.summary else (),
        texts=["\n".join(dict.fromkeys(names)), record.repository or ""],
        facets=_facets(pairs),
        relations=(("ships-in", record.ships_in),) if record.ships_in and record.ships_in != record.id else (),
    )


def _component_term(record: Component, path: str) -> Term:
    """Its names are one word: who asks for the class finds entries that name the component, and the other way round."""
    names = dict.fromkeys((record.id, *record.aliases, *(each.name for each in record.classes)))
    return Term(record.id, path, tuple(("en", name) for name in names))


def _condition_texts(conditions: Conditions) -> Iterator[str]:
    """Keys and values (an option, a variable, a version) and the reasons."""
    yield from (str(each) for _, each in single(conditions))
    yield from (each.why for each in conditions if each.why)


def _deployment(record: Any, loaded: Loaded, base: str) -> Document:
    assert isinstance(record, Deployment)
    components = dict.fromkeys(pin.component for pin in record.setup.pins().values() if pin.component)
    return _document(
        record,
        Kind.DEPLOYMENT,
        loaded,
        base,
        claims=(record.summary,) if record.summary else (),
        texts=[record.owner or ""],
        facets=_facets(_setup_facets([record.setup])),
        numbers=tuple(dict.fromkeys(_loads([record.setup]))),
        relations=tuple(("uses", each) for each in components),
    )


def _date(text: str | None) -> str | None:
    return text if text and text != UNKNOWN else None


def _terms(vocabulary: Vocabulary, path: str) -> Iterator[Term]:
    """Terms, metrics and dimensions: each word finds the others of its row, ids included."""
    for term in vocabulary.terms:
        yield Term(term.id, path, _names(term.titles, term.id))
    for metric in vocabulary.metrics:
        yield Term(metric.id, path, _names(metric.titles, metric.id))
    for dimension in vocabulary.dimensions:
        yield Term(dimension.id, path, _names(dimension.titles, dimension.id))


def _names(titles: Wording, id_: str) -> tuple[tuple[str, str], ...]:
    pairs = [("en", id_), *((language, name) for language in ("en", "ja", "pt") for name in getattr(titles, language))]
    return tuple(dict.fromkeys(pairs))
