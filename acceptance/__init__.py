"""Proof on real releases, from the package index: not part of `make test`."""
