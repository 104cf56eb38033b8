#!/usr/bin/env python3
"""Every broken case below must be refused by `weir run` and `weir check` alike: exit code 2, one message on stderr
that names the file and the key, and nothing written.

Usage: test_bad_cases.py WEIR
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

from bad_cases import GOOD, FLAT, SI, SPHERE, case, region, CASES, MISTAKES, SETS


class BadCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """What a first run on a machine says of StarPU's measurements is said here, not beside an error."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.json")
            with open(path, "w") as file:
                json.dump(GOOD, file)
            subprocess.run([WEIR, "run", path, "--quiet", "--out", os.path.join(folder, "out")], check=True, capture_output=True, timeout=300)

    def refuse(self, path, words, *options):
        """Both commands must refuse the case, in an otherwise empty folder that stays so."""
        for command in ("run", "check"):
            with self.subTest(command=command), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                arguments = [WEIR, command, path, *options] + (["--out", out] if command == "run" else [])
                done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 2, f"{arguments}\n{done.stdout}\n{done.stderr}")
                message = done.stderr.strip()
                self.assertEqual(len(message.splitlines()), 1, f"not one line: {message}")
                self.assertLess(len(message), 700, message)
                for word in words:
                    self.assertIn(word, message)
                self.assertEqual(os.listdir(folder), [], "a refused case left something behind")

    def test_cases(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, (name, (content, words)) in enumerate(CASES.items()):
                path = os.path.join(folder, f"bad{number}.json")
                content = case(content) if isinstance(content, dict) else content
                with open(path, "wb") as file:
                    file.write(content if isinstance(content, bytes) else content.encode())
                with self.subTest(name):
                    self.refuse(path, [path, *words])

    def test_mistakes(self):
        """All mistakes of a case are told at once, a line each, but none that may follow from another."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.json")
            for name, (content, lines) in MISTAKES.items():
                with open(path, "w") as file:
                    file.write(case(content) if isinstance(content, dict) else content)
                for command in ("run", "check"):
                    done = subprocess.run([WEIR, command, path], cwd=folder, capture_output=True, text=True, timeout=300)
                    with self.subTest(name, command=command):
                        self.assertEqual(done.returncode, 2, done.stderr)
                        told = done.stderr.splitlines()
                        self.assertEqual(len(told), len(lines), done.stderr)
                        for line, words in zip(told, lines):
                            self.assertIn(words, line)
                            self.assertTrue(line.startswith("weir: "), line)
                        self.assertEqual(os.listdir(folder), ["bad.json"])

    def test_very_many_mistakes(self):
        """Those that have no room are counted."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.json")
            with open(path, "w") as file:
                file.write(case({"output": [{"type": "film"}] * 100}))
            done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=300)
            *told, last = done.stderr.splitlines()
            self.assertEqual(done.returncode, 2)
            self.assertGreater(len(told), 3)
            self.assertEqual(last, f"weir: and {100 - len(told)} more")
            self.assertTrue(all("film" in line for line in told), done.stderr)

    def test_removal(self):
        """--set KEY=null takes the key out, and others can take its place."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.json")
            with open(path, "w") as file:
                file.write(case({"output": [{"type": "series"}, {"type": "film"}], "force": [1, 2]}))
            done = subprocess.run([WEIR, "check", path, "--set", "fluid.tau=null", "--set", "fluid.viscosity=0.25", "--set", "output[1]=null", "--set",
                                   "force=null"], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("tau 1.25", done.stdout)

    def test_warnings(self):
        """What is allowed but will disappoint, by numbers that follow from the case."""
        long, slab = {"run.steps": 1000000}, {"domain.periodic": [True, True, False]}
        still = {**SI, "fluid": {"viscosity": 1e-6}}
        moved = {**still, "boundaries": {"z+": {"type": "wall", "velocity": [0.1, 0, 0]}}}
        for changes, words, others in (
                ({}, [], ["warning", "driven"]),
                ({**long, **slab, "force": [1e-6, 0, 0]}, ["driven flow   about 0.00032 cells per step, Mach 0.001, Reynolds 0.0512 over 16 cells between walls"],
                 ["warning"]),
                ({**long, **slab, "force": [3e-4, 0, 0]}, ["about 0.096 cells per step"], ["warning"]),
                ({**long, **slab, "force": [1e-3, 0, 0]}, ["warning: by the force Mach 0.55"], ["diverge"]),
                ({**long, **slab, "force": [1e-2, 0, 0]}, ["warning: by the force Mach 5.54: the flow would diverge"], []),
                ({**slab, "force": [1e-2, 0, 0]}, ["about 0.1 cells per step at the end"], ["warning"]),
                ({**long, "force": [1e-2, 0, 0]}, [], ["warning", "driven"]),  # walls hold it
                ({**long, **slab, "fluid.tau": 0.501, "force": [1e-8, 0, 0]}, ["tau 0.5010 is near 1/2"], ["by the force"]),
                ({**long, **slab, "fluid.tau": 0.501, "force": [1e-6, 0, 0]}, ["Reynolds 4.6e+03: above about 2000"], []),
                ({"domain.periodic": [True, True, True], "force": [1e-5, 0, 0]}, ["nothing brakes the flow"], ["Mach 0.5"]),
                ({"fluid.tau": 3}, ["tau 3 is large: stresses"], ["use trt"]),
                ({"fluid.tau": 3, "collision": {"operator": "bgk"}}, ["tau 3 is large", "use trt"], []),
                (still, ["tau 0.5003 is near 1/2", "less so with the collision recursive", "si.time_step 0.0034 mends it"], []),
                ({**still, "si.time_step": 0.0034}, [], ["warning"]),
                (moved, ["no time step does, but si.cell_size 0.00027 with si.time_step 0.00027"], []),
                ({**moved, "si.cell_size": 0.00027, "si.time_step": 0.00027}, ["tau 0.5111 is too near 1/2 for trt at velocity 0.1", "use recursive"], ["diverge"]),
                ({**moved, "si.cell_size": 0.00027, "si.time_step": 0.00027, "collision": {"operator": "bgk"}}, [], ["warning"]),
                ({**moved, "fluid.viscosity": 1e-4, "si.time_step": 0.004}, ["Mach 0.69", "si.time_step 0.001 mends it"], []),
                ({**SI, "fluid.viscosity": 1e-2, "si.time_step": 0.01}, ["tau 301 is large", "si.time_step 1.7e-05 makes it 1"], [])):
            with self.subTest(changes), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "case.json")
                with open(path, "w") as file:
                    file.write(case(changes))
                done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                for word in words:
                    self.assertIn(word, done.stdout)
                for word in others:
                    self.assertNotIn(word, done.stdout)

    def test_sets(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "good.json")
            with open(path, "w") as file:
                file.write(case({}))
            for name, (value, words) in SETS.items():
                with self.subTest(name):
                    self.refuse(path, words, "--set", value)

    def test_limited_memory(self):
        """1.24 GiB of cells in 1.17 GiB of addresses; 0.6 GiB of cells, and as much of sums of averages or of checkpoints."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1200 << 20, 1200 << 20))
        if subprocess.run([WEIR, "--version"], capture_output=True, preexec_fn=limit).returncode != 0:
            self.skipTest("a sanitizer, which reserves terabytes of addresses")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "large.json")
            cells = {"domain.cells": [200, 200, 200]}
            for changes, words, command in (
                    ({"domain.cells": [256, 256, 256]}, ["needs 1.2"], "check"),
                    ({"domain.cells": [256, 256, 256]}, ["needs 1.2"], "run"),
                    ({**cells, "output": [{"type": "averages"}]}, ["needs 1.4", "0.25 GiB of it for copies"], "run"),
                    ({**cells, "checkpoint": {"every": 10, "buffer": 1000}}, ["needs 1.", "GiB of it for copies"], "run")):
                with open(path, "w") as file:
                    file.write(case(changes))
                done = subprocess.run([WEIR, command, path], cwd=folder, capture_output=True, text=True, timeout=300, preexec_fn=limit,
                                      env={**os.environ, "STARPU_NCPU": "1", "STARPU_NCUDA": "0"})
                self.assertEqual(done.returncode, 2, done.stderr)
                for word in ["domain.cells: the domain", "ulimit -v", *words]:
                    self.assertIn(word, done.stderr)
                self.assertEqual(os.listdir(folder), ["large.json"])

    def test_earlier_results_stay(self):
        """What is refused is refused before the results of an earlier run are replaced."""
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "good.json"), os.path.join(folder, "out")
            with open(path, "w") as file:
                file.write(case({"output": [{"type": "series"}]}))
            run = [WEIR, "run", path, "--out", out, "--force"]
            self.assertEqual(subprocess.run(run, capture_output=True, timeout=300).returncode, 0)
            contents = lambda: {file.name: file.read_bytes() for file in pathlib.Path(out).iterdir()}
            before = contents()
            self.assertIn("series.csv", before)
            for change in ('output=[{"type": "profile", "from": [8.6, 8, 8], "to": [9.4, 8, 8]}]', "domain.cells=[16384, 16384, 1024]",
                           'solids=[{"sphere": {"center": [8, 8, 8], "radius": 14}}]', "initial.density=1 + 1e-9/(x-0.5)"):
                self.assertEqual(subprocess.run([*run, "--set", change], capture_output=True, timeout=300).returncode, 2, change)
                self.assertEqual(before, contents(), change)

    def test_ranks(self):
        """Numbers of ranks are taken whole, not their last bits."""
        for text in ("0", "-1", "two", "8x", "", "1048577", "4294967297", "99999999999999999999"):
            done = subprocess.run([WEIR, "check", "any.json", "--ranks", text], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(f'--ranks: "{text}"', done.stderr)

    def test_maps(self):
        """A map in a file of its own is looked for beside the case, and named where it is wrong."""
        with tempfile.TemporaryDirectory() as folder:
            path, path_of_map = os.path.join(folder, "good.json"), os.path.join(folder, "map.json")
            with open(path, "w") as file:
                file.write(case({"ranks.map": "map.json"}))
            for text, words in (('{"regions": [', [path, "ranks.map: ", path_of_map, "line 1"]), ("[]", [path_of_map, "is a list"]),
                                ('{"region": []}', [path_of_map + ": region: unknown key", '"regions"']),
                                ('{"regions": [{"from": [0, 0, 0], "to": [16, 16, 16]}]}', [path_of_map + ": regions[0]: has neither"])):
                with open(path_of_map, "w") as file:
                    file.write(text)
                with self.subTest(text):
                    self.refuse(path, words)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = os.path.join(folder, "missing.json")
            self.refuse(missing, [missing, "No such file"])
            self.refuse(folder, [folder, "folder"])
            self.refuse(os.path.join(folder, "no", "such", "folder.json"), ["folder.json", "No such file"])
            huge = os.path.join(folder, "huge.json")
            with open(huge, "w") as file:
                file.truncate(1 << 30)
            self.refuse(huge, [huge, "bytes"])

    def test_good(self):
        """What the broken cases are made from is not itself broken."""
        with tempfile.TemporaryDirectory() as folder:
            for number, changes in enumerate(({}, FLAT, SI, {"solids": [SPHERE]})):
                path = os.path.join(folder, f"good{number}.json")
                with open(path, "w") as file:
                    file.write(case(changes))
                done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    WEIR = os.path.abspath(sys.argv.pop(1))
    unittest.main()
