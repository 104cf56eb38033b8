#!/usr/bin/env python3
"""Fields of all steps opened by one file: VTKHDF as VTK describes it, with the values of the XDMF format; whatever blocks, ranks, parts and
compression; gone on with by a run that is resumed; whole after a run that is killed, and while one goes on.

Usage: test_vtkhdf.py WEIR. WEIR_VTK_PYTHON: the words that start a Python whose VTK is of 9.3 or later, with NumPy; without it, this one is asked.
WEIR_TEST_KILLS: how many runs are killed (5).
"""
import copy
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
import unittest

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

FIELDS = ["density", "velocity", "strain_rate"]
EVERY, STEPS, CHECKPOINT = 4, 18, 9
WRITTEN = [4, 8, 12, 16, 18]
KILLS = int(os.environ.get("WEIR_TEST_KILLS", "5"))
SPACE = {"name": "space", "lattice": "D3Q19", "domain": {"cells": [24, 18, 13]}, "fluid": {"tau": 0.6},
         "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0, 0.01]}}, "solids": [{"sphere": {"center": [12, 9, 6], "radius": 3}}],
         "blocks": {"cells": [8, 9, 7]}, "run": {"steps": STEPS}}
FLAT = {"name": "flat", "lattice": "D2Q9", "precision": "double", "units": "si", "si": {"cell_size": 0.1, "time_step": 0.01, "density": 1000},
        "domain": {"cells": [40, 30]}, "fluid": {"viscosity": 0.02}, "boundaries": {"y+": {"type": "wall", "velocity": [0.2, 0]}},
        "blocks": {"cells": [16, 7]}, "run": {"steps": STEPS}}


def with_output(case, **more):
    """Both formats of the same fields."""
    both = [{"type": "fields", "name": name, "format": name, "every": EVERY, "fields": FIELDS, **more} for name in ("xdmf", "vtkhdf")]
    return {**copy.deepcopy(case), "output": both}


def path_of(folder):
    return os.path.join(folder, "vtkhdf.vtkhdf")


