"""Facts of many releases as ranges."""

from __future__ import annotations

from kb.scan.established import established
from kb.scan.facts import Fact, What
from kb.scan.gather import facts
from tests.scan.trees import of

OPTION = 'x = extra_config.get("{name}", {value})\n'


def release(path: str, options: dict[str, str], pin: str = "nixl==1.3.1", wire: int = 5) -> tuple[Fact, ...]:
    """What was read in one release."""
    code = f"NIXL_VERSION = {wire}\n" + "".join(
        OPTION.format(name=name, value=value) for name, value in options.items()
    )
    tree = of({path: code, "requirements/kv_connectors.txt": pin, "requirements/tpu.txt": "nixl==0.3.0"})
    return facts(tree, ["kv/**", "requirements/kv_connectors.txt"])


def test_ranges() -> None:
    """Each default, pin and version has the range of the releases that were read with it, wherever its file went."""
    found = {
        "0.9.0": release("kv/a.py", {"threads": "8"}),
        "0.10.0": release("kv/a.py", {"threads": "4", "ttl": "480"}),
        "0.11.0": release("kv/b.py", {"threads": "4", "ttl": "480"}, pin="nixl>=1.3.2", wire=7),
        "0.12.0": release("kv/b.py", {"threads": "4"}, pin="nixl>=1.3.2", wire=7),
    }
    rows = [each.model_dump(exclude_defaults=True) for each in established(found)]
    assert rows == [
        {"versions": "==0.9.0", "options": {"threads": "8"}, "read_in": "kv/a.py"},
        {"versions": ">=0.10.0,<=0.11.0", "options": {"ttl": "480"}, "read_in": "kv/b.py"},
        {"versions": ">=0.10.0,<=0.12.0", "options": {"threads": "4"}, "read_in": "kv/b.py"},
        {"versions": ">=0.11.0,<=0.12.0", "requires": {"nixl": ">=1.3.2"}, "read_in": "requirements/kv_connectors.txt"},
        {"versions": ">=0.9.0,<=0.10.0", "requires": {"nixl": "==1.3.1"}, "read_in": "requirements/kv_connectors.txt"},
        {"versions": ">=0.9.0,<=0.12.0", "requires": {"nixl": "==0.3.0"}, "read_in": "requirements/tpu.txt"},
        {"versions": ">=0.11.0,<=0.12.0", "wire_version": "7", "read_in": "NIXL_VERSION in kv/b.py"},
        {"versions": ">=0.9.0,<=0.10.0", "wire_version": "5", "read_in": "NIXL_VERSION in kv/a.py"},
    ]


def test_gap() -> None:
    """A name that was away in between has two ranges."""
    there, away = release("kv/a.py", {"o": "1"}), release("kv/a.py", {})
    found = {"1.0": there, "1.1": away, "1.2": there}
    assert [each.versions for each in established(found) if each.options] == ["==1.0", "==1.2"]


def test_other_facts() -> None:
    """Registered names and fields of classes stand elsewhere in a record."""
    found = {"1.0": [Fact(What.REGISTERED, "C", "a:C", "f.py", 1), Fact(What.FIELD, "KVConfig.a", "1", "f.py", 2)]}
    assert established(found) == ()
    assert established({}) == ()
