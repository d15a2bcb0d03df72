#!/usr/bin/env python3
"""The rules' own patterns as a file for `rg -f`: one line per clause, its pattern or else its literals.

usage: patterns.py RULES_DIR > FILE
Anchors at the start are dropped (rules look at a message, rg at a whole line). A pattern that rg does not
understand (look-around) is replaced by the clause's literals.
"""
import pathlib, re, subprocess, sys, tomllib

def understood(pattern):
    return subprocess.run(["rg", "-q", "-e", pattern], input=b"", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode < 2

seen = set()
for file in sorted(pathlib.Path(sys.argv[1]).rglob("*.toml")):
    rule = tomllib.loads(file.read_text())
    for kind in ("all", "any", "none"):
        for clause in rule.get(kind, []):
            literals = clause.get("contains", [])
            literals = [literals] if isinstance(literals, str) else literals
            pattern = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", clause.get("pattern", "")).lstrip("^")
            for p in [pattern] if pattern and understood(pattern) else [re.sub(r"([^\w\s])", r"\\\1", l) for l in literals]:
                if p not in seen:
                    seen.add(p); print(p)
