#!/usr/bin/env python3
"""Runs transcripts: commands with the output and exit status that they must have.

usage: transcript.py --bin DIR FILE...

A .txt file is one transcript; of a .md file every block fenced as ```console is one.

  # a comment, before the first command only
  $ why-died 137 --quiet
  Exit status 137 (SIGKILL): ...
  [exit 0]

Standard output and standard error are shown as they come, as on a terminal. No [exit N] means 0. A line that is only
... stands for any number of lines, ... at the end of a line for the rest of it. Commands run in the project's folder
with $TMP as an empty scratch folder, which reads as $TMP in the output. FORENSICS_UPDATE=1 rewrites what differs, and
still fails: nobody updates by accident.
"""
import argparse, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def blocks(path):
    """The lines of a file, and the spans of them (first, end) that are transcripts."""
    lines = open(path, encoding="utf-8").read().split("\n")
    if not path.endswith(".md"):
        return lines, [(0, len(lines))]
    spans, start = [], None
    for i, line in enumerate(lines):
        if start is None and line.strip() == "```console":
            start = i + 1
        elif start is not None and line.strip() == "```":
            spans.append((start, i))
            start = None
    return lines, spans


def steps(lines):
    """What stands before the first command, and (command, expected lines) of each."""
    head, out = [], []
    for line in lines:
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
        else:
            head.append(line)
    return head, out


def run(command, folder, scratch):
    env = {"PATH": folder + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "TZ": "UTC", "LC_ALL": "C", "TMP": scratch,
           "HOME": scratch, "TERM": "dumb"}
    env |= {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    p = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=120)
    lines = p.stdout.decode("utf-8", "backslashreplace").replace(scratch, "$TMP").split("\n")
    return (lines[:-1] if lines[-1] == "" else lines), p.returncode


def fits(expected, got):
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*?"
        elif line.endswith("..."):
            pattern += re.escape(line[:-3]) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def split_status(expected):
    """Output, status, and the number of blank lines that only separate it from the next command."""
    body = list(expected)
    while body and body[-1] == "":
        body.pop()
    blank = len(expected) - len(body)
    status = re.fullmatch(r"\[exit (\d+)\]", body[-1]) if body else None
    if status:
        body.pop()
    return body, int(status.group(1)) if status else 0, blank


def check_block(path, lines, folder, scratch):
    """The lines as they should be, and the number of commands that passed and failed."""
    head, commands = steps(lines)
    rewritten, passed, failed = list(head), 0, 0
    for command, expected in commands:
        body, status, blank = split_status(expected)
        got, code = run(command, folder, scratch)
        rewritten.append("$ " + command)
        if fits(body, got) and code == status:
            passed += 1
            rewritten += expected
            continue
        failed += 1
        print(f"{os.path.relpath(path, ROOT)}: $ {command}\n--- expected (exit {status})")
        print("\n".join(body) + f"\n--- got (exit {code})")
        print("\n".join(got) + "\n---")
        rewritten += got + ([f"[exit {code}]"] if code else []) + [""] * blank
    return rewritten, passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the folder of why-died")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    passed = failed = 0
    for path in arguments.files:
        lines, spans = blocks(path)
        bad_here = 0
        for first, end in reversed(spans):
            with tempfile.TemporaryDirectory(prefix="transcript-") as scratch:
                lines[first:end], good, bad = check_block(path, lines[first:end], os.path.abspath(arguments.bin), scratch)
            passed, bad_here = passed + good, bad_here + bad
        failed += bad_here
        if bad_here and os.environ.get("FORENSICS_UPDATE"):
            open(path, "w", encoding="utf-8").write("\n".join(lines))
            print(f"{os.path.relpath(path, ROOT)}: rewritten; read the difference, then run again")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
