"""What one module reads, declares and registers."""

from __future__ import annotations

import pytest

from kb.scan.facts import What
from kb.scan.gather import facts
from tests.scan.trees import of, tree


def found(code: str, **more: str) -> list[tuple[str, str, str]]:
    """Kind, name and value of the facts of a module, in the order of the code."""
    release = tree(a_py=code, **more)
    return [
        (each.what.value, each.name, each.value)
        for each in sorted(facts(release, ["a.py"]), key=lambda each: (each.line, each.name))
    ]


@pytest.mark.parametrize(
    ("code", "name", "value"),
    [
        ('import os\nx = os.environ["A"]', "A", "required"),
        ('x = os.environ.get("A")', "A", "not-set"),
        ('x = os.environ.get("A", "5600")', "A", "5600"),
        ('x = int(os.getenv("A", "5600"))', "A", "5600"),
        ('x = os.getenv("A", default="b")', "A", "b"),
        ('from os import environ\nx = environ.get("A", "")', "A", '""'),
        ('x = os.environ.setdefault("A", "1")', "A", "1"),
        ('x = "A" not in os.environ', "A", "not-set"),
        ('NAME = "A"\nx = os.getenv(NAME, None)', "A", "not-set"),
        ('DEFAULT = "b"\nx = os.getenv("A", DEFAULT)', "A", "b"),
        ('x = any(v in os.environ for v in ("A",))', "A", "not-set"),
        ('x = os.getenv("A", str(1 + 2))', "A", "str(1 + 2)"),
    ],
)
def test_env(code: str, name: str, value: str) -> None:
    """An environment variable is read with the default that the code states."""
    assert found(code) == [("env", name, value)]


@pytest.mark.parametrize(
    "code",
    [
        'os.environ["A"] = "1"',
        'del os.environ["A"]',
        "x = os.environ.copy()",
        "x = os.getenv(name)",
        'x = other.get("A", 1)',
        'environment = {"a": 1}\nx = environment["a"]',
        '"""os.environ["A"] is read elsewhere"""',
        "# os.environ['A']",
        "x = envs.lower\ny = envs",
        "os.environ[",
    ],
)
def test_no_env(code: str) -> None:
    """Writing a variable, talking of it or reading another mapping is no fact; nor is text that is no Python."""
    assert found(code) == []


def test_table() -> None:
    """A variable read as an attribute has the default of the engine's table; one the table lacks has an unknown one."""
    table = """
        import os
        PORT = "5600"
        environment_variables = {
            "VLLM_PORT": lambda: int(os.getenv("VLLM_PORT", PORT)),
            "VLLM_MODE": env_with_choices("VLLM_MODE", "auto", ["auto", "off"]),
            "VLLM_BARE": lambda: os.environ.get("VLLM_BARE"),
            "VLLM_FAR": get_far,
        }
    """
    code = "import vllm.envs as envs\nx = [envs.VLLM_PORT, envs.VLLM_MODE,\n"
    code += "vllm.envs.VLLM_BARE, envs.VLLM_FAR, envs.VLLM_NEW]"
    assert found(code, vllm__envs_py=table) == [
        ("env", "VLLM_MODE", "auto"),
        ("env", "VLLM_PORT", "5600"),
        ("env", "VLLM_BARE", "not-set"),
        ("env", "VLLM_FAR", "unknown"),
        ("env", "VLLM_NEW", "unknown"),
    ]


def test_table_of_classes() -> None:
    """Variables listed as values of a class are found by their class."""
    table = 'class Envs:\n    SGLANG_BACKEND = EnvStr("UCX")\n    SGLANG_OFF = EnvBool(False)\n    OTHER = 1\n'
    code = "x = envs.SGLANG_BACKEND.get()\ny = envs.SGLANG_OFF.get()"
    assert found(code, srt__environ_py=table) == [("env", "SGLANG_BACKEND", "UCX"), ("env", "SGLANG_OFF", "false")]


def test_table_is_the_component() -> None:
    """Where the table itself is asked about, every variable of it is a fact."""
    release = tree(envs_py='environment_variables = {"A": lambda: os.getenv("A", "1"), "B": env("B", 2)}')
    assert {(each.name, each.value) for each in facts(release, ["envs.py"])} == {("A", "1"), ("B", "2")}


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ('x = config.kv_transfer_config.get_from_extra_config("o", ["UCX"])', "[UCX]"),
        ('x = config.kv_transfer_config.get_from_extra_config(\n    "o", 480\n)', "480"),
        ('x = bool(config.kv_connector_extra_config.get("o", False))', "false"),
        ('x = extra_config.get("o") or get_ip()', "not-set"),
        ('x = int(extra_config["o"])', "required"),
        ('x = "o" in self.extra_config', "not-set"),
        ('extra = config.kv_connector_extra_config or {}\nx = extra.get("o", 3600.0)', "3600.0"),
        ('self._extra = dict(config.kv_connector_extra_config)\nx = self._extra.pop("o", 64_000)', "64000"),
        ('more = self._config.kv_connector_extra_config if self._config else {}\nx = more.get("o", -1)', "-1"),
        ('DEFAULT_S = 30\nx = extra_config.get("o", DEFAULT_S)', "30"),
        ('x = get_extra_config_value("o", 1)', "1"),
        ('x = config.get_from_extra_config("o", self.ttl)', "self.ttl"),
        ('x = config.get_from_extra_config("o", {})', "{}"),
    ],
)
def test_option(code: str, value: str) -> None:
    """An option of a connector is read with its default, however the free-form configuration is held."""
    assert found(code) == [("option", "o", value)]


