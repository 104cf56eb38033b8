#!/usr/bin/env python3
"""Makes libraries that stand in, where no GPU is used, for NVIDIA's of linear algebra. A StarPU that has CUDA is linked with them, and
to load them takes nine tenths of the processor time in which a program that has StarPU starts; neither Weir nor, without a GPU,
StarPU calls them. A function that is called all the same fails.

Usage: stand_ins.py LIBSTARPU FOLDER COMPILER...
"""
import os
import re
import subprocess
import sys

LIBRARIES = re.compile(r"lib(cublas|cublasLt|cusparse|cusolver)\.so\.\d+")


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries_of(path):
    """Of those that a library is linked with, each with the versions that are asked of it."""
    headers = said("objdump", "-p", path)
    needed = {name: [] for name in re.findall(r"^ +NEEDED +(\S+)$", headers, re.MULTILINE) if LIBRARIES.fullmatch(name)}
    for name, versions in re.findall(r"^  required from (\S+):\n((?:    .*\n)*)", headers, re.MULTILINE):
        if name in needed:
            needed[name] = [line.split()[-1] for line in versions.splitlines()]
    return needed


def main():
    path, folder, *compiler = sys.argv[1:]
    functions = re.findall(r"^ +U (\w+)@+(\S+)$", said("nm", "-D", path), re.MULTILINE)
    for library, versions in libraries_of(path).items():
        os.makedirs(folder, exist_ok=True)
        file, script = (os.path.join(folder, library + ending) for ending in (".c", ".map"))
        with open(file, "w") as text, open(script, "w") as nodes:
            for version in versions:
                names = [name for name, of in functions if of == version]
                text.writelines(f"int {name}(void) {{ return 1; }}\n" for name in names)
                nodes.write(f"{version} {{ {'global: ' if names else ''}{' '.join(name + ';' for name in names)} }};\n")
        subprocess.run([*compiler, "-shared", "-fPIC", "-w", "-o", os.path.join(folder, library), f"-Wl,-soname,{library}",
                        *([f"-Wl,--version-script,{script}"] if versions else []), file], check=True)


if __name__ == "__main__":
    main()
