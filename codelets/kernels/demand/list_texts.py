#!/usr/bin/env python3
"""Writes the kernel texts as a C file, so that the program carries what it compiles.

Usage: list_texts.py ROOT FOLDER OUTPUT DEPFILE

Takes every text of FOLDER (relative to ROOT) and names the folder itself in DEPFILE, so that a new file is noticed.
"""
import os
import sys

ENDINGS = (".h", ".c", ".cuh", ".cu")


def literal(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def main(root, folder, output, depfile):
    names = sorted(name for name in os.listdir(os.path.join(root, folder)) if name.endswith(ENDINGS))
    paths = [os.path.join(root, folder, name) for name in names]
    with open(output, "w") as out:
        out.write('/* Made by list_texts.py. */\n#include "codelets/kernels/demand/texts.h"\n\n')
        out.write("const struct weir_text weir_texts[] = {\n")
        for name, path in zip(names, paths):
            with open(path) as text:
                lines = "\n".join(literal(line) for line in text.read().split("\n")[:-1])
            out.write(f'{{"{folder}/{name}",\n{lines}}},\n')
        out.write("};\n")
        out.write(f"const int weir_text_count = {len(names)};\n")
    with open(depfile, "w") as dependencies:
        dependencies.write(" ".join([output + ":", os.path.join(root, folder)] + paths) + "\n")


main(*sys.argv[1:])