@pytest.mark.parametrize(
    "code",
    [
        'x = params.get("o", 1)  # extra_config',
        'extra_config["o"] = 1',
        "x = extra_config.get(name, 1)",
        "def get_from_extra_config(self, key, default):\n    return self.kv_connector_extra_config.get(key, default)",
        'raise ValueError("set o in kv_connector_extra_config")',
        "for key in extra_config: pass",
    ],
)
def test_no_option(code: str) -> None:
    """Another mapping, a write, a name that is computed: no option."""
    assert found(code) == []


def test_default_from_another_module() -> None:
    """An imported default is looked up among the component's modules, unless they disagree on it."""
    release = of(
        {
            "c/a.py": 'from c.b import T\nx = extra_config.get("o", T)',
            "c/b.py": "T = 5",
            "d/b.py": "T = 6",
        }
    )
    assert [each.value for each in facts(release, ["c/*.py"])] == ["5"]
    assert [each.value for each in facts(release, ["**"])] == ["T"]


def test_fields() -> None:
    """Fields of configuration classes with their defaults; of other classes, private and class variables none."""
    code = """
        @dataclass
        class KVConfig:
            role: str | None = None
            port: int = 14579
            name: str
            extra: dict[str, Any] = field(default_factory=dict)
            made: int = Field(default_factory=make)
            low: int = Field(3, ge=0)
            must: int = Field(..., ge=0)
            _inner: int = 1
            KEYS: ClassVar[int] = 2
            def run(self): pass
        class Worker:
            count: int = 1
    """
    assert found(code) == [
        ("field", "KVConfig.role", "not-set"),
        ("field", "KVConfig.port", "14579"),
        ("field", "KVConfig.name", "required"),
        ("field", "KVConfig.extra", "{}"),
        ("field", "KVConfig.made", "make()"),
        ("field", "KVConfig.low", "3"),
        ("field", "KVConfig.must", "required"),
    ]


def test_arguments() -> None:
    """Arguments of a command line by their long name."""
    code = """
        parser.add_argument("-p", "--port", type=int, default=8000)
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--host", required=True)
        parser.add_argument("--mode")
        parser.add_argument("--kv", **kwargs["kv"])
        parser.add_argument("name")
    """
    assert [(name, value) for _, name, value in found(code)] == [
        ("--port", "8000"),
        ("--fast", "false"),
        ("--host", "required"),
        ("--mode", "not-set"),
        ("--kv", "unknown"),
    ]


def test_constants() -> None:
    """Constants that by their name are versions on the wire; a package's own version is none."""
    code = """
        NIXL_CONNECTOR_VERSION: int = 15
        PROTOCOL_VERSION = "2"
        __version__ = "1.0"
        TIMEOUT = 5
        VERSION_TABLE = [1, 2]
        CONVERSION = 3
        class Wire:
            _FORMAT_VERSION = 1
        def f():
            INNER_VERSION = 4
    """
    assert found(code) == [
        ("constant", "NIXL_CONNECTOR_VERSION", "15"),
        ("constant", "PROTOCOL_VERSION", "2"),
        ("constant", "_FORMAT_VERSION", "1"),
    ]


def test_registered() -> None:
    """Names under which classes can be configured, with where the class is."""
    code = """
        KVConnectorFactory.register_connector("NixlConnector", "vllm.v1.nixl", "NixlPullConnector")
        register_buffer("x", tensor)
        register_hook("only")
        factory.register_connector(name, "a", "b")
    """
    assert found(code) == [("registered", "NixlConnector", "vllm.v1.nixl:NixlPullConnector")]


def test_places() -> None:
    """A fact says where it is; one name read in two places is two facts."""
    release = tree(k__a_py='\n\nx = extra_config.get("o", 1)\n', k__b_py='x = extra_config.get("o", 2)')
    assert [(each.what, each.place, each.value) for each in facts(release, ["k/*.py"])] == [
        (What.OPTION, "k/a.py:3", "1"),
        (What.OPTION, "k/b.py:1", "2"),
    ]
