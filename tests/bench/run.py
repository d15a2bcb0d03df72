#!/usr/bin/env python3
"""Times whole runs of why-died against ripgrep with the rules' own patterns, in one sitting.

usage: run.py BUILD [--megabytes 256] [--rounds 5] [--large 1024] [--markdown]

BUILD is a Release build with -D FORENSICS_BUILD_BENCH=ON. Needs rg; takes some minutes. The logs are made in a
temporary folder (about 1.3 GB) that is removed. All figures are CPU time (user and system) of one thread, medians of
runs that take turns, and read from a warm page cache: what else the machine does matters little then. Only the ratios
mean anything elsewhere.

rg runs three ways: as one would call it (`-f PATTERNS`; once, it is slow), tuned (--no-unicode, room for its automaton),
and with the bare literals only (-F), which finds candidate lines but does not tell which rule they fit. `tuned` is the
yardstick.
"""
import argparse, json, os, pathlib, re, shutil, statistics, subprocess, sys, tempfile, tomllib
import patterns

RULES = pathlib.Path(__file__).resolve().parents[2] / "rules"
TUNED = ["rg", "-j1", "-c", "--no-unicode", "--dfa-size-limit", "1G", "--regex-size-limit", "1G", "-f"]

def run(command):
    """CPU seconds and the largest resident set in MiB."""
    child = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode > 1:
        sys.exit(f"status {child.returncode}: {command}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

def take_turns(commands, rounds):
    """Median CPU seconds by name; every command runs once unmeasured, then in turns."""
    times = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            seconds, _ = run(command)
            if turn > 0:
                times[name].append(seconds)
    return {name: statistics.median(t) for name, t in times.items()}

def literals_of(folder):
    return list(dict.fromkeys(l for literals, _ in patterns.clauses(folder) for l in literals))

def subset(folder, limit):
    """Copies rules, in order of their names, while they bring no more than `limit` distinct literals in all."""
    found, chosen = set(), {}
    for file in sorted(RULES.rglob("*.toml")):
        rule = tomllib.loads(file.read_text())
        with_it = found | {l for literals, _ in patterns.clauses_of(rule) for l in literals}
        if file.name != "chains.toml" and len(with_it) <= limit:
            found, chosen[str(file.relative_to(RULES))[:-5]] = with_it, file
    for name, file in chosen.items():
        copy = folder / (name + ".toml")
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text()
        supersedes = tomllib.loads(text).get("supersedes", [])
        kept = [other for other in supersedes if other in chosen]
        if kept != supersedes:   # it may name rules that are not chosen
            line = "supersedes = " + json.dumps(kept) if kept else ""
            text = re.sub(r"^supersedes\s*=\s*\[[^\]]*\]", line, text, flags=re.M)
        copy.write_text(text)
    return folder

class Table:
    def __init__(self):
        self.rows = []
    def add(self, what, figure, wanted=""):
        self.rows.append((what, figure, wanted))
        print(f"  {what:<72} {figure:>12}  {wanted}", file=sys.stderr, flush=True)
    def markdown(self):
        print("| what | figure | wanted |\n|---|---|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")

def speed(table, folder, log, why_died, rounds):
    size = log.stat().st_size / 1e6
    for limit in (200, 400, None):
        rules = subset(folder / f"rules-{limit}", limit) if limit else RULES
        words, lines = folder / "literals", folder / "patterns"
        words.write_text("\n".join(literals_of(rules)) + "\n")
        lines.write_text("\n".join(patterns.patterns(rules)) + "\n")
        count = len(literals_of(rules))
        ours = [why_died, "--format", "json"] + (["--rules", rules] if limit else [])
        empty = folder / "empty"
        empty.write_bytes(b"")
        t = take_turns({"ours": ours + ["--in", log], "load": ours + ["--in", empty], "tuned": TUNED + [lines, log],
                        "literals": ["rg", "-j1", "-c", "-F", "-f", words, log]}, rounds)
        # --rules checks every example at each start, which the rules built in do not need: not counted
        own = t["ours"] - t["load"] if limit else t["ours"]
        title = f"{count} literals" + ("" if limit else " (all rules)")
        table.add(f"{title}: rg tuned / why-died", f"{t['tuned'] / own:.1f}", "3" if limit == 200 else "2")
        table.add(f"{title}: rg -F, literals only / why-died", f"{t['literals'] / own:.1f}")
        plain, _ = run(["rg", "-j1", "-c", "-f", lines, log])
        table.add(f"{title}: rg as it is / why-died", f"{plain / own:.1f}")
        table.add(f"{title}: why-died here", f"{size / own:.0f} MB/s")

def start(table, folder, why_died, empty_program, rounds):
    empty = folder / "empty"
    empty.write_bytes(b"")
    t = take_turns({"empty": [empty_program], "ours": [why_died, "--format", "json", "--in", empty]}, rounds * 10)
    table.add("start-up: CPU of a program that is empty, same libraries", f"{t['empty'] * 1e3:.1f} ms", "12 ms")
    table.add("start-up: CPU of why-died on an empty log beyond that", f"{(t['ours'] - t['empty']) * 1e3:.1f} ms", "15 ms")

def memory(table, log, why_died):
    _, mebibytes = run([why_died, "--format", "json", "--in", log])
    table.add(f"peak memory on {log.stat().st_size >> 20} MB", f"{mebibytes:.0f} MiB", "64 MiB")

def noise(table, folder, make_syslog, why_died, rounds):
    logs = {}
    for megabytes in (8, 32):
        logs[megabytes] = make(make_syslog, folder / f"noisy-{megabytes}", megabytes, 1)
    t = take_turns({m: [why_died, "--format", "json", "--in", log] for m, log in logs.items()}, rounds)
    table.add("every line matters: CPU of 32 MB / CPU of 8 MB", f"{t[32] / t[8]:.1f}", "4")
    table.add("every line matters: why-died here", f"{logs[32].stat().st_size / 1e6 / t[32]:.0f} MB/s")

def make(make_syslog, path, megabytes, one_in):
    with open(path, "wb") as out:
        subprocess.run([make_syslog, str(megabytes), str(one_in)], stdout=out, check=True)
    return path

def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--megabytes", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", type=int, default=1024, help="megabytes of the log that memory is measured on")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    why_died, bench = args.build / "tools/why-died", args.build / "tests/bench"
    if shutil.which("rg") is None or not (bench / "make-syslog").exists():
        sys.exit("needs rg, and a build with -D FORENSICS_BUILD_BENCH=ON")
    if "CMAKE_BUILD_TYPE:STRING=Release" not in (args.build / "CMakeCache.txt").read_text():
        print("not a Release build: the figures mean nothing", file=sys.stderr)
    table = Table()
    with tempfile.TemporaryDirectory(prefix="why-died-bench-") as name:
        folder = pathlib.Path(name)
        start(table, folder, why_died, bench / "empty-program", args.rounds)
        noise(table, folder, bench / "make-syslog", why_died, args.rounds)
        log = make(bench / "make-syslog", folder / "syslog", args.megabytes, 500)
        speed(table, folder, log, why_died, args.rounds)
        log.unlink()
        memory(table, make(bench / "make-syslog", folder / "large", args.large, 500), why_died)
    if args.markdown:
        table.markdown()

if __name__ == "__main__":
    main()
