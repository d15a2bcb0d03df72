#!/usr/bin/env python3
"""Each fixture's decisions against its expected.json. usage: run.py WHY_DIED FIXTURE

expected.json holds decisions, no prose. With FORENSICS_UPDATE=1 it is written anew and the run still fails: only the
next, clean run is green. Also held here: every piece of evidence of a line format is a quotation of its bytes.
"""
import json, os, pathlib, subprocess, sys

binary, fixture = sys.argv[1], pathlib.Path(sys.argv[2])
source = fixture / "input"
run = subprocess.run([binary, "--format", "json", "--in", str(source)], capture_output=True, timeout=120)
report = json.loads(run.stdout)
verdict = report["verdict"]

# Their evidence is the decoded message.
record_formats = {"docker-events", "journal-export", "journal-json", "dmesg-json", "container-log-json", "kmsg"}
formats = {s["source"]: s["format"] for s in report["coverage"]}

def findings():
    yield verdict
    for key in ("chain", "contributing"):
        yield from report.get(key, [])

decided = {
    "exit": run.returncode,
    "cause": verdict["cause"], "confidence": verdict["confidence"], "rule": verdict["rule"],
    "victim": verdict.get("victim", {}),
    "evidence": [f"{e['source']}:{e.get('line', 0)}" for e in verdict.get("evidence", [])],
    "chain": [f["cause"] for f in report.get("chain", [])],
    "sources": [[s["source"], s["format"]] for s in report["coverage"]],
}
wrong = []
for source_account in report["coverage"]:
    skipped = source_account["skipped"]
    skipped = sum(skipped.values()) if isinstance(skipped, dict) else skipped
    if source_account["records"] != source_account["used"] + skipped:
        wrong.append(f"account of {source_account['source']} does not add up: {source_account}")
for finding in findings():
    for e in finding.get("evidence", []):
        if "offset" not in e or "cursor" in e or formats.get(e["source"]) in record_formats:
            continue
        raw = (source / e["source"]).read_bytes()[e["offset"]:e["offset"] + e["length"]]
        if e["text"].isascii() and "\\x" not in e["text"] and raw.decode(errors="replace").replace("\t", " ") != e["text"]:
            wrong.append(f"evidence is no quotation: {e['text']!r} at {e['source']}:{e['line']}, bytes {raw!r}")

expected_file = fixture / "expected.json"
if os.environ.get("FORENSICS_UPDATE"):
    expected_file.write_text(json.dumps(decided, indent=1) + "\n")
    wrong.append("expected.json was written anew: look at the difference, then run again")
elif json.loads(expected_file.read_text()) != decided:
    wrong.append("expected:\n" + expected_file.read_text() + "\ngot:\n" + json.dumps(decided, indent=1))
print("\n".join(wrong) or "as expected")
sys.exit(bool(wrong))
