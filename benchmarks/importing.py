"""Reading result files: a large one beside `json.load` of it, a folder of a thousand, and the memory that one takes.

The large file is what `vllm bench serve --save-detailed` writes of a long run: times and gaps of every request, texts.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.timing import Row, calls
from kb.importers import read

DETAILED_MB = 20
"""Size of the file that both readers are timed on."""
HUGE_MB = 100
"""Size of the file whose reading is watched for memory."""
MOST_MEMORY_MB = 100
"""A bare interpreter takes 10 of it."""
FOLDER = 1_000


def record(concurrency: int, requests: int = 0) -> dict[str, object]:
    """A result of vllm bench serve; with `requests`, a detailed one."""
    seeded = random.Random(concurrency)
    made: dict[str, object] = {
        "date": "20260601-120000", "endpoint_type": "openai", "backend": "openai", "label": None,
        "model_id": "org/model", "tokenizer_id": "org/model", "num_prompts": 500, "request_rate": "inf",
        "burstiness": 1.0, "max_concurrency": concurrency, "duration": 50 + seeded.random(), "completed": 500,
        "failed": 0, "total_input_tokens": 512_000, "total_output_tokens": 64_000,
        "request_throughput": 9 + seeded.random(), "request_goodput": None,
        "output_throughput": 1200 * seeded.random(), "total_token_throughput": 10_000 * seeded.random(),
    }  # fmt: skip
    if requests:
        made |= {
            "ttfts": [seeded.random() for _ in range(requests)],
            "itls": [[seeded.random() / 50 for _ in range(100)] for _ in range(requests)],
            "generated_texts": ["a text of the answer, with “quotes” and more of it " * 20] * requests,
        }
    for metric in ("ttft", "tpot", "itl", "e2el"):
        base = 100 * seeded.random() + 1
        for n, stat in enumerate(("mean", "median", "std", "p90", "p99")):
            made[f"{stat}_{metric}_ms"] = base * (1 + n / 10)
    return made


def detailed(path: Path, megabytes: int) -> Path:
    """A detailed result of about that size."""
    one = len(json.dumps(record(1, 100))) / 100
    path.write_text(json.dumps(record(1, int(megabytes * 1e6 / one))), encoding="utf-8")
    return path


def measure(folder: Path, runs: int) -> list[Row]:
    """The three figures with their bounds."""
    large = detailed(folder / "detailed.json", DETAILED_MB)
    times = calls(
        {"kb": lambda: read([str(large)]), "json": lambda: json.loads(large.read_bytes())}, min(runs, 7)
    )  # fmt: skip
    mine, theirs = statistics.median(times["kb"]), statistics.median(times["json"])
    return [
        Row(f"a detailed result, {DETAILED_MB} MB", mine, "json.load", theirs, bound=3),
        _folder(folder / "thousand"),
        _memory(detailed(folder / "huge.json", HUGE_MB)),
    ]


def _folder(folder: Path) -> Row:
    folder.mkdir()
    for n in range(FOLDER):
        (folder / f"vllm-concurrency{n}.json").write_text(json.dumps(record(n + 1)), encoding="utf-8")
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "kb", "import", str(folder), "--json"], capture_output=True, check=True
    )
    took = (time.perf_counter() - start) * 1000
    assert len(json.loads(done.stdout)["runs"]) == FOLDER
    return Row(f"a folder of {FOLDER} results, whole process", took, at_most_ms=10_000)


_WATCHED = """
import re, sys
from kb.importers import read
assert len(read([sys.argv[1]]).runs) == 1
print(int(re.search("VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024)
"""
"""Linux's own count of this process; the one of getrusage begins with that of the parent."""


def _memory(path: Path) -> Row:
    """Largest memory of a process that imports the file."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _WATCHED, str(path)], capture_output=True, check=True)
    took = (time.perf_counter() - start) * 1000
    peak = float(done.stdout)
    assert peak < MOST_MEMORY_MB, f"{peak:.0f} MB for a file of {HUGE_MB} MB"
    return Row(f"a detailed result, {HUGE_MB} MB, whole process", took, note=f"{peak:.0f} MB of memory")


if __name__ == "__main__":
    import tempfile

    from benchmarks.timing import table

    with tempfile.TemporaryDirectory(prefix="kb-benchmark-") as name:
        print(table("Importing", measure(Path(name), 5)))
