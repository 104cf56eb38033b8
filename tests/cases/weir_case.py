"""Runs cases with the built program and reads what it leaves; shared by the tests in Python.

A test script takes the program as its first argument, then what unittest takes: names of test classes, -v, -k ...
"""
import csv
import glob
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

FLAT = ["D2Q9"]
SPATIAL = ["D3Q15", "D3Q19", "D3Q27"]
LATTICES = FLAT + SPATIAL
COLLISIONS = ["bgk", "trt"]  # that boundaries are tested with
PRECISIONS = ["single", "double"]
# All of them in the suite "variants"; otherwise each lattice and collision with one precision, in turn.
EVERY_VARIANT = "WEIR_TEST_EVERY_VARIANT" in os.environ
VARIANTS = [variant for number, variant in enumerate(itertools.product(LATTICES, COLLISIONS, PRECISIONS))
            if EVERY_VARIANT or (number + number // 2 + number // 4) % 2 == 0]
HALF_VARIANTS = [variant for variant in itertools.product(LATTICES, COLLISIONS, ["half"])
                 if EVERY_VARIANT or variant[:2] in (("D2Q9", "bgk"), ("D3Q19", "trt"), ("D3Q27", "bgk"))]

# Lines of Open MPI's own, beside what ranks say: of one that ends while another reads a message from its memory, or a thread still
# listens; of a write that fails.
OPEN_MPI_SAYS = re.compile(r"^(\[\S+:\d+\] |\[warn\] |mca_\w+: |\w+_write_all: )[^\n]*\n", re.MULTILINE)

TIMEOUT = 900  # seconds that no run of a test takes
MEMORY = "/dev/shm"

program = None  # the first argument, set by main()


def dimensions(lattice):
    return 2 if lattice in FLAT else 3


def viscosity(tau):
    return (tau - 0.5) / 3


def in_precision(precision):
    """The keys of a case for "single", "double", or "half": single with populations stored in 16 bits; with "_moments" behind it, of
    cells that keep moments; "mixed_moments": single with the stress of these in 16 bits."""
    arithmetic, _, moments = precision.partition("_")
    return {"precision": "double" if arithmetic == "double" else "single",
            "storage": precision if precision in ("half", "mixed_moments") else moments or "full"}


def along(axis, value, count=3):
    """A vector of `count` components that has one along `axis`."""
    return [value if i == axis else 0 for i in range(count)]


class Run:
    """A run that has ended: its exit code, what it said, and the files in its folder."""

    def __init__(self, folder, done):
        self.folder, self.code, self.out, self.error = folder, done.returncode, done.stdout, done.stderr

    @property
    def summary(self):
        with open(os.path.join(self.folder, "summary.json")) as file:
            return json.load(file)

    def files(self, ending=""):
        return sorted(os.path.basename(path) for path in glob.glob(os.path.join(self.folder, "*" + ending)))

    def bytes_of(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def series(self, name="series"):
        """Columns of a time series, by name."""
        return read_columns(os.path.join(self.folder, name + ".csv"))

    def profile(self, name="profile"):
        """Columns of the newest profile, by name."""
        return read_columns(self.newest(name, ".csv"))

    def fields(self, name="fields"):
        """The newest fields, by name; arrays are indexed [z, y, x] and velocity [z, y, x, component]."""
        with h5py.File(self.newest(name, ".h5")) as file:
            return {key: file[key][...] for key in file}

    def fields_at(self, name, step):
        """The fields of a step, as above."""
        with h5py.File(os.path.join(self.folder, f"{name}_{step:09d}.h5")) as file:
            return {key: file[key][...] for key in file}

    def newest(self, name, ending):
        return sorted(glob.glob(os.path.join(self.folder, f"{name}_*{ending}")))[-1]


def read_columns(path):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, numpy.array(rows, dtype=float).T))


def environment(workers):
    """Of a run on so many CPU workers; None: as many as the program likes. One worker is not bound to a core, as other tests may
    run beside this one."""
    result = dict(os.environ)
    if workers:
        result["STARPU_NCPU"] = str(workers)
    if workers == 1:
        result["STARPU_WORKERS_NOBIND"] = "1"
    return result


def launcher(ranks):
    """The words that start a program on so many ranks of this machine, however few cores it has, and the environment they need."""
    if ranks == 1:
        return [], {}
    words = ["mpirun", "-q", "-np", str(ranks), "--oversubscribe", "--bind-to", "none"]
    return words, {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
                   "STARPU_WORKERS_NOBIND": "1", "STARPU_WORKERS_GETBIND": "0"}


def can_record():
    """Whether the program's StarPU has FxT."""
    return "with FxT" in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


def results_in(folder):
    """Names of what is in a folder, but for Weir's list of it."""
    return sorted(name for name in os.listdir(folder) if name != ".weir-files")


class CaseTest(unittest.TestCase):
    """A test that runs cases in folders of its own, which are removed when it ends."""

    in_memory = False  # folders, where there is such: how long a busy disk takes is not to be tested

    def folder(self):
        memory = self.in_memory and os.access(MEMORY, os.W_OK)
        folder = tempfile.TemporaryDirectory(prefix="weir-test-", dir=MEMORY if memory else None)
        self.addCleanup(folder.cleanup)
        return folder.name

    def write(self, case):
        path = os.path.join(self.folder(), "case.json")
        with open(path, "w") as file:
            json.dump(case, file)
        return path

    def compute(self, case, *options, workers=1, ranks=1, code=0):
        """Runs a case, given as a dictionary or as the path of its file; it must end with this exit code. workers: of each rank."""
        path = self.write(case) if isinstance(case, dict) else case
        out = os.path.join(self.folder(), "out")
        words, variables = launcher(ranks)
        arguments = [*words, program, "run", path, "--quiet", "--out", out, *options]
        done = subprocess.run(arguments, env={**environment(workers), **variables}, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}{done.stderr}")
        return Run(out, done)


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    """Runs the tests of the calling script."""
    global program
    signal.signal(signal.SIGTERM, interrupt)  # of who finds that a test takes too long: folders are removed, as after Ctrl-C
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(f"usage: {sys.argv[0]} WEIR [unittest's arguments]")
    program = os.path.abspath(sys.argv.pop(1))
    with tempfile.TemporaryDirectory(prefix="weir-starpu-") as home:
        os.environ.setdefault("STARPU_HOME", home)
        result = unittest.main(exit=False).result
    sys.exit(not result.wasSuccessful())
