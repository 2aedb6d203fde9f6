"""Units of measured numbers: which are of one kind, and how one converts into another of its kind.

Bits and bytes, and 1000 and 1024, are kept apart as sources write them: GB is 10^9 bytes, GiB 2^30, Gb 10^9 bits.
"""

from __future__ import annotations

_FACTORS: dict[str, dict[str, float]] = {
    "time": {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "μs": 1e-3, "ms": 1.0, "s": 1e3, "min": 6e4, "h": 3.6e6},
    "tokens per second": {"tok/s": 1.0, "tokens/s": 1.0, "ktok/s": 1e3, "Mtok/s": 1e6, "tok/min": 1 / 60},
    "tokens per second and GPU": {"tok/s/GPU": 1.0, "ktok/s/GPU": 1e3},
    "tokens per second and user": {"tok/s/user": 1.0},
    "requests per second": {"req/s": 1.0, "req/min": 1 / 60, "req/h": 1 / 3600},
    "requests per second and GPU": {"req/s/GPU": 1.0},
    "bandwidth": {
        "B/s": 1e-9, "KB/s": 1e-6, "MB/s": 1e-3, "GB/s": 1.0, "TB/s": 1e3,
        "MiB/s": 2**20 / 1e9, "GiB/s": 2**30 / 1e9, "Mb/s": 1e-3 / 8, "Gb/s": 1 / 8, "Gbps": 1 / 8, "Mbps": 1e-3 / 8,
    },
    "size": {
        "B": 1e-6, "KB": 1e-3, "kB": 1e-3, "MB": 1.0, "GB": 1e3, "TB": 1e6,
        "KiB": 2**10 / 1e6, "MiB": 2**20 / 1e6, "GiB": 2**30 / 1e6, "TiB": 2**40 / 1e6,
    },
    "share": {"fraction": 1.0, "%": 0.01},
    "factor": {"x": 1.0},
    "count": {"count": 1.0, "tokens": 1.0, "tok": 1.0, "requests": 1.0, "k": 1e3},
}  # fmt: skip

_KIND = {unit: kind for kind, units in _FACTORS.items() for unit in units}


def kind(unit: str) -> str | None:
    """What `unit` measures, or None when it is not one of ours."""
    return _KIND.get(unit)


def convert(value: float, unit: str, into: str) -> float | None:
    """`value` in another unit of the same kind; None when the two are not of one kind."""
    if unit == into:
        return value
    found = kind(unit)
    if found is None or found != kind(into):
        return None
    return value * _FACTORS[found][unit] / _FACTORS[found][into]


def units() -> frozenset[str]:
    """Every unit known here."""
    return frozenset(_KIND)


def factors() -> dict[str, dict[str, float]]:
    """Kind -> unit -> how many of the kind's own unit it is."""
    return {kind: dict(units) for kind, units in _FACTORS.items()}
