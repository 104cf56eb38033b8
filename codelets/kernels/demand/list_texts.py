#!/usr/bin/env python3
"""Writes the kernel texts as a C file, so that the program carries what it compiles.

Usage: list_texts.py ROOT FOLDER OUTPUT DEPFILE

Takes every text of FOLDER (relative to ROOT) and of the folders in it but for demand/, and names the folders themselves in DEPFILE, so
that a new file is noticed.
"""
import os
import sys

ENDINGS = (".h", ".c", ".cuh", ".cu")


def literal(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def main(root, folder, output, depfile):
    top = os.path.join(root, folder)
    folders = [top] + sorted(entry.path for entry in os.scandir(top) if entry.is_dir() and entry.name != "demand")
    paths = sorted(entry.path for inner in folders for entry in os.scandir(inner) if entry.name.endswith(ENDINGS))
    with open(output, "w") as out:
        out.write('/* Made by list_texts.py. */\n#include "codelets/kernels/demand/texts.h"\n\n')
        out.write("const struct weir_text weir_texts[] = {\n")
        for path in paths:
            with open(path) as text:
                lines = "\n".join(literal(line) for line in text.read().split("\n")[:-1])
            out.write(f'{{"{os.path.relpath(path, root)}",\n{lines}}},\n')
        out.write("};\n")
        out.write(f"const int weir_text_count = {len(paths)};\n")
    with open(depfile, "w") as dependencies:
        dependencies.write(" ".join([output + ":"] + folders + paths) + "\n")


main(*sys.argv[1:])
