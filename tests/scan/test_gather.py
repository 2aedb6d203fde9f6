"""Facts of a component, and what differs in them between two releases."""

from __future__ import annotations

from kb.scan.facts import What, diff, values
from kb.scan.gather import changed, facts
from kb.scan.match import Status
from tests.scan.trees import of

OLD = {
    "vllm/kv/nixl_connector.py": """
        NIXL_CONNECTOR_VERSION = 5
        a = config.get_from_extra_config("num_threads", 8)
        b = config.get_from_extra_config("enable_cross_layers_blocks", "False")
        c = envs.VLLM_PORT
        d = config.get_from_extra_config("kept", 1)
    """,
    "vllm/envs.py": 'environment_variables = {"VLLM_PORT": lambda: os.getenv("VLLM_PORT", "5557")}',
    "vllm/kv/factory.py": 'F.register_connector("NixlConnector", "vllm.kv.nixl_connector", "NixlConnector")',
    "requirements/kv_connectors.txt": "nixl >= 1.1.0\nlmcache",
    "requirements/tpu.txt": "nixl==0.3.0\ntorch==2.8",
    "requirements/common.txt": "torch==2.8",
}
NEW = {
    "vllm/kv/nixl/worker.py": """
        NIXL_CONNECTOR_VERSION = 7
        a = config.get_from_extra_config("num_threads", 4)
        c = envs.VLLM_PORT
        e = os.environ.get("VLLM_NEW", "1")
    """,
    "vllm/kv/nixl/scheduler.py": 'd = config.get_from_extra_config("kept", 1)',
    "vllm/envs.py": 'environment_variables = {"VLLM_PORT": lambda: os.getenv("VLLM_PORT", "5600")}',
    "vllm/kv/factory.py": """
        F.register_connector("NixlConnector", "vllm.kv.nixl", "NixlPullConnector")
        F.register_connector("NixlPushConnector", "vllm.kv.nixl", "NixlPushConnector")
    """,
    "requirements/kv_connectors.txt": "nixl == 1.3.1\nlmcache",
    "requirements/tpu.txt": "nixl==0.3.0\ntorch==2.9",
    "requirements/common.txt": "torch==2.9",
}
GLOBS = ("vllm/kv/**", "requirements/kv_connectors*.txt")


def test_changed() -> None:
    """Defaults, names, versions and pins that came, went or differ, whatever file they moved to; nothing else."""
    found = changed(of(OLD), of(NEW), GLOBS)
    assert [
        (each.what.value, each.status.value, each.name, *(each.as_dict()[side] for side in ("old", "new")))
        for each in found
    ] == [
        ("constant", "changed", "NIXL_CONNECTOR_VERSION", "5", "7"),
        ("env", "added", "VLLM_NEW", None, "1"),
        ("env", "changed", "VLLM_PORT", "5557", "5600"),
        ("option", "removed", "enable_cross_layers_blocks", "False", None),
        ("option", "changed", "num_threads", "8", "4"),
        (
            "registered",
            "changed",
            "NixlConnector",
            "vllm.kv.nixl_connector:NixlConnector",
            "vllm.kv.nixl:NixlPullConnector",
        ),
        ("registered", "added", "NixlPushConnector", None, "vllm.kv.nixl:NixlPushConnector"),
        ("requirement", "changed", "nixl", ">=1.1.0", "==1.3.1"),
    ]


def test_places() -> None:
    """A difference names where it was and where it is."""
    row = next(each for each in changed(of(OLD), of(NEW), GLOBS) if each.name == "num_threads").as_dict()
    assert (row["old_places"], row["new_places"]) == (["vllm/kv/nixl_connector.py:3"], ["vllm/kv/nixl/worker.py:3"])


def test_same() -> None:
    """A release does not differ from itself, nor from one whose lines moved."""
    moved = {path: "# a line\n\n" + text.lstrip("\n") if path.endswith("y.py") else text for path, text in OLD.items()}
    assert changed(of(OLD), of(OLD), GLOBS) == ()
    assert changed(of(OLD), of(moved), GLOBS) == ()


def test_pins_of_what_the_component_names() -> None:
    """What the component's requirement files name is looked up in every file; the rest is not its matter."""
    pins = sorted((each.name, each.scope) for each in facts(of(OLD), GLOBS) if each.what is What.REQUIREMENT)
    assert pins == [
        ("lmcache", "requirements/kv_connectors.txt"),
        ("nixl", "requirements/kv_connectors.txt"),
        ("nixl", "requirements/tpu.txt"),
    ]
    assert not [each for each in facts(of(OLD), ["vllm/kv/**"]) if each.what is What.REQUIREMENT]


def test_named() -> None:
    """Names given are looked up without a requirement file of the component's own."""
    found = changed(of(OLD), of(NEW), ["vllm/none/**"], named=["torch"])
    assert [(each.name, each.scope) for each in found] == [
        ("torch", "requirements/common.txt"),
        ("torch", "requirements/tpu.txt"),
    ]


def test_file_renamed() -> None:
    """A requirement file under another name with the same pins is no change."""
    old, new = of({"requirements-kv.txt": "nixl==1"}), of({"requirements/kv.txt": "nixl==1"})
    assert changed(old, new, ["requirements*.txt", "requirements/*.txt"]) == ()


def test_several_defaults() -> None:
    """A name read with two defaults has both; one of them changing is a change."""
    before = of({"a.py": 'x = extra_config.get("o", 1)', "b.py": 'x = extra_config.get("o", 2)'})
    after = of({"a.py": 'x = extra_config.get("o", 1)', "b.py": 'x = extra_config.get("o", 3)'})
    assert values(facts(before, ["**"]), What.OPTION) == {"o": "1 | 2"}
    (found,) = changed(before, after, ["**"])
    assert (found.status, found.as_dict()["new"]) == (Status.CHANGED, "1 | 3")


def test_same_file_read_anew() -> None:
    """A file that is the same in both differs where a constant or variable it names does."""
    reader = 'from kv.b import TTL\nx = extra_config.get("o", TTL)\ny = envs.VLLM_PORT\nz = extra_config.get("kept", 1)'
    before = {
        "kv/a.py": reader,
        "kv/b.py": "TTL = 5\n",
        "kv/c.py": 'x = extra_config.get("kept", 1)\ny = extra_config.get("gone", 1)',
        "envs.py": 'environment_variables = {"VLLM_PORT": lambda: os.getenv("VLLM_PORT", "1")}',
        "kv/d.py": 'x = extra_config.get("other", 1)',
    }
    after = {
        **before,
        "kv/b.py": "TTL = (\n    6\n)\n",
        "kv/c.py": "",
        "envs.py": 'environment_variables = {"VLLM_PORT": lambda: os.getenv("VLLM_PORT", "2")}',
    }
    found = [
        (each.name, each.as_dict()["old"], each.as_dict()["new"]) for each in changed(of(before), of(after), ["kv/*"])
    ]
    assert found == [("VLLM_PORT", "1", "2"), ("gone", "1", None), ("o", "5", "6")]


def test_only_what_differs_is_read() -> None:
    """The difference of two releases is that of their facts, however few files are read for it."""
    old, new = facts(of(OLD), GLOBS), facts(of(NEW), GLOBS)
    assert [each.as_dict() for each in changed(of(OLD), of(NEW), GLOBS)] == [each.as_dict() for each in diff(old, new)]
