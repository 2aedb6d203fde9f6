"""`kb scan --all` as text: a few lines for each component that a base would gain something of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kb.present.text import Page, bullets, clean, heading, wrap
from kb.scan.refresh import Due


def refresh(found: Iterable[Due], page: Page) -> list[str]:
    """The whole page."""
    found = list(found)
    out = [line for each in found if each.anything for line in _one(each, page)]
    quiet = [each for each in found if not each.anything and not each.why_not]
    same, unread = ([each.component.id for each in quiet if each.scanned is scanned] for scanned in (True, False))
    silent = [f"{each.component.id}: {each.why_not}" for each in found if each.why_not]
    if same:
        out += [*heading("Up to date", page), *wrap(", ".join(same), page.width, "  ")]
    if unread:
        out += [
            *heading("Every release listed, their code never scanned", page),
            *wrap(", ".join(unread), page.width, "  "),
        ]
    held = [
        f"{each.component.id}: {', '.join(versions)} of {name}"
        for each in found
        for name, versions in {each.distribution: each.held_back, **each.elsewhere}.items()
        if versions
    ]
    if held:
        title = "Not added, for no other distribution of the component has it"
        out += [*heading(title, page), *bullets(map(clean, held), page.width)]
    if silent:
        out += [*heading("Nothing could be said of", page), *bullets(map(clean, silent), page.width)]
    return out[1:] if out[:1] == [""] else out


def _one(each: Due, page: Page) -> list[str]:
    interval = f"{each.since} → {each.until}" if each.report else f"{each.until}"
    return [
        *heading(clean(f"{each.component.id}: {each.distribution} {interval}"), page),
        *bullets(_said(each), page.width),
    ]


def _said(each: Due) -> list[str]:
    out = []
    if each.releases:
        listed = ", ".join(_release(one.version, str(one.date or ""), one.yanked) for one in each.releases)
        out.append(clean(f"releases: {listed}"))
    if each.report:
        by_status = Counter(one.status.value for one in each.report.symbols)
        behaving = len(each.report.behaviour())
        counted = ", ".join(f"{count} {status}" for status, count in by_status.items())
        out.append(
            f"symbols: {counted or 'none that can be read'}" + (f"; {behaving} behave differently" if behaving else "")
        )
        out += [clean(f"{name}: {row['name']} {row['old'] or '-'} → {row['new'] or '-'}") for name, row in each.facts()]
        drafts = [one["id"] for one in each.report.proposed if one["same_as"] is None]
        known = [one["same_as"] for one in each.report.proposed if one["same_as"]]
        out += [f"drafts: {', '.join(drafts)}"] if drafts else []
        out += [f"already recorded: {', '.join(dict.fromkeys(known))}"] if known else []
        out += map(clean, each.report.notes)
    if each.kept:
        out.append(f"the list of releases was kept from {each.kept}; the package index could not be reached")
    return out


def _release(version: str, day: str, yanked: bool) -> str:
    told = ", ".join(filter(None, (day, "withdrawn" if yanked else "")))
    return f"{version} ({told})" if told else version
