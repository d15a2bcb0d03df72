#!/usr/bin/env python3
"""Holds the JSON of every fixture against schema 1: keys, types, no null, and the exit status that goes with it.

usage: contract_test.py WHY_DIED BUNDLE...
"""
import json, os, re, subprocess, sys

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
TRUSTS = ("claimed", "daemon-text", "daemon", "kernel-text", "kernel")


def text(value):
    return isinstance(value, str)


def count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def time(value):
    return text(value) and TIME.match(value)


def one_of(*words):
    return lambda value: value in words


def list_of(shape):
    return lambda value: isinstance(value, list) and all(check(shape, item) for item in value)


def facts(value):
    return isinstance(value, dict) and all(isinstance(fact, (str, int, bool)) for fact in value.values())


def counts(value):
    return isinstance(value, dict) and all(count(number) for number in value.values())


# key -> (test, must be there). A test is a function or a shape.
WITNESS = {"source": (text, True), "line": (count, False)}
EVIDENCE = {"source": (text, True), "line": (count, False), "offset": (count, False), "length": (count, False),
            "cursor": (text, False), "time": (time, False), "clock": (one_of("exact", "inferred"), False),
            "text": (text, True), "also": (list_of(WITNESS), False), "repeated": (count, False)}
VICTIM = {"comm": (text, False), "pid": (count, False), "container": (text, False), "unit": (text, False),
          "device": (text, False), "mount": (text, False), "host": (text, False)}
CONFIDENCE = one_of("low", "medium", "high")
FINDING = {"cause": (text, True), "rule": (text, False), "confidence": (CONFIDENCE, True), "summary": (text, True),
           "time": (time, False), "clock": (one_of("exact", "inferred"), False), "victim": (VICTIM, False),
           "facts": (facts, True), "evidence": (list_of(EVIDENCE), True), "remedies": (list_of(text), True)}
SUBJECT = {"kind": (one_of("last-death", "container", "unit", "pid", "host"), True), "name": (text, False),
           "id": (text, False), "image": (text, False), "pid": (count, False), "died_at": (time, False),
           "exit_code": (integer, False), "signal": (text, False)}
COVERAGE = {"source": (text, True), "format": (text, True), "trust": (one_of(*TRUSTS), True), "from": (time, False),
            "to": (time, False), "covers_death": (one_of(True, False), True), "bytes": (count, False),
            "records": (count, True), "used": (count, True), "skipped": (count, True), "skipped_reasons": (counts, False)}
REPORT = {
    "schema": (one_of(1), True), "subject": (SUBJECT, True), "verdict": (FINDING, True),
    "chain": (list_of(FINDING), False), "contributing": (list_of(FINDING), True),
    "ruled_out": (list_of({"rule": (text, False), "why": (text, True), "evidence": (list_of(EVIDENCE), True)}), True),
    "contradictions": (list_of({"what": (text, True), "evidence": (list_of(EVIDENCE), True)}), True),
    "coverage": (list_of(COVERAGE), True),
    "missing": (list_of({"what": (text, True), "how_to_get_it": (text, False)}), True),
    "deaths": (list_of({"subject": (SUBJECT, True), "victim": (VICTIM, True), "time": (time, False),
                        "cause": (text, False), "confidence": (CONFIDENCE, True)}), True),
    "diagnostics": (list_of({"source": (text, False), "line": (count, False), "code": (text, True),
                             "message": (text, True), "count": (count, True)}), True)}

trouble = []


def check(shape, value):
    if callable(shape):
        return bool(shape(value))
    if not isinstance(value, dict):
        return False
    for key in value:
        if key not in shape:
            trouble.append(f"unknown key {key}")
    for key, (test, needed) in shape.items():
        if key not in value:
            if needed:
                trouble.append(f"no {key} in {json.dumps(value)[:120]}")
        elif not check(test, value[key]):
            trouble.append(f"bad {key}: {json.dumps(value[key])[:120]}")
    return True


def check_report(report, status):
    check(REPORT, report)
    cause = report["verdict"]["cause"]
    if (cause in ("none", "unknown")) != (status == 1):
        trouble.append(f"exit status {status} with cause {cause}")
    if "chain" in report:
        if len(report["chain"]) < 2:
            trouble.append("a chain of one link")
        if report["verdict"]["rule"] not in [link.get("rule") for link in report["chain"]]:
            trouble.append("the verdict is no link of the chain")
    for source in report["coverage"]:
        if source["records"] != source["used"] + source["skipped"]:
            trouble.append(f"the account of {source['source']} does not balance")
    if cause not in ("none", "unknown") and not report["verdict"]["evidence"]:
        trouble.append("a cause without evidence")


def main():
    binary, bundles = sys.argv[1], sys.argv[2:]
    failed = 0
    for bundle in bundles:
        trouble.clear()
        command = [binary, "--format", "json", "--in", bundle]
        p = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        try:
            check_report(json.loads(p.stdout.decode("utf-8")), p.returncode)
            line = subprocess.run(command, capture_output=True).stdout
            if line != p.stdout:
                trouble.append("two runs differ")
        except ValueError as error:
            trouble.append(f"no JSON: {error}; status {p.returncode}; {p.stderr.decode(errors='replace')[:300]}")
        failed += bool(trouble)
        for what in trouble:
            print(f"{os.path.basename(os.path.dirname(bundle.rstrip('/')))}: {what}")
    print(f"{len(bundles) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
