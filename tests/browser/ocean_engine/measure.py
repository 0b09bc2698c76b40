#!/usr/bin/env python3
"""What the ocean's pipelines take in a browser, on a machine with a GPU.

    cargo run --release --package ocean_bench --example ocean_engine -- DATA 256x3 512x3 1024x3 2048x3
    python3 measure.py BROWSER DATA 256x3 512x3 1024x3 2048x3 [--json FILE] [-- browser's flags]

BROWSER is Chromium or its headless shell. The flags that make it use a GPU depend on the machine: on Linux
`--enable-features=Vulkan --use-angle=vulkan --disable-vulkan-surface`; without a GPU, to see that all of this works,
`--enable-features=Vulkan --use-vulkan=swiftshader --use-angle=swiftshader --use-webgpu-adapter=swiftshader`, with few --iterations.

Python's standard library is all it takes, so that it runs on machines with nothing else: the page is served to the browser, and posts
its report to the same server. Every size is checked against f64 before it is timed; the exit code is 0 only if all were right.
"""

import argparse
import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

PAGE = pathlib.Path(__file__).resolve().parent
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu-sandbox",
    "--ignore-gpu-blocklist",
    "--enable-unsafe-webgpu",
    # Timestamps as the GPU writes them; without it they are rounded to 65 microseconds.
    "--enable-webgpu-developer-features",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
]


def times(iterations):
    """As often as the native benchmark: see Repetitions::of in crates/ocean/benches/gpu_timer.rs."""
    rounds = min(max(iterations // 20, 2), 10)
    return {"rounds": rounds, "singles": -(-iterations // rounds), "batch": min(max(iterations // 2, 2), 100)}


class Handler(http.server.SimpleHTTPRequestHandler):
    """The page, data/ from the other folder, and the report's way back."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def __init__(self, *arguments, data, deliver, **keywords):
        self.data, self.deliver = data, deliver
        super().__init__(*arguments, directory=str(PAGE), **keywords)

    def translate_path(self, path):
        name = pathlib.PurePosixPath(urllib.parse.urlsplit(path).path)
        return str(self.data / name.name) if name.parent.name == "data" else super().translate_path(path)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.deliver(json.loads(body))

    def log_message(self, *_):
        pass


def run(browser, data, sizes, iterations, limit, flags):
    """The page's report, or what went wrong, as {"error": ...}."""
    done, report = threading.Event(), {}

    def deliver(result):
        if not done.is_set():
            report.update(result)
            done.set()

    handler = functools.partial(Handler, data=data, deliver=deliver)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    query = urllib.parse.urlencode({"sizes": ",".join(sizes), "times": json.dumps(times(iterations))})
    url = f"http://127.0.0.1:{server.server_port}/index.html?{query}"
    profile = tempfile.mkdtemp()
    with tempfile.TemporaryFile("w+") as log:
        command = [browser, *FLAGS, f"--user-data-dir={profile}", *flags, url]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        ended = lambda: deliver({"error": f"the browser ended by itself, with {process.wait()}"})
        threading.Thread(target=ended, daemon=True).start()
        try:
            if not done.wait(limit):
                deliver({"error": f"no report after {limit} s"})
        finally:
            # The browser is many processes; it may also be gone.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if "error" in report:
            log.seek(0)
            print(log.read()[-3000:], file=sys.stderr)
    server.shutdown()
    shutil.rmtree(profile, ignore_errors=True)
    return report


def largest(shares):
    """Of errors, each a share of what is allowed. JSON has no infinity: it is null."""
    return max(float("inf") if share is None else share for share in shares)


def error(check):
    return largest(channel["share"] for layer in check["worst"] for channel in layer)


def is_right(check):
    return check["notFinite"] == 0 and error(check) <= 1 and largest(check["mips"]) <= 1


def table(results):
    lines = ["| microseconds | single, best | median | back to back | rows | columns | mip levels | error / allowed |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for result in results:
        t = result["timing"]["microseconds"]
        cells = [t["single"]["best"], t["single"]["median"], t["backToBack"]["best"]]
        cells += [t[stage]["best"] for stage in ("rows", "columns", "mips")]
        figures = " | ".join(f"{cell:.1f}" for cell in cells)
        lines.append(f"| {result['name']} | {figures} | {error(result['check']):.2f} |")
    return "\n".join(lines)


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        split = own.index("--")
        own, flags = own[:split], own[split + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("browser")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("sizes", nargs="+")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--limit", type=float, default=300, help="seconds until it counts as hung")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args(own)

    report = run(arguments.browser, arguments.data, arguments.sizes, arguments.iterations, arguments.limit, flags)
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1))
    results = report.get("results", [])
    if results:
        adapter = results[0]["adapter"]
        print(" ".join(filter(None, (adapter[key] for key in ("vendor", "architecture", "device", "description")))))
        print(table(results))
    for result in results:
        if not is_right(result["check"]):
            print(f"{result['name']}: the maps are wrong; see the JSON", file=sys.stderr)
        if result["timing"]["rounded"]:
            print(f"{result['name']}: the browser rounds its timestamps, so these times say nothing", file=sys.stderr)
    if "error" in report:
        print(report["error"], file=sys.stderr)
    right = results and all(is_right(result["check"]) and not result["timing"]["rounded"] for result in results)
    sys.exit(0 if right and "error" not in report else 1)


if __name__ == "__main__":
    main()
