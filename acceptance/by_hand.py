"""What a person found in the full sdists where a scan says something is gone, or quiet, or different.

Each line was read in the source of both releases. `agrees` is whether the reading bears the scan out.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """One symbol in one interval."""

    interval: str
    symbol: str
    agrees: bool
    what: str


READINGS = (
    Reading(
        "0.18.0..0.20.0",
        "<try: import of nixl_agent, with UCX_RCACHE_MAX_UNRELEASED>",
        True,
        "split over three statements of vllm/distributed/nixl_utils.py, from which the worker imports the names now; "
        "the variable is set outside of the try there. Reported as changed in that file, not as removed",
    ),
    Reading(
        "0.18.0..0.20.0",
        "<try: import of nixl_agent_config>",
        True,
        "the same statement in vllm/distributed/nixl_utils.py but for logger.warning_once; reported as logging",
    ),
    Reading(
        "0.20.0..0.24.0",
        "NixlPullConnector.start_load_kv",
        True,
        "one assertion more, of the worker's class; reported as types",
    ),
    Reading(
        "0.22.0..0.23.0",
        "NixlConnector.__init__",
        True,
        "a warning that kv_both is deprecated, nothing else; reported as logging",
    ),
    Reading(
        "0.22.0..0.23.0",
        "NixlConnectorWorker._apply_prefix_caching",
        True,
        "an SSM group with fewer local than remote blocks is trimmed where it was refused",
    ),
    Reading(
        "0.22.0..0.23.0",
        "NixlConnectorWorker._build_fa_local, _build_fa_remote, get_backend_aware_kv_block_len, register_kv_caches",
        True,
        "they ask virtually_split_kv_in_blocks for is_kv_layout_blocks_first: another answer with cross-layer blocks, "
        "as its definition in the neighbour kv_connector/utils.py says",
    ),
    Reading(
        "0.26.0..0.27.0",
        "NixlBaseConnectorWorker._nixl_handshake",
        True,
        "one value more in a debug line; reported as logging",
    ),
    Reading(
        "0.26.0..0.27.0",
        "NixlPullConnectorScheduler.request_finished, update_state_after_alloc; the same two of the push scheduler",
        True,
        "they call get_exchange_clipped_blocks where they called get_sw_clipped_blocks, its successor; reported as "
        "refactor. What the successor does differently is reported of the successor itself",
    ),
    Reading(
        "0.26.0..0.27.0",
        "removed: get_backend_aware_kv_block_len, _ensure_d_handshake",
        True,
        "nothing of that name and no copy of the body is left",
    ),
    Reading(
        "0.28.0..0.30.0",
        "removed: prefer_cross_layer_blocks, register_cross_layers_kv_cache(s), _register_packed_kv_cache",
        True,
        "the whole way of cross-layer blocks is gone, with the option that asked for it",
    ),
    Reading(
        "0.28.0..0.30.0",
        "removed: _sync_device_after_mamba_recv",
        False,
        "goes on, changed, as _sync_device_after_direct_recv, which is reported as added: not followed",
    ),
    Reading(
        "0.28.0..0.30.0",
        "removed: NixlPushConnectorWorker.get_finished",
        False,
        "goes on, changed, as its get_transfer_results, which is reported as added: not followed. The class inherits "
        "get_finished from its base, where it is reported as changed",
    ),
    Reading(
        "0.31.0..0.33.0",
        "removed: _attention_kv_caches, _stack_descs, _tensor_byte_span_end",
        True,
        "nothing of that name and no copy of the body is left; descriptors have five columns where they had three",
    ),
    Reading(
        "0.30.0..0.31.0",
        "NixlPushConnectorWorker._do_send_reg_notif",
        True,
        "two calls that count a failed notification; reported as logging",
    ),
    Reading(
        "0.31.0..0.33.0",
        "NixlPullConnectorWorker._get_new_notifs",
        True,
        "one call that counts a late notification; reported as logging",
    ),
)
"""Every function that a scan of these intervals calls changed but quiet, those of 0.22..0.23 that it calls behaviour,
every symbol it calls removed, and what had seemed removed between 0.18 and 0.20."""
