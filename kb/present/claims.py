"""Claims by kind: what was measured, what explains it, and what nobody has shown; never mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.anchors import Since
from kb.anchors import in_words as became
from kb.conditions import AnyOf, Condition
from kb.evaluation import Claim, Evaluation, Translation
from kb.evidence import Effect, compute
from kb.present.numbers import computed, plain, reported, with_unit
from kb.present.text import Page, bullets, heading, wrap
from kb.verdict import Verdict
from kb.vocabulary import ClaimKind, EffectForm, Operator

HEADINGS = {
    ClaimKind.MEASURED: "Claims: measured",
    ClaimKind.MECHANISM: "Claims: mechanism (explains; not measured by itself)",
    ClaimKind.HYPOTHESIS: "Claims: hypothesis (not shown)",
}


def section(
    record: Evaluation,
    page: Page,
    translation: Translation | None = None,
    anchors: Iterable[Since] = (),
    verdicts: Iterable[Verdict] = (),
) -> list[str]:
    """One part for each kind of claim; `anchors` say what became of their code, `verdicts` what is made of them now."""
    now = {each.claim: each for each in verdicts}
    followed = tuple(anchors)
    said = {each.id: each.says for each in translation.claims} if translation else {}
    lines: list[str] = []
    for kind, title in HEADINGS.items():
        claims = [claim for claim in record.claims if claim.kind is kind]
        lines += heading(title, page) if claims else []
        for claim in claims:
            phase = f"  ({claim.phase})" if claim.phase else ""
            fits = len(claim.id + phase) + 2 <= page.width
            lines += [f"  {page.style.bold(claim.id)}{phase if fits else ''}"]
            lines += [] if fits else [f"  {phase}"]
            lines += wrap(said.get(claim.id, claim.says), page.width, "    ")
            lines += wrap(outcome(now[claim.id]), page.width, "    now ", "      ") if claim.id in now else []
            lines += _details(claim, record, page, followed)
    return lines


def outcome(verdict: Verdict) -> str:
    """An outcome with the reason that decided, in a sentence."""
    confirm = " (confirm)" if verdict.confirm else ""
    reason = verdict.deciding.message if verdict.deciding else "nothing speaks against it"
    return f"{verdict.outcome}{confirm}: {reason}"


def _details(claim: Claim, record: Evaluation, page: Page, followed: Iterable[Since] = ()) -> Iterator[str]:
    for name, text in _facts(claim, record):
        yield from wrap(text, page.width, f"    {name} ", "      ")
    for arm, names in claim.anchors.items():
        yield from wrap(f"{_code(names)}", page.width, f"    code ({arm}) ", "      ")
        found = [each for each in followed if (each.anchor.claim, each.anchor.arm) == (claim.id, arm)]
        yield from wrap(_since(found), page.width, "      ") if found else ()
    if claim.conditions:
        yield "    holds when"
        yield from bullets(map(in_words, claim.conditions), page.width, "  - ")


def _facts(claim: Claim, record: Evaluation) -> Iterator[tuple[str, str]]:
    if claim.effect:
        yield "effect", effect(claim.effect, record)
    if claim.explains:
        yield "explains", ", ".join(claim.explains)
    if claim.arms:
        yield "arms", ", ".join(claim.arms)
    if claim.rests_on:
        yield "rests on", ", ".join(claim.rests_on)


def _code(anchors: Iterable[str]) -> str:
    """Anchors by component, its name written once."""
    by_component: dict[str, list[str]] = {}
    for anchor in anchors:
        component, _, symbol = anchor.partition(":")
        by_component.setdefault(component, []).append(symbol)
    return "; ".join(f"{component}: {', '.join(symbols)}" for component, symbols in by_component.items())


def _since(followed: Iterable[Since]) -> str:
    """What became of anchored code; symbols of which the same is said stand together."""
    by_words: dict[str, list[str]] = {}
    for each in followed:
        by_words.setdefault(became(each), []).append(each.anchor.symbol.rpartition(".")[2])
    return "; ".join(f"{', '.join(names)} {words}" for words, names in by_words.items())


_WORDS = {
    Operator.IS_NOT: "is not",
    Operator.NOT_IN: "not in",
    Operator.NOT_SET: "is not set",
    Operator.SET: "is set",
    Operator.LOW_IN: "at the low end of",
    Operator.HIGH_IN: "at the high end of",
}


def in_words(condition: Condition | AnyOf) -> str:
    """A condition as a sentence, alternatives joined by "or", with the reason in brackets."""
    if isinstance(condition, AnyOf):
        text = ", or ".join(map(in_words, condition.any_of))
    else:
        text = str(condition).replace(f" {condition.op}", f" {_WORDS.get(condition.op, condition.op)}", 1)
    return f"{text} ({condition.why})" if condition.why else text


def bare(condition: Condition | AnyOf) -> str:
    """The same without any reason."""
    if isinstance(condition, AnyOf):
        return ", or ".join(map(bare, condition.any_of))
    return in_words(condition.model_copy(update={"why": None}))


def effect(effect: Effect, record: Evaluation) -> str:
    """What the numbers show, computed from its points."""
    text = _sentence(effect, record)
    better = f"; {effect.better} better" if effect.better and "better" not in text else ""
    return text + better


def _sentence(effect: Effect, record: Evaluation) -> str:
    points = record.point_table()
    pair = f"{effect.arm or '?'} / {effect.against or '?'}"
    if effect.form is EffectForm.PARITY:
        margin = f"within {with_unit(plain(effect.margin), effect.unit or '')}" if effect.margin is not None else ""
        return f"{effect.metric}: {pair} about equal, {margin or 'no margin stated'}"
    single = points.get(effect.points[0]) if len(effect.points) == 1 else None
    if single is not None and single.reported is not None:
        return f"{effect.metric}: {single.arm} against {single.against} {reported(single)}, as reported"
    number = compute(effect, points)
    figure = computed(number) if number else _typed(effect)
    source = f" (from {', '.join(effect.points)})" if effect.points else ""
    if effect.form is EffectForm.ORDER:
        return f"{effect.metric}: order only, no figure{source}"
    if effect.form in {EffectForm.BOUND, EffectForm.THRESHOLD}:
        shown = f"; measured {computed(number)}{source}" if number else ""
        return f"{effect.metric} of {effect.arm or 'every arm'}: {_typed(effect) or 'no bound stated'}{shown}"
    subject = {
        EffectForm.RATIO: pair,
        EffectForm.DIFFERENCE: pair.replace(" / ", " - "),
    }.get(effect.form, " ".join(filter(None, (effect.arm, effect.form.replace("-", " ")))))
    return f"{effect.metric}: {subject} {figure or 'no figure'}{source}"


def _typed(effect: Effect) -> str:
    """A bound, or a figure that no point carries."""
    unit = effect.unit or ""
    said = [(effect.value, ""), (effect.at_most, "at most "), (effect.at_least, "at least ")]
    return ", ".join(word + with_unit(plain(number), unit) for number, word in said if number is not None)
