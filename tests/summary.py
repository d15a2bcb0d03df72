#!/usr/bin/env python3
"""Sums up ctest's JUnit files. The last line is "N passed, N failed"; the status is 1 if anything failed.

usage: summary.py FILE...

A test that counts cases of its own (doctest, transcripts: a line "N passed, N failed") counts as that many. Skipped
tests are named with the last line that they printed.
"""
import re, sys, xml.etree.ElementTree as tree


def own_counts(text):
    doctest = re.findall(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed", text)
    plain = re.findall(r"^(\d+) passed, (\d+) failed$", text, re.M)
    found = doctest or plain
    return (int(found[-1][0]), int(found[-1][1])) if found else None


def main():
    passed = failed = 0
    for path in sys.argv[1:]:
        try:
            cases = tree.parse(path).getroot().iter("testcase")
        except (OSError, tree.ParseError) as error:
            print(f"failed: {path}: {error}")
            failed += 1
            continue
        for case in cases:
            name, text = case.get("name"), case.findtext("system-out") or ""
            if case.find("skipped") is not None:
                words = text.strip().split("\n")[-1] or case.find("skipped").get("message", "")
                print(f"skipped: {name}: {words}")
                continue
            good, bad = own_counts(text) or (1, 0)
            if case.find("failure") is not None:
                print(f"failed: {name}")
                print(text)
                good, bad = (good, bad) if bad else (0, 1)
            passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
