"""evalkb: an advisory database for performance conclusions."""

__version__ = "0.1.0"
