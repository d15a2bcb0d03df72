#!/usr/bin/env python3
"""Every option of --help stands in the man page and in both completions, and they name no other; --help fits a screen.

usage: options_test.py WHY_DIED TOOLS_FOLDER
"""
import os, re, subprocess, sys

binary, tools = sys.argv[1:]
failures = []


def options(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def read(name):
    return open(os.path.join(tools, name), encoding="utf-8").read()


text = subprocess.run([binary, "--help"], capture_output=True, text=True, check=True).stdout
lines = text.splitlines()
if len(lines) > 24:
    failures.append(f"--help has {len(lines)} lines, a screen has 24")
failures += [f"--help: wider than 80 columns: {line}" for line in lines if len(line) > 80]

help_options = options(text)
others = {
    "why-died.1": options(read("why-died.1").replace("\\-", "-")),
    "completions/why-died.bash": options(re.search(r'options="(.*?)"', read("completions/why-died.bash"), re.S).group(1)),
    "completions/_why-died": options("\n".join(re.findall(r"^  '(?:\([^)]*\))?(--[a-z-]+)", read("completions/_why-died"), re.M))),
}
for name, found in others.items():
    failures += [f"{name}: lacks {option}" for option in sorted(help_options - found)]
    failures += [f"{name}: has {option}, --help does not" for option in sorted(found - help_options)]

for failure in failures:
    print(failure)
print(f"{len(others)} files, {len(help_options)} options, {len(failures)} failures")
sys.exit(1 if failures else 0)
