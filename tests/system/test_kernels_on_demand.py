#!/usr/bin/env python3
"""Kernels on demand: compiled once, kept, found again, never taken from where others may have written, the same from every
compiler; and what weir says where they cannot be had.

Usage: test_kernels_on_demand.py WEIR
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEIR = os.path.abspath(sys.argv.pop(1))

# A collision that no case of configs/ has: of its kernels one has to be compiled here, and that takes a second.
LATTICE, COLLISION, PRECISION = "D2Q9", "bgk", "single"


def case_of(lattice=LATTICE, collision=COLLISION, precision=PRECISION):
    count = 2 if lattice.startswith("D2") else 3
    return {
        "name": "kernels", "lattice": lattice, "collision": {"operator": collision},
        "precision": "single" if precision == "half" else precision,
        **({"storage": "half"} if precision == "half" else {}),
        "domain": {"cells": [18, 7, 5][:count], "periodic": [True, False, False][:count]},
        "fluid": {"tau": 0.6},
        "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0, 0][:count]}},
        "initial": {"density": "1 + 0.01*sin(2*pi*x/nx)"},
        "solids": [{"sphere": {"center": [5.5, 3, 2][:count], "radius": 1.6}}],
        "run": {"steps": 9},
    }


class OnDemand(unittest.TestCase):
    filled = None  # a cache with the kernels of the case, once a test has asked for it

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weir-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.cache = os.path.join(self.folder, "cache")
        self.temporary = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporary)
        self.runs = 0

    def fill_cache(self):
        """What weir kernels build makes, without the seconds that it takes: for tests of what comes after."""
        if not OnDemand.filled:
            OnDemand.filled = tempfile.mkdtemp(prefix="weir-test-")
            unittest.addModuleCleanup(shutil.rmtree, OnDemand.filled)
            self.build(WEIR_KERNEL_CACHE=os.path.join(OnDemand.filled, "cache"))
        shutil.copytree(os.path.join(OnDemand.filled, "cache"), self.cache)

    def environment(self, **changes):
        environment = {**os.environ, "WEIR_KERNEL_CACHE": self.cache, "TMPDIR": self.temporary, **changes}
        environment.pop("WEIR_KERNELS", None) if "WEIR_KERNELS" not in changes else None
        if "CC" not in changes:
            environment.pop("CC", None)
        return environment

    def case(self, *variant):
        path = os.path.join(self.folder, "_".join(("case",) + variant) + ".json")
        with open(path, "w") as file:
            json.dump(case_of(*variant), file)
        return path

    def weir(self, *words, **changes):
        return subprocess.run([WEIR, *words], env=self.environment(**changes), capture_output=True, text=True, timeout=300)

    def build(self, *words, **changes):
        done = self.weir("kernels", "build", self.case(), *words, **changes)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def run_case(self, *variant, **changes):
        """The result of a run, and what it said."""
        self.runs += 1
        out = os.path.join(self.folder, f"out{self.runs}")
        done = self.weir("run", self.case(*variant), "--out", out, **changes)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(out, "summary.json")) as file:
            return json.load(file)["digest"], done.stderr

    def kept(self, folder=None):
        return sorted(name for name in os.listdir(folder or self.cache) if name.endswith(".kernel"))

    def step_kernel(self):
        return next(os.path.join(self.cache, name) for name in self.kept() if name.startswith("collide_stream."))

    def compiler(self, text):
        """A compiler that is this shell script; it tells a version as compilers do."""
        path = os.path.join(self.folder, "compiler")
        with open(path, "w") as file:
            file.write(f'#!/bin/sh\n[ "$1" = --version ] && echo "compiler 1.0" && exit\n{text}\n')
        os.chmod(path, 0o755)
        return path

    def assert_tidy(self):
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertEqual([name for name in os.listdir(self.cache) if not name.endswith(".kernel")], [])


class Keeping(OnDemand):
    def test_compiled_once_and_told(self):
        digest, said = self.run_case()
        self.assertRegex(said, rf"weir: compiled kernels of D2Q9_bgk_single for \S+.* in [0-9.]+ s \(\d+ objects?\), kept in {self.cache}")
        self.assert_tidy()
        again, said = self.run_case()
        self.assertEqual(again, digest)
        self.assertNotIn("compiled", said)

    def test_quiet(self):
        done = self.weir("run", self.case(), "--out", os.path.join(self.folder, "out"), "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_build_list_clear(self):
        done = self.build()
        count = int(re.match(r"compiled (\d+) of \d+ objects", done.stdout).group(1))
        self.assertEqual(len(self.kept()), count)
        self.assertIn("there already", self.build().stdout)
        done = self.weir("kernels", "list")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"collide_stream\.D2Q9_bgk_single\.\S+ +\d+ kB  20\d\d-\d\d-\d\d \d\d:\d\d  \S+")
        self.assertNotIn("broken", done.stdout)
        self.assertIn(f"removed {count} kernel", self.weir("kernels", "clear").stdout)
        self.assertEqual(os.listdir(self.cache), [])

    def test_two_processes_share_the_work(self):
        self.fill_cache()
        alone = len(self.kept())
        self.weir("kernels", "clear")
        words = [WEIR, "kernels", "build", self.case()]
        both = [subprocess.Popen(words, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        counts = []
        for process in both:
            out, error = process.communicate(timeout=300)
            self.assertEqual((process.returncode, error), (0, ""))
            match = re.match(r"compiled (\d+) of", out)
            counts.append(int(match.group(1)) if match else 0)
        self.assertEqual(sum(counts), alone)
        self.assertEqual(len(self.kept()), alone)
        self.assert_tidy()


class Distrust(OnDemand):
    """A kernel that may not be what it should is compiled anew."""

    def spoilt(self, spoil):
        self.fill_cache()
        digest, said = self.run_case()
        self.assertNotIn("compiled", said)
        spoil(self.step_kernel())
        again, said = self.run_case()
        self.assertEqual(again, digest)
        self.assertIn("compiled kernels of D2Q9_bgk_single", said)
        self.assertNotIn("compiled", self.run_case()[1])

    def test_truncated(self):
        self.spoilt(lambda path: os.truncate(path, os.path.getsize(path) // 2))

    def test_empty(self):
        self.spoilt(lambda path: os.truncate(path, 0))

    def test_changed(self):
        def change(path):
            with open(path, "r+b") as file:
                file.seek(5000)
                byte = file.read(1)
                file.seek(5000)
                file.write(bytes([byte[0] ^ 1]))
        self.spoilt(change)

    def test_another_kernel_by_that_name(self):
        def rename(path):
            self.run_case("D2Q9", "bgk", "double")
            other = next(os.path.join(self.cache, name) for name in self.kept() if "D2Q9_bgk_double" in name)
            shutil.copyfile(other, path)
        self.spoilt(rename)

    def test_others_may_write_the_file(self):
        self.spoilt(lambda path: os.chmod(path, 0o666))

    def test_link(self):
        def move(path):
            away = os.path.join(self.folder, "away")
            os.rename(path, away)
            os.symlink(away, path)
        self.spoilt(move)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_file_of_another_user(self):
        self.spoilt(lambda path: os.chown(path, 12345, -1))

    def test_others_may_write_the_folder(self):
        self.fill_cache()
        digest, _ = self.run_case()
        os.chmod(self.cache, 0o777)
        again, said = self.run_case()
        self.assertEqual(again, digest)
        self.assertRegex(said, r"compiled kernels .* not kept: others may write to .*chmod go-w")
        self.assertIn("not used: others may write", self.weir("kernels", "list").stdout)

    def test_folder_that_travels(self):
        folder = os.path.join(self.folder, "kernels")
        self.build("--out", folder)
        without_compiler = {"CC": "/nonexistent/cc", "WEIR_KERNELS": folder}
        _, said = self.run_case(**without_compiler)
        self.assertNotIn("compiled", said)
        os.chmod(folder, 0o775)
        self.assertEqual(self.weir("run", self.case(), "--out", os.path.join(self.folder, "out"), **without_compiler).returncode, 77)


class NoRoom(OnDemand):
    def test_folder_cannot_be_made(self):
        with open(self.cache, "w"):
            pass
        digest, said = self.run_case()
        self.assertRegex(said, "not kept: .*cache cannot be ")
        os.remove(self.cache)
        self.assertEqual(self.run_case()[0], digest)

    def test_full_disk(self):
        script = f"mkdir -p {self.cache} && mount -t tmpfs -o size=8k,mode=700 none {self.cache} && exec "
        words = ["unshare", "-rm", "sh", "-c", script + '"$@"', "sh"]
        if subprocess.run(words + ["true"], capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        done = subprocess.run(words + [WEIR, "run", self.case(), "--out", os.path.join(self.folder, "out")],
                              env=self.environment(), capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No space left on device", done.stderr)


class NoCompiler(OnDemand):
    def test_exit_77_and_what_to_do(self):
        done = self.weir("run", self.case(), "--out", os.path.join(self.folder, "out"), CC="/nonexistent/cc")
        self.assertEqual(done.returncode, 77)
        for words in ("D2Q9", "/nonexistent/cc", "weir kernels build", "WEIR_KERNELS"):
            self.assertIn(words, done.stderr)
        self.assertEqual(self.weir("kernels", "build", self.case(), CC="/nonexistent/cc").returncode, 77)

    def test_kept_kernels_do_without(self):
        self.fill_cache()
        digest, _ = self.run_case()
        again, said = self.run_case(CC="/nonexistent/cc")
        self.assertEqual(again, digest)
        self.assertNotIn("compiled", said)

    def test_failing_compiler(self):
        done = self.weir("run", self.case(), "--out", os.path.join(self.folder, "out"),
                         CC=self.compiler("echo 'kernel.c:7: error: not today' >&2; exit 1"))
        self.assertEqual(done.returncode, 1)
        match = re.search(r"compiling kernel (\S+) with compiler 1.0 failed: .*not today; the whole log: (\S+)", done.stderr)
        self.assertIn("D2Q9", match.group(1))
        with open(match.group(2)) as log:
            self.assertIn("not today", log.read())
        self.assertEqual(self.kept(), [])
        self.assertEqual(os.listdir(self.temporary), [])


class Interrupted(OnDemand):
    def interrupt(self, number):
        mark = os.path.join(self.folder, "mark")
        slow = self.compiler(f"touch {mark}; exec sleep 60")
        process = subprocess.Popen([WEIR, "kernels", "build", self.case()], env=self.environment(CC=slow), start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(mark):
            time.sleep(0.02)
        os.killpg(process.pid, number)
        process.communicate(timeout=300)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(self.kept(), [])

    def test_killed(self):
        self.interrupt(signal.SIGKILL)
        self.build()
        self.assert_tidy()

    def test_interrupt(self):
        self.interrupt(signal.SIGINT)
        self.build()
        self.assert_tidy()


class Constants(OnDemand):
    """Kernels of GPUs for the blocks of a case."""

    def test_built_ahead_for_the_blocks_that_a_case_names(self):
        if "for GPUs none" in self.weir("kernels", "list").stdout:
            self.skipTest("there is no NVRTC")
        self.build("--arch", "sm_90")
        cubins = {name for name in os.listdir(self.cache) if name.endswith(".cubin")}
        self.assertEqual([name for name in cubins if ".blocks." in name], [])
        self.build("--arch", "sm_90", "--set", "blocks.cells=[10, 7]")
        more = {name for name in os.listdir(self.cache) if name.endswith(".cubin")} - cubins
        # Two sizes along x, 10 and 8, each with both parities.
        self.assertEqual(sorted(re.search(r"PARITY(\d).*_(\d+x\d+x1)\.sm_90-.*\.blocks\.cubin$", name).groups() for name in more),
                         [("0", "10x7x1"), ("0", "8x7x1"), ("1", "10x7x1"), ("1", "8x7x1")])
        self.assertEqual(self.weir("kernels", "list").stdout.count("_10x7x1.sm_90"), 2)
        self.assertIn("there already", self.build("--arch", "sm_90", "--set", "blocks.cells=[10, 7]").stdout)
        self.weir("kernels", "clear")
        self.assertEqual(os.listdir(self.cache), [])

    def test_wrong_wish(self):
        out = os.path.join(self.folder, "out")
        done = self.weir("run", self.case(), "--out", out, WEIR_KERNEL_CONSTANTS="always")
        self.assertEqual(done.returncode, 2)
        self.assertIn('WEIR_KERNEL_CONSTANTS is "always"; give auto', done.stderr)
        self.assertFalse(os.path.exists(out))

    def test_nothing_on_cpus(self):
        self.fill_cache()
        digests = {self.run_case(WEIR_KERNEL_CONSTANTS=wish)[0] for wish in ("first", "never", "auto", "")}
        self.assertEqual(len(digests), 1)
        with open(os.path.join(self.folder, "out1", "summary.json")) as file:
            self.assertIsNone(json.load(file)["kernel_constants"])


class Compilers(OnDemand):
    """The same bits, whoever compiles."""
    VARIANTS = [("D2Q9", "bgk", "double"), ("D2Q9", "trt", "half")]

    def test_the_same_digests(self):
        compilers = [name for name in ("gcc", "clang", "gcc-11", "gcc-13", "gcc-14", "clang-14", "clang-16", "clang-19") if shutil.which(name)]
        if len(compilers) < 2:
            self.skipTest(f"there is only {compilers}")
        for variant in self.VARIANTS:
            digests = {}
            for compiler in compilers:
                digests[compiler], said = self.run_case(*variant, CC=compiler)
                self.assertIn("compiled kernels", said)
            with self.subTest(variant=variant, digests=digests):
                self.assertEqual(len(set(digests.values())), 1)


class CommandLine(OnDemand):
    def refused(self, expected, *words):
        done = self.weir("kernels", *words)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(expected, done.stderr)

    def test_wrong_words(self):
        self.refused("what to do is missing")
        self.refused('did you mean "clear"', "claer")
        self.refused("a case file is missing", "build")
        self.refused('"sm90" is no GPU architecture', "build", self.case(), "--arch", "sm90")
        self.refused('knows no "x86-64-v9"', "build", self.case(), "--cpu", "x86-64-v9")
        self.refused("options of build", "list", "--all")
        self.refused("takes no", "clear", "everything")


if __name__ == "__main__":
    unittest.main()
