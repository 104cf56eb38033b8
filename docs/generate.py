#!/usr/bin/env python3
"""Writes what follows from the program's rows of keys, quantities and collisions: configs/schema.json, and the tables in docs/*.md
that stand between lines "<!-- table NAME ... -->" and "<!-- end of table -->".

    python3 docs/generate.py WEIR            writes what has changed
    python3 docs/generate.py WEIR --check    says what would change; exit code 1 where anything would
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TABLE = re.compile(r"<!-- table (\w+):.*?<!-- end of table -->", re.DOTALL)


def printed(weir, what):
    return subprocess.run([weir, "schema", what], capture_output=True, text=True, check=True).stdout


def generated(weir):
    """Path below the root and text of each file as it should be; and the names of tables that no file has, or the program has not."""
    tables = {match[1]: match[0] for match in TABLE.finditer(printed(weir, "tables"))}
    files = {"configs/schema.json": printed(weir, "case")}
    used = set()
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "*.md"))):
        with open(path) as file:
            text = file.read()
        names = {match[1] for match in TABLE.finditer(text)}
        used |= names
        if names:
            files[os.path.join("docs", os.path.basename(path))] = TABLE.sub(lambda match: tables.get(match[1], match[0]), text)
    return files, sorted(used ^ set(tables))


def stale(weir):
    """What is not as it should be, as words."""
    files, unused = generated(weir)
    words = [f"table {name} is either in no file of docs/ or not the program's" for name in unused]
    for name, text in files.items():
        with open(os.path.join(ROOT, name)) as file:
            if file.read() != text:
                words.append(f"{name} is not what the program's rows say")
    return words


def main():
    weir = os.path.abspath(sys.argv[1])
    if "--check" in sys.argv[2:]:
        words = stale(weir)
        print("\n".join(words + ["run python3 docs/generate.py WEIR"] if words else ["all as generated"]))
        return len(words) > 0
    for name, text in generated(weir)[0].items():
        with open(os.path.join(ROOT, name), "w") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
