"""Where pages lie below the site's root: by kind and id, whole file names, so that links work from a plain folder."""

from __future__ import annotations

import re
from posixpath import dirname, relpath

from kb.vocabulary import Kind

FOLDERS: dict[Kind, str] = {
    Kind.EVALUATION: "evaluations",
    Kind.CHANGE: "changes",
    Kind.COMPONENT: "components",
    Kind.DEPLOYMENT: "deployments",
}
QUESTIONS = "questions"
INDEX = "index.html"
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


def folder(kind: Kind | str, id_: str) -> str:
    """The folder of a record's page; the list of its kind lies in the folder above it, under `index.html`."""
    name = f"{id_}_" if id_.casefold() == INDEX else id_
    return f"{FOLDERS[Kind(kind)] if kind != QUESTIONS else QUESTIONS}/{name}"


def page(kind: Kind | str, id_: str, lang: str | None = None) -> str:
    """The page of a record; in another language one folder further down."""
    inner = f"{language(lang)}/" if lang else ""
    return f"{folder(kind, id_)}/{inner}{INDEX}"


def language(lang: str) -> str:
    """A language as a folder: what somebody wrote there must not lead out of it."""
    return "-".join(re.findall(r"[a-z0-9]+", lang.casefold())) or "other"


def tag(lang: str) -> str:
    """A language as `lang` and `hreflang` take it."""
    found = re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", lang)
    return lang if found else "und"


def is_safe(name: str) -> bool:
    """Whether a name can be a folder on any disk and in any address as it is."""
    return _SAFE.fullmatch(name) is not None and ".." not in name and not name.endswith(".")


def root(path: str) -> str:
    """From a page to the site's root: `` or `../../`."""
    return "../" * path.count("/")


def relative(path: str, target: str) -> str:
    """From a page to another file of the site."""
    return relpath(target, dirname(path) or ".")


def anchor(*names: str) -> str:
    """A place within a page, from names that may be anything."""
    return "-".join(re.sub(r"[^a-z0-9.]+", "-", name.casefold()).strip("-") for name in names) or "part"
