"""Closed lists that code branches on. Standard library only, so that commands can name them at start.

Lists that only people and records use (questions, dimensions, metrics, terms) live in entries/vocabulary.yaml;
its `lists` section explains every member found here, and a test holds the two together.
"""

from enum import StrEnum

UNKNOWN = "unknown"
"""The source does not say. A value: different from absent (not asked) and from "same"."""

NOTHING = "none"
"""Component of a role that is known to be empty: there is no router, no cache, no stack."""


class Kind(StrEnum):
    """Kinds of record."""

    EVALUATION = "evaluation"
    CHANGE = "change"
    COMPONENT = "component"
    DEPLOYMENT = "deployment"


class EvaluationKind(StrEnum):
    CONTROLLED = "controlled"
    PRODUCTION_LIKE = "production-like"
    REFERENCE = "reference"


class ClaimKind(StrEnum):
    MEASURED = "measured"
    MECHANISM = "mechanism"
    HYPOTHESIS = "hypothesis"


class EffectForm(StrEnum):
    RATIO = "ratio"
    DIFFERENCE = "difference"
    PARITY = "parity"
    BOUND = "bound"
    THRESHOLD = "threshold"
    VALUE = "value"
    STATISTIC_RATIO = "statistic-ratio"
    ORDER = "order"


class Reported(StrEnum):
    """How a source words a comparison it gives no absolutes for."""

    IMPROVEMENT_FACTOR = "improvement-factor"
    RATIO = "ratio"
    PERCENT_CHANGE = "percent-change"
    PERCENT_IMPROVEMENT = "percent-improvement"
    DIFFERENCE = "difference"
    ORDER = "order"


class Statistic(StrEnum):
    MEAN = "mean"
    P50 = "p50"
    P75 = "p75"
    P90 = "p90"
    P95 = "p95"
    P99 = "p99"
    P99_9 = "p99_9"
    STD = "std"
    MIN = "min"
    MAX = "max"
    VALUE = "value"
    UNKNOWN = "unknown"


class Qualifier(StrEnum):
    ABOUT = "about"
    UP_TO = "up-to"
    AT_LEAST = "at-least"
    MORE_THAN = "more-than"
    LESS_THAN = "less-than"


class Phase(StrEnum):
    FIRST_CONTACT = "first-contact"
    STEADY_STATE = "steady-state"
    IDLE_EVICTION = "idle-eviction"
    CHURN = "churn"
    FAILURE_PATH = "failure-path"


class Stage(StrEnum):
    """Where a request waits; waiting for compute and waiting for coordination are never one number."""

    QUEUE = "queue"
    PREFILL_COMPUTE = "prefill-compute"
    HAND_OVER = "hand-over"
    POST = "post"
    TRANSFER = "transfer"
    FIRST_DECODE_STEP = "first-decode-step"


class ArmRole(StrEnum):
    BASELINE = "baseline"
    CANDIDATE = "candidate"
    REFERENCE = "reference"


class SourceRelation(StrEnum):
    VENDOR = "vendor"
    MAINTAINER = "maintainer"
    INDEPENDENT = "independent"
    OWN = "own"
    UNKNOWN = "unknown"


class SourceDepth(StrEnum):
    FULL = "full"
    TABLE = "table"
    EXCERPT = "excerpt"
    SECOND_HAND = "second-hand"


class Relation(StrEnum):
    """What a later evaluation is to an earlier one. `inapplicable` and `related` never count against it."""

    REPLICATES = "replicates"
    FAILS_TO_REPLICATE = "fails-to-replicate"
    NARROWS = "narrows"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    INAPPLICABLE = "inapplicable"
    RELATED = "related"
    SAME_SOURCE = "same-source"


class ChangeKind(StrEnum):
    FEATURE = "feature"
    PERFORMANCE = "performance"
    FIX = "fix"
    BEHAVIOUR = "behaviour"
    DEFAULT = "default"
    PROTOCOL = "protocol"
    REQUIREMENT = "requirement"
    REMOVAL = "removal"
    REFACTOR = "refactor"
    LOGGING = "logging"
    TYPES = "types"
    TESTS = "tests"
    DOCS = "docs"
    HARNESS = "harness"


class ChangeStatus(StrEnum):
    """State of the proposal. Whether it ships is said per artifact, and whether it is measured is an evaluation."""

    PROPOSED = "proposed"
    MERGED = "merged"
    REVERTED = "reverted"
    CLOSED = "closed"


class ChangeRelation(StrEnum):
    REVERTS = "reverts"
    RE_LANDS = "re-lands"
    FIXES = "fixes"
    REPLACES = "replaces"
    BACKPORTS = "backports"
    REQUIRES = "requires"
    RELATED = "related"


class Artifact(StrEnum):
    WHEEL = "wheel"
    SDIST = "sdist"
    TAG = "tag"
    IMAGE = "image"


class Ships(StrEnum):
    YES = "yes"
    NO = "no"
    NOT_ESTABLISHED = "not-established"


class ComponentKind(StrEnum):
    CONNECTOR = "connector"
    TRANSFER_LIBRARY = "transfer-library"
    ENGINE = "engine"
    ROUTER = "router"
    STACK = "stack"
    CACHE = "cache"
    CLIENT = "client"


class TransferMode(StrEnum):
    """Who moves the KV: pull (READ by decode), push (WRITE by prefill), store (through a shared pool), local."""

    PULL = "pull"
    PUSH = "push"
    STORE = "store"
    LOCAL = "local"
    NONE = "none"
    UNKNOWN = "unknown"


class Operator(StrEnum):
    IS = "is"
    IS_NOT = "is-not"
    IN = "in"
    NOT_IN = "not-in"
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    WITHIN = "within"
    LOW_IN = "low-in"
    HIGH_IN = "high-in"
    MATCHES = "matches"
    SET = "set"
    NOT_SET = "not-set"


class Outcome(StrEnum):
    HOLDS = "holds"
    RECHECK = "recheck"
    NARROWED = "narrowed"
    SUPERSEDED = "superseded"
    NOT_APPLICABLE = "not-applicable"
    UNKNOWN = "unknown"


class ImpactStatus(StrEnum):
    NOT_AFFECTED = "not-affected"
    AFFECTED = "affected"
    UNDER_INVESTIGATION = "under-investigation"
    REMEASURED = "remeasured"


class Justification(StrEnum):
    """Why a change does not affect a claim; `not-affected` needs one."""

    PATH_NOT_EXECUTED = "path-not-executed"
    ARM_NOT_INVOLVED = "arm-not-involved"
    DEFAULT_OFF = "default-off"
    REFACTOR_ONLY = "refactor-only"
    OBSERVABILITY_ONLY = "observability-only"
    OUTSIDE_ENVELOPE = "outside-envelope"
    SAME_BEHAVIOUR_SHOWN = "same-behaviour-shown"


class Better(StrEnum):
    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


class Severity(StrEnum):
    """error: cannot be right; warning: a reviewer will stumble; info: a fact a reviewer will ask for."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


LANGUAGES = ("en", "ja", "pt", "zh", "ko", "de", "fr", "es")
"""Languages a record's text may be written in (BCP 47 primary subtags)."""
