#!/usr/bin/env python3
"""Kills real containers and asks the built why-died about each.

usage: live.py WHY_DIED VICTIM
Exit status 77: no engine can run here, with the reason as the last line.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine import Engine, Unavailable  # noqa: E402

MEMORY = {"Memory": 32 << 20, "MemorySwap": 32 << 20}
IMAGE = "live"
# An ELF header for a machine that this one is not.
FOREIGN = {"x86_64": 0xB7}.get(os.uname().machine, 0x3E)
FOREIGN_PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00" + bytes([FOREIGN, 0]) + b"\x01\x00\x00\x00" + bytes(40)

# name, command, limits, what is done to it, expected causes, expected confidences
DEATHS = [
    ("memory-limit", ["/victim", "eat"], MEMORY, None, {"oom-kill"}, {"high"}),
    # Its main process ended by itself with 0; the kill of its child is the news, and never certain to be its end.
    ("child-only", ["/victim", "eat-in-child"], MEMORY, None, {"oom-kill"}, {"medium"}),
    ("stopped", ["/victim", "wait"], {}, ("stop?t=1",), {"stopped"}, {"high"}),
    ("killed", ["/victim", "wait"], {}, ("kill",), {"stopped"}, {"high"}),
    ("ended", ["/victim", "exit", "0"], {}, None, {"clean-exit"}, {"high"}),
    ("failed", ["/victim", "exit", "1"], {}, None, {"exit-code"}, {"high"}),
    ("crashed", ["/victim", "segfault"], {}, None, {"segfault"}, {"high", "medium"}),
    ("foreign", ["/foreign"], {}, None, {"exec-format"}, {"high", "medium"}),
    ("missing", ["/nothing"], {}, None, {"start-failed"}, {"high"}),
    ("crowded", ["/victim", "fork-many"], {"PidsLimit": 8}, None, {"pids-limit"}, {"high", "medium"}),
]


def ask(tool, engine, *words):
    return subprocess.run([tool, *words, "--docker-host", engine.host], capture_output=True, text=True, timeout=60)


def check(tool, engine, death):
    """The complaint about this death, or an empty text."""
    name, command, limits, deed, causes, confidences = death
    engine.run(name, IMAGE, command, limits)
    if deed:
        engine.ask("POST", "/containers/" + name + "/" + deed[0])
    engine.wait(name)
    done = ask(tool, engine, name, "--format", "json")
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return "no report (status %d): %s" % (done.returncode, (done.stderr or done.stdout)[:300])
    verdict, subject = report["verdict"], report["subject"]
    print("%-14s %-12s %-7s %s" % (name, verdict.get("cause"), verdict.get("confidence"), verdict.get("summary")))
    if verdict.get("cause") not in causes:
        return "cause %r, expected %s" % (verdict.get("cause"), "/".join(sorted(causes)))
    if verdict.get("confidence") not in confidences:
        return "confidence %r, expected %s" % (verdict.get("confidence"), "/".join(sorted(confidences)))
    if subject.get("name") != name:
        return "subject %r" % subject.get("name")
    if not verdict.get("evidence"):
        return "no evidence"
    return "" if done.returncode == 0 else "exit status %d" % done.returncode


def check_names(tool, engine):
    """No such container: status 2 and the nearest name. Several: status 2 and all of them. A prefix of an id will do."""
    done = ask(tool, engine, "memory-limt")
    if done.returncode != 2 or "memory-limit" not in done.stderr:
        return "a misspelt name: status %d, %s" % (done.returncode, done.stderr.strip())
    container = json.loads(engine.ask("GET", "/containers/failed/json")[1])["Id"]
    done = ask(tool, engine, container[:12], "--format", "json")
    if done.returncode != 0 or json.loads(done.stdout)["subject"].get("name") != "failed":
        return "an id prefix: status %d" % done.returncode
    return ""


def run(tool, victim, folder):
    engine = Engine(folder)
    try:
        engine.start()
        with open(victim, "rb") as program:
            engine.image({"victim": program.read(), "foreign": FOREIGN_PROGRAM}, IMAGE)
        complaints = [(death[0], check(tool, engine, death)) for death in DEATHS]
        complaints.append(("names", check_names(tool, engine)))
    finally:
        engine.stop()
    for name, complaint in complaints:
        if complaint:
            print("FAILED %s: %s" % (name, complaint))
    return 1 if any(complaint for _, complaint in complaints) else 0


def main():
    tool, victim = sys.argv[1:3]

    def leave(number, _):
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    folder = tempfile.mkdtemp(prefix="why-died-live-")
    try:
        return run(tool, victim, folder)
    except Unavailable as reason:
        print("skipped: %s" % reason)
        return 77
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