class Vtkhdf(weir_case.CaseTest):
    def check_values(self, folder, steps, reference=None):
        """The file's steps are these, with the values of the files of single steps, in this folder or another."""
        with h5py.File(path_of(folder)) as file:
            root, cells, seen = file["VTKHDF"], file["Weir/fields"], file["VTKHDF/CellData"]
            self.assertEqual(seen.keys(), cells.keys())
            self.assertEqual(file["Weir/steps"][...].tolist(), steps)
            self.assertEqual(root["Steps"].attrs["NSteps"], len(steps))
            self.assertEqual(root["Steps/Values"].shape, (len(steps),))
            for k, step in enumerate(steps):
                with h5py.File(os.path.join(reference or folder, f"xdmf_{step:09d}.h5")) as one:
                    self.assertEqual(one.keys(), cells.keys())
                    self.assertEqual(root["Steps/Values"][k], one.attrs["time"])
                    for name, values in one.items():
                        self.assertEqual(cells[name].dtype, values.dtype)
                        self.assertEqual(cells[name].shape, (len(steps), *values.shape))
                        self.assertEqual(cells[name].attrs["units"], values.attrs["units"])
                        self.assertEqual(root[f"Steps/CellDataOffsets/{name}"][...].tolist(), list(range(len(steps))))
                        numpy.testing.assert_array_equal(cells[name][k], values[...], f"{name} of step {step}")
                        # Without the dimension of steps while there is one: VTK's readers take such a file for one without time.
                        self.assertEqual((seen[name].ndim, seen[name].attrs["units"]), (values.ndim + (len(steps) > 1), values.attrs["units"]))
                        numpy.testing.assert_array_equal(seen[name][k] if len(steps) > 1 else seen[name][...], values[...])

    def check_form(self, folder, step):
        """As the format's description has it."""
        with h5py.File(path_of(folder)) as file, h5py.File(os.path.join(folder, f"xdmf_{step:09d}.h5")) as one:
            root = file["VTKHDF"]
            self.assertEqual(set(root.attrs), {"Version", "Type", "WholeExtent", "Origin", "Spacing", "Direction"})
            self.assertEqual(set(root), {"CellData", "Steps"})
            self.assertEqual(root.attrs["Version"].tolist(), [2, 0])
            kind = root.attrs.get_id("Type").get_type()
            self.assertEqual((root.attrs["Type"], kind.is_variable_str(), kind.get_size(), kind.get_cset()), (b"ImageData", False, 9, h5py.h5t.CSET_ASCII))
            shape = one["density"].shape[::-1]
            self.assertEqual(root.attrs["WholeExtent"].tolist(), [0, shape[0], 0, shape[1], 0, shape[2]])
            numpy.testing.assert_allclose(root.attrs["Origin"], one.attrs["origin"], atol=1e-14)
            numpy.testing.assert_allclose(root.attrs["Spacing"], one.attrs["cell_size"] * one.attrs["stride"])
            numpy.testing.assert_array_equal(root.attrs["Direction"], numpy.eye(3).ravel())
            for name in ("case", "units", "lattice", "weir_version", "cell_size"):
                self.assertEqual(file["Weir"].attrs[name], one.attrs[name])

    def check(self, case, **how):
        run = self.compute(case, **how)
        self.check_values(run.folder, WRITTEN)
        self.check_form(run.folder, WRITTEN[0])
        self.assertEqual({name for name in run.files() if name.startswith("vtkhdf")}, {"vtkhdf.vtkhdf", *(f"vtkhdf_{step:09d}.h5" for step in WRITTEN)})
        return run

    def test_space(self):
        self.check(with_output(SPACE))

    def test_si_in_a_plane(self):
        self.check(with_output(FLAT))

    def test_one_step(self):
        for ranks in (1, 2) if shutil.which("mpirun") else (1,):
            with self.subTest(ranks=ranks):
                run = self.compute(with_output(SPACE, every=STEPS), ranks=ranks)
                self.check_values(run.folder, [STEPS])
                self.check_form(run.folder, STEPS)

    def test_resumed_with_one_step_and_none(self):
        """Where a checkpoint was before or behind the first step: of those that stay one, or none, is there again."""
        for every, left, whole in ((8, [8, 14], [8, 16, 18]), (10, [10, 14], [10, 18])):
            with self.subTest(every=every):
                run = self.stopped(with_output(SPACE, every=every))
                self.check_values(run.folder, left)
                self.resume(run.folder, "--steps", str(STEPS))
                self.check_values(run.folder, whole)

    def test_parts(self):
        for part in ({"from": [3.2, 2, 10], "to": [20, 15, 4]}, {"stride": 3}, {"from": [0, 0, 6], "to": [24, 18, 6], "stride": 2, "compressed": True}):
            with self.subTest(part):
                self.check(with_output(SPACE, **part))

    def test_compressed(self):
        still = {**with_output(SPACE, compressed=True), "boundaries": {}}
        packed, plain = (self.check(case) for case in (still, {**with_output(SPACE), "boundaries": {}}))
        sizes = [os.path.getsize(os.path.join(run.folder, f"vtkhdf_{STEPS:09d}.h5")) for run in (packed, plain)]
        self.assertLess(sizes[0], 0.5 * sizes[1])

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks(self):
        self.check(with_output(SPACE), ranks=2)
        self.check(with_output(FLAT, stride=2), ranks=3)

    def resume(self, folder, *options, ranks=1, code=0):
        words, variables = weir_case.launcher(ranks)
        done = subprocess.run([*words, weir_case.program, "resume", folder, "--quiet", *options], env={**weir_case.environment(1), **variables},
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def stopped(self, case):
        """A run that has written steps beyond its checkpoint, and one that nobody has asked for: its last."""
        return self.compute({**case, "checkpoint": {"every": CHECKPOINT}}, "--steps", "14")

    def test_resumed(self):
        whole = self.compute(with_output(SPACE))
        for blocks, ranks in (([8, 9, 7], 1), ([12, 6, 13], 1), ([8, 9, 7], 2), ([12, 6, 13], 2)):
            with self.subTest(blocks=blocks, ranks=ranks):
                run = self.stopped(with_output(SPACE))
                self.check_values(run.folder, [4, 8, 12, 14])
                self.resume(run.folder, "--steps", str(STEPS), "--set", f"blocks.cells={json.dumps(blocks)}", ranks=ranks)
                self.check_values(run.folder, WRITTEN, whole.folder)
                self.check_form(run.folder, 4)

    def test_resumed_without_files(self):
        """Without that of all steps it is made again; without that of a step, that step is left out."""
        for name, left in (("vtkhdf.vtkhdf", WRITTEN), ("vtkhdf_000000004.h5", WRITTEN[1:])):
            with self.subTest(name):
                run = self.stopped(with_output(SPACE))
                os.remove(os.path.join(run.folder, name))
                self.resume(run.folder, "--steps", str(STEPS))
                self.check_values(run.folder, left)

    def test_moved(self):
        """Files find each other wherever they lie together, and whatever the folder of who reads; what is missing is no number."""
        run = self.compute(with_output(SPACE))
        folder = os.path.join(self.folder(), "moved")
        os.rename(run.folder, folder)
        self.check_values(folder, WRITTEN)
        os.remove(os.path.join(folder, "vtkhdf_000000008.h5"))
        with h5py.File(path_of(folder)) as file:
            self.assertEqual(numpy.isnan(file["Weir/fields/velocity"][...]).all(axis=(1, 2, 3, 4)).tolist(), [step == 8 for step in WRITTEN])

    def test_resumed_with_other_fields(self):
        for change in ({"fields": ["density"]}, {"fields": [*FIELDS, "vorticity"]}, {"stride": 2}):
            for ranks in (1, 2) if shutil.which("mpirun") else (1,):
                with self.subTest(change, ranks=ranks):
                    run = self.stopped(with_output(SPACE))
                    output = with_output(SPACE, **change)["output"]
                    told = self.resume(run.folder, "--steps", str(STEPS), "--set", f"output={json.dumps(output)}", code=1, ranks=ranks)
                    step = os.path.join(run.folder, "vtkhdf_000000004.h5")
                    self.assertIn(f"cannot go on with '{step}': it holds other fields", told)
                    self.assertIn("give the output another name", told)
                    self.assertEqual(told.count("weir: "), 1, told)
                    self.check_values(run.folder, [4, 8, 12, 14])

    def test_resumed_compressed(self):
        run = self.stopped(with_output(SPACE))
        output = with_output(SPACE, compressed=True)["output"]
        self.resume(run.folder, "--steps", str(STEPS), "--set", f"output={json.dumps(output)}")
        self.check_values(run.folder, WRITTEN)

    def test_resumed_where_a_file_is_damaged(self):
        run = self.stopped(with_output(SPACE))
        step = os.path.join(run.folder, "vtkhdf_000000004.h5")
        with open(step, "r+b") as file:
            file.write(bytes(64))
        self.assertRegex(self.resume(run.folder, code=1), rf"cannot go on with '{re.escape(step)}': HDF5 says .*: it is damaged; move it away")
        os.remove(step)
        self.resume(run.folder, "--steps", str(STEPS))
        self.check_values(run.folder, WRITTEN[1:])

    def test_resumed_with_values_of_an_earlier_version(self):
        """They were in the file itself, which is not replaced."""
        run = self.stopped(with_output(SPACE))
        with h5py.File(path_of(run.folder), "w") as file:
            file["Weir/fields/density"] = numpy.zeros((1, 13, 18, 24), "f4")
        self.assertIn("it has values of its own", self.resume(run.folder, code=1))
        with h5py.File(path_of(run.folder)) as file:
            self.assertEqual(file["Weir/fields/density"].shape, (1, 13, 18, 24))

    def begun(self, case):
        """A run that writes every step, and goes on for long; and its folder, in which the first is."""
        for output in case["output"]:
            output["every"] = 1
        out = os.path.join(self.folder(), "out")
        run = subprocess.Popen([weir_case.program, "run", self.write(case), "--quiet", "--out", out], env=weir_case.environment(1))
        end = time.monotonic() + 60
        while not os.path.exists(path_of(out)) and time.monotonic() < end and run.poll() is None:
            time.sleep(0.01)
        return run, out

    def test_killed_at_any_moment(self):
        """What is there can be read, and holds whole steps: all whose files had their names, but perhaps the last; and the run goes on."""
        chance = random.Random(5)
        read = 0
        for _ in range(KILLS):
            run, out = self.begun(with_output({**SPACE, "run": {"steps": 2000}, "checkpoint": {"every": 10, "keep": 2}}))
            time.sleep(0.5 * chance.random())
            run.kill()
            run.wait()
            with h5py.File(path_of(out)) as file:
                steps = file["Weir/steps"][...].tolist()
            named = len([name for name in os.listdir(out) if re.fullmatch(r"vtkhdf_\d+\.h5", name)])
            self.assertEqual(steps, list(range(1, len(steps) + 1)))
            self.assertIn(named - len(steps), (0, 1))
            other = [step for step in steps if os.path.exists(os.path.join(out, f"xdmf_{step:09d}.h5"))]
            self.assertLessEqual(len(steps) - len(other), 1)
            self.check_first(out, other)
            read += len(other)
            checkpoints = sorted(name for name in os.listdir(out) if re.fullmatch(r"checkpoint_\d+\.h5", name))
            if checkpoints:
                whole = int(checkpoints[-1][11:-3]) + 3
                self.resume(out, "--steps", str(whole))
                self.check_values(out, list(range(1, whole + 1)))
        self.assertGreater(read, KILLS)

    def check_first(self, out, steps):
        with h5py.File(path_of(out)) as file:
            for step in steps:
                with h5py.File(os.path.join(out, f"xdmf_{step:09d}.h5")) as one:
                    numpy.testing.assert_array_equal(file["Weir/fields/velocity"][step - 1], one["velocity"][...])

    def test_read_while_it_is_written(self):
        """A reader finds a whole table of whole files at any moment, and the run does not notice."""
        run, out = self.begun(with_output({**SPACE, "run": {"steps": 400}}))
        counts = []
        while run.poll() is None:
            with h5py.File(path_of(out)) as file:
                counts.append(int(file["VTKHDF/Steps"].attrs["NSteps"]))
                self.assertEqual(file["Weir/steps"][...].tolist(), list(range(1, counts[-1] + 1)))
                last = file["Weir/fields/density"][-1]
            self.assertTrue(numpy.isfinite(last).all())
        self.assertEqual(run.returncode, 0)
        self.assertEqual(counts, sorted(counts))
        self.assertGreater(len(set(counts)), 5)
        self.check_values(out, list(range(1, 401)))

    def test_with_vtk(self):
        """What ParaView shows, where VTK's reader knows steps: from 9.3 on."""
        for case, steps in ((with_output(SPACE), WRITTEN), (with_output(FLAT), WRITTEN), (with_output(SPACE, every=STEPS), [STEPS]),
                            (with_output(SPACE, **{"from": [3.2, 2, 10], "to": [20, 15, 4]}), WRITTEN),
                            (with_output(FLAT, stride=2, compressed=True), WRITTEN)):
            self.check_shown(self.compute(case), steps)

    def check_shown(self, run, steps):
        words = shlex.split(os.environ.get("WEIR_VTK_PYTHON", sys.executable))
        path = os.path.join(run.folder, "seen.npz")
        done = subprocess.run([*words, os.path.join(HERE, "read_vtkhdf_with_vtk.py"), path_of(run.folder), path], capture_output=True, text=True, timeout=60)
        if done.returncode == 77:
            self.skipTest(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with numpy.load(path) as seen, h5py.File(path_of(run.folder)) as file:
            self.assertEqual(seen["times"].tolist(), file["VTKHDF/Steps/Values"][...].tolist() if len(steps) > 1 else [])
            for k, step in enumerate(steps):
                with h5py.File(os.path.join(run.folder, f"xdmf_{step:09d}.h5")) as one:
                    shape = one["density"].shape[::-1]
                    width = one.attrs["cell_size"] * one.attrs["stride"]
                    low = one.attrs["origin"]
                    numpy.testing.assert_allclose(seen[f"{k}/bounds"], numpy.stack([low, low + width * shape], axis=1).ravel(), rtol=1e-14)
                    self.assertEqual({name for name in seen.files if name.startswith(f"{k}/")}, {f"{k}/{name}" for name in [*one, "bounds"]})
                    for name, values in one.items():
                        numpy.testing.assert_array_equal(seen[f"{k}/{name}"].reshape(values.shape), values)


if __name__ == "__main__":
    weir_case.main()
