"""Recipes of vllm-project/recipes' strategies: `deploy_type` with `vllm_args` and `env`, for a side or for all."""

from __future__ import annotations

from kb.setups.containers import variables, words
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.reading import Found, SideName
from kb.setups.servers import read_server
from kb.setups.source import Source, Table, Text

NAME = "vllm-recipe"

_SECTIONS: tuple[tuple[str, SideName | None], ...] = (("prefill", "prefill"), ("decode", "decode"), ("vllm", None))


def recognises(source: Source) -> bool:
    return any(
        "deploy_type" in table and any(table.table(name).get("vllm_args") for name, _ in _SECTIONS)
        for table in source.tables
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    table = next(each for each in source.tables if "deploy_type" in each)
    for name, side in _SECTIONS:
        section = table.table(name)
        if not section:
            continue
        part = into.part()
        read_environment(variables(section.get("env")), part)
        read_server("vllm", words(section.get("vllm_args")), section.line("vllm_args"), part)
        into.instance(name, table.line(name), part, side, side is not None, f"section {name}")
    if table.table("pd"):
        into.skip(
            "pd", table.line("pd"), "how it would be put together with prefill and decode: not what is deployed here"
        )
    _rest(table, into)
    return into.found()


def _rest(table: Table, into: Gathering) -> None:
    router = table.table("router")
    if policy := router.text("policy"):
        into.fact("router.policy", policy, policy.line, "router.policy")
    if (install := router.text("install")) and "vllm-router" in install:
        into.fact("router.component", "vllm-router", install.line, "router.install")
    if version := table.text("min_vllm_version"):
        into.skip(f"min_vllm_version {version}", version.line, "the oldest that serves, not the build that ran")
    for name, install in table.table("vllm").table("install").items():
        if isinstance(install, Text):
            into.skip(
                f"install {name}: {install}",
                install.line,
                "an open pin for one brand; which release was installed is not said",
            )
    if count := table.text("default_instances"):
        into.skip(f"default_instances {count}", count.line, "a default that whoever deploys may change")
    for name in ("mooncake_master", "mooncake_store_config", "mooncake_vllm_config"):
        if table.table(name):
            into.skip(name, table.line(name), "settings of the store beside the engine; a setup has no key for them")
    if minimum := table.table("hardware_match"):
        into.skip(
            "hardware_match",
            table.line("hardware_match"),
            f"a demand ({', '.join(minimum)}), not the machines that ran it",
        )
