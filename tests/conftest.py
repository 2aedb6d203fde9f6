"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes, or takes to be drawn, is the machine's doing: properties are about what is so.
settings.register_profile("kb", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kb")
