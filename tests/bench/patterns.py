#!/usr/bin/env python3
"""The rules' own patterns as a file for `rg -f`: one line per clause, its pattern or else its literals.

usage: patterns.py RULES_DIR > FILE
Anchors at the start are dropped (rules look at a message, rg at a whole line) and groups lose their names (rg compiles
all patterns as one, where a name may stand once). A pattern that rg does not understand (look-around) is replaced by
the clause's literals.
"""
import pathlib, re, subprocess, sys, tomllib

def understood(pattern):
    run = subprocess.run(["rg", "-q", "-e", pattern], input=b"", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run.returncode < 2

def quoted(literal):
    return re.sub(r"([\\.+*?()|\[\]{}^$#&~-])", r"\\\1", literal)

def clauses_of(rule):
    """Every clause of a rule, as (literals, pattern); the pattern may be empty."""
    for kind in ("all", "any", "none"):
        for clause in rule.get(kind, []):
            literals = clause.get("contains", [])
            yield [literals] if isinstance(literals, str) else literals, clause.get("pattern", "")

def clauses(folder):
    for file in sorted(pathlib.Path(folder).rglob("*.toml")):
        yield from clauses_of(tomllib.loads(file.read_text()))

def patterns(folder):
    """What rg gets for the rules in a folder, each once."""
    found = {}
    for literals, pattern in clauses(folder):
        pattern = re.sub(r"\(\?<(?=[A-Za-z_])[^>]*>", "(?:", pattern).lstrip("^")
        pattern = re.sub(r"\\([/'\"`:=!,;<>@%_ ])", r"\1", pattern)   # escapes that Boost allows and rg refuses
        for p in [pattern] if pattern and understood(pattern) else [quoted(l) for l in literals]:
            found.setdefault(p)
    return list(found)

if __name__ == "__main__":
    print("\n".join(patterns(sys.argv[1])))
