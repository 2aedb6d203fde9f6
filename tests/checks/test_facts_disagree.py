"""KB171 facts-disagree."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '>=0.24.0', options: {a: '4'}}
  - {versions: '>=0.26.0', options: {a: '8'}}
""",
        'options.a at 0.26.0: "4" by >=0.24.0, "8" by >=0.26.0',
    ),
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '<0.26', wire_version: '4'}
  - {versions: '<=0.24.0', wire_version: '5'}
""",
        "wire_version at 0.20.0",
    ),
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '*', requires: {nixl: '>=1'}}
  - {versions: '==0.29.0', requires: {nixl: '>=1.2'}}
""",
        "requires.nixl",
    ),
    (
        """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '*', passes: {n: '4'}}
  - {versions: '*', passes: {n: not-set}}
""",
        "passes.n",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """One release has one value."""
    fires("facts-disagree", fragment, says)


@rows(
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '>=0.24.0,<0.26.0', options: {a: '4'}}
  - {versions: '>=0.26.0', options: {a: '8'}}
""",
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '*', options: {a: '4'}}
  - {versions: '*', options: {b: '8'}}
  - {versions: '*', env: {a: '8'}}
""",
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '*', options: {a: '4'}}
  - {versions: '*', options: {a: '4'}}
""",
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '*', options: {a: '4'}}
  - {versions: '*', options: {a: unknown}}
""",
    """
# entries/components/it.yaml
kind: connector
ships_in: vllm
facts:
  - {versions: '*', defaults: {a: 'on'}, when: [{key: family, value: dense}]}
  - {versions: '*', defaults: {a: 'off'}, when: [{key: family, value: hybrid-ssm}]}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Ranges that meet, other keys, other conditions and unknown values do not disagree."""
    quiet("facts-disagree", fragment)
