"""`kb impact`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import Json, Quiet, Root, print_json

if TYPE_CHECKING:
    from kb.impact import Impact
    from kb.library import Library
    from kb.registry import Registry


def impact(
    name: Annotated[
        str,
        typer.Argument(metavar="CHANGE|COMPONENT", help="Id, alias, #number or address of a change; or a component."),
    ],
    since: Annotated[
        str | None, typer.Option("--from", metavar="VERSION", help="Of a component: the release that was.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="VERSION", help="The release that is considered; newest without it.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also list the claims that are not touched, and why.")
    ] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> None:
    """Which claims does a change touch, and why?

    Four questions: does it ship, does the setup reach it, does it alter behaviour, does it touch what the claim rests
    on? The answers are those of `kb audit`. A change is asked about at the newest releases; of a component every change
    that turns between --from and --to, at --to (of one with releases of its own also what else ships in them). Without
    --from: all recorded changes of the component, and how far each has got.

    For a pull request that nobody has recorded: `kb scan COMPONENT --diff FILE` names the claims that rest on its code.

    \b
    Examples:
      kb impact vllm-45211-pull-reader-thread
      kb impact "#45211" --all
      kb impact vllm-nixl-push --from 0.29.0 --to 0.33.0
      kb impact NixlConnector
    """
    from kb.cli.auditing import opened
    from kb.registry import Registry

    library = opened(root, quiet)
    title, found = _found(name, since, until, library, Registry(library))
    if json_out:
        print_json(found.as_dict())
        return
    from kb.present.impact import impact as shown
    from kb.present.text import page

    typer.echo("\n".join(shown(found, title, page(), everything)))


def _found(name: str, since: str | None, until: str | None, library: Library, registry: Registry) -> tuple[str, Impact]:
    """What was asked for, and what is known of it. Raises KbError."""
    from kb.errors import KbError
    from kb.impact import between, impact
    from kb.named import change_of, component_of, release_of

    component = component_of(name, library)
    if component is None:
        change = change_of(name, library)
        if since or until:
            raise KbError("--from and --to are for a component", f"kb impact {change.component} --from A --to B")
        return change.title, impact([change], registry)
    if since is None:
        if until is not None:
            raise KbError("--from is missing", f"kb impact {component.id} --from A --to {until}")
        return f"All recorded changes of {component.id}", impact(registry.changes.get(component.id, ()), registry)
    first = release_of(component, since, registry)
    second = release_of(component, until, registry) if until else registry.newest(component.id)
    if second is None:
        raise KbError(f"no release of {component.id} is known", "name it with --to")
    return f"{component.id} {first} to {second}", between(component.id, first, second, registry)
