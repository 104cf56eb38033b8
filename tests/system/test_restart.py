#!/usr/bin/env python3
"""Checkpoints: a run that goes on from one ends with the digest of a run that never stopped, whatever it goes on on; its series and
fields have no gap and no double; and what is killed, cut short, flipped or foreign is met as it should be.

Usage: test_restart.py WEIR
WEIR_TEST_KILLS in the environment: how often a run is killed (20); WEIR_TEST_FLIPS: how many bits of a checkpoint are flipped, one at a
time (30).
"""
import copy
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
sys.path.insert(0, HERE)
import h5py
import numpy

import command
import weir_case

M, N = 17, 20  # steps before a checkpoint, an odd number; and after it
KILLS = int(os.environ.get("WEIR_TEST_KILLS", "20"))
FLIPS = int(os.environ.get("WEIR_TEST_FLIPS", "30"))

CAVITY = {"name": "cavity", "lattice": "D2Q9", "collision": {"operator": "trt"}, "precision": "double", "domain": {"cells": [20, 18]},
          "fluid": {"tau": 0.6}, "boundaries": {"y+": {"type": "wall", "velocity": [0.1, 0]}}, "blocks": {"cells": [8, 9]},
          "run": {"steps": M + N}, "checkpoint": {"every": M}}
BODY = {"name": "body", "lattice": "D3Q19", "collision": {"operator": "trt"}, "domain": {"cells": [20, 14, 12], "periodic": [True, False, True]},
        "fluid": {"tau": 0.6}, "force": [1e-5, 0, 0], "solids": [{"sphere": {"center": [10, 7, 6], "radius": 3}}],
        "blocks": {"cells": [8, 7, 12]}, "run": {"steps": M + N}, "checkpoint": {"every": M}}
CHANNEL = {"name": "channel", "lattice": "D2Q9", "precision": "double", "domain": {"cells": [24, 12]}, "fluid": {"tau": 0.7},
           "boundaries": {"x-": {"type": "velocity", "velocity": [0.05, 0]}, "x+": {"type": "pressure", "density": 1}},
           "blocks": {"cells": [8, 12]}, "run": {"steps": M + N}, "checkpoint": {"every": M}, "output": [{"type": "series", "every": 1}]}


def changed(case, **changes):
    return {**copy.deepcopy(case), **changes}


# What is different about cases that go on, and on which blocks they do. D2Q9 in double and D3Q19 in single precision are compiled with
# the program, others when they are needed.
VARIANTS = {
    "D2Q9": (CAVITY, [20, 18]),
    "D2Q9 BGK": (changed(CAVITY, collision={"operator": "bgk"}), [7, 5]),
    "D3Q15": (changed(BODY, lattice="D3Q15"), [10, 14, 3]),
    "D3Q19": (BODY, [5, 7, 6]),
    "D3Q27 in double": (changed(BODY, lattice="D3Q27", precision="double"), [20, 14, 4]),
    "MRT": (changed(BODY, collision={"operator": "mrt"}), [9, 14, 12]),
    # More than 1 MiB, and no multiple of 4096 bytes.
    "large chunks": (changed(BODY, domain={"cells": [49, 32, 20], "periodic": [True, False, True]}, blocks={"cells": [49, 32, 10]}), [25, 16, 20]),
    "half": (changed(BODY, storage="half"), [9, 14, 12]),
    "D2Q37": (changed(CAVITY, lattice="D2Q37", collision={"operator": "thermal_hermite", "prandtl": 0.71}, force=[0, -1e-4],
                      domain={"cells": [20, 18], "periodic": [True, False]},
                      boundaries={"y-": {"type": "wall", "temperature": 1.1}, "y+": {"type": "wall", "temperature": 0.9}}), [7, 9]),
    "scalar": (changed(CAVITY, scalar={"diffusivity": 0.05}, initial={"scalar": "1 + 0.1 * sin(x)"}), [11, 6]),
    "buoyancy": (changed(CAVITY, scalar={"diffusivity": 0.05, "buoyancy": {"expansion": 0.1, "gravity": [0.001, -0.01], "reference": 0.9}},
                         initial={"scalar": "1 + 0.1 * sin(x)"}), [7, 9]),
    "phases": (changed(CAVITY, phases={"equation": "carnahan_starling", "temperature": 0.9, "gravity": [0, -1e-4]},
                       boundaries={"x-": {"type": "wall", "adhesion": 0.01}}, initial={"density": "0.6 + 0.4 * tanh((5 - y)/2)"}), [7, 9]),
    "components": (changed(CAVITY, scalar={"diffusivity": 0.1}, phases={"equation": "two_components", "second_viscosity": 0.3},
                           boundaries={"x-": {"type": "wall", "adhesion": 0.01}}, initial={"scalar": "0.5 + 0.4 * tanh((5 - y)/2)"}), [7, 9]),
    "free surface": (changed(CAVITY, boundaries={}, force=[1e-4, -2e-4], free_surface={"liquid": "7 - y + 4*sin(x/3)"}), [7, 9]),
    "tension": (changed(CAVITY, boundaries={"x-": {"type": "wall", "contact_angle": 60}}, force=[1e-4, -2e-4],
                        free_surface={"liquid": "7 - y + 4*sin(x/3)", "tension": 0.01, "contact_angle": 120}), [7, 9]),
    "bubbles": (changed(CAVITY, boundaries={}, force=[1e-4, -2e-4],
                        free_surface={"liquid": "min(9 - y + 3*sin(x/3), sqrt((x - 4)^2 + (y - 4)^2) - 2.5)", "bubbles": True, "atmosphere": ["y+"]}), [7, 9]),
    "compressed": (changed(BODY, checkpoint={"every": M, "compressed": True}), [5, 7, 6]),
    "lists": (changed(BODY, blocks={"cells": [8, 7, 6], "list_up_to": 1}), [20, 7, 12]),
    "blocks without fluid": (changed(BODY, solids=[{"box": {"from": [0, 0, 0], "to": [16, 7, 12]}}]), [5, 7, 6]),
    "open": (CHANNEL, [24, 4]),
    "convective": (changed(CHANNEL, boundaries={"x-": {"type": "velocity", "velocity": [0.05, 0]}, "x+": {"type": "convective", "velocity": [0.05, 0]}}), [9, 5]),
    "flow rate": (changed(BODY, flow_rate={"velocity": [0.02, 0, 0], "every": 5}), [20, 7, 6]),
    "gradients": (changed(CHANNEL, collision={"operator": "hybrid_recursive"}, turbulence={"model": "wale"}, scalar={"diffusivity": 0.05},
                          boundaries={"x-": {"type": "velocity", "velocity": ["0.05*sin(t/7)*y*(ny - y)/36", 0]},
                                      "x+": {"type": "zou_he_pressure", "density": 1.01, "ramp": M + 3}}), [9, 5]),
    "bodies in time": (changed(CHANNEL, solids=[{"sphere": {"center": [11, 6], "radius": 2.5}, "velocity": ["0.02*sin(t/5)", 0], "ramp": M + 4}]), [7, 6]),
    "in time": (changed(CHANNEL, boundaries={"x-": {"type": "velocity", "velocity": ["0.05*sin(t/7)*y*(ny - y)/36", 0]},
                                             "x+": {"type": "pressure", "density": 1.01, "ramp": M + 3}}), [24, 4]),
}


def checkpoint(folder, step=M):
    return os.path.join(folder, f"checkpoint_{step:09d}.h5")


def steps_in(folder):
    return sorted(int(name[11:20]) for name in os.listdir(folder) if re.fullmatch(r"checkpoint_\d+\.h5", name))


def lines(folder, name="series.csv"):
    with open(os.path.join(folder, name)) as file:
        return file.read()


class RestartTest(command.CommandTest):
    in_memory = True

    def resume(self, folder, *options, code=0, ranks=1):
        words, variables = weir_case.launcher(ranks)
        done = subprocess.run([*words, weir_case.program, "resume", folder, "--quiet", *options], env={**weir_case.environment(1), **variables},
                              capture_output=True, text=True, timeout=self.timeout)
        self.assertEqual(done.returncode, code, f"{options}\n{done.stdout}{done.stderr}")
        return done

    def summary(self, folder):
        with open(os.path.join(folder, "summary.json")) as file:
            return json.load(file)

    def digest(self, folder):
        return self.summary(folder)["digest"]


class OnAnythingTest(RestartTest):
    def test_variants(self):
        for name, (case, blocks) in VARIANTS.items():
            with self.subTest(name):
                whole = self.compute(case)
                again = self.compute(case, "--resume", checkpoint(whole.folder), "--set", f"blocks.cells={json.dumps(blocks)}", "--poison")
                self.assertEqual(again.summary["digest"], whole.summary["digest"])
                self.assertEqual((again.summary["steps"], again.summary["resumed_at"]), (M + N, M))

    def test_even_and_odd_steps_and_back_again(self):
        for case in (CAVITY, VARIANTS["free surface"][0]):
            whole = self.compute(case)
            for first, second in [(1, 2), (10, 15)]:
                part = self.compute(case, "--steps", str(first), "--set", f"checkpoint.every={first}")
                for last in (second, M + N):
                    self.resume(part.folder, "--steps", str(last), "--set", f"checkpoint.every={second}")
                self.assertEqual(self.digest(part.folder), whole.summary["digest"])

    def test_placement(self):
        whole = self.compute(BODY)
        for policy in ("static", "starpu:lws"):
            again = self.compute(BODY, "--resume", checkpoint(whole.folder), "--set", f"placement.policy={policy}", workers=2)
            self.assertEqual(again.summary["digest"], whole.summary["digest"], policy)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks(self):
        case = changed(CHANNEL, blocks={"cells": [6, 6]})
        whole = self.compute(case)
        on_ranks = self.compute(case, ranks=3)
        self.assertEqual(on_ranks.summary["digest"], whole.summary["digest"])
        with h5py.File(checkpoint(whole.folder)) as one, h5py.File(checkpoint(on_ranks.folder)) as other:
            self.assertTrue(numpy.array_equal(one["flow"], other["flow"]))
        for origin, ranks in ((whole, 3), (on_ranks, 1), (on_ranks, 2)):
            again = self.compute(case, "--resume", checkpoint(origin.folder), "--set", "blocks.cells=[8,4]", ranks=ranks)
            self.assertEqual(again.summary["digest"], whole.summary["digest"], ranks)

    def test_compression(self):
        """Compressed files say the same to whoever reads them with HDF5, and what is damaged is seen."""
        case = changed(BODY, output=[{"type": "fields"}])
        plain, packed = (self.compute(changed(case, output=[{"type": "fields", "compressed": compressed}], checkpoint={"every": M, "compressed": compressed}))
                         for compressed in (False, True))
        for name in (f"checkpoint_{M:09d}.h5", f"fields_{M + N:09d}.h5"):
            with h5py.File(os.path.join(plain.folder, name)) as one, h5py.File(os.path.join(packed.folder, name)) as other:
                for key in set(one) - {"about"}:
                    self.assertTrue(numpy.array_equal(one[key], other[key], equal_nan=True), key)
            self.assertLess(os.path.getsize(os.path.join(packed.folder, name)), 0.8 * os.path.getsize(os.path.join(plain.folder, name)))
        with h5py.File(checkpoint(packed.folder), "r+") as file:
            file["flow"][3, 2, 1, 0] += 1e-3
        self.assertIn("checksum", self.compute(BODY, "--resume", checkpoint(packed.folder), code=2).error)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_what_ranks_write_together_is_not_compressed(self):
        if ", parallel" in subprocess.run([weir_case.program, "--version"], capture_output=True, text=True).stdout:
            refused = self.compute(changed(CHANNEL, checkpoint={"every": M, "compressed": True}), ranks=2, code=2)
            self.assertIn("checkpoint.compressed", refused.error)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks_may_end_before_a_checkpoint(self):
        """What they would write it with is never used then."""
        self.assertEqual(steps_in(self.compute(changed(BODY, checkpoint={"every": 1000}), ranks=2).folder), [])

    def test_what_is_in_the_file(self):
        whole = self.compute(BODY)
        with h5py.File(checkpoint(whole.folder)) as file:
            flow = file["flow"][:]
            about = json.loads(bytes(file["about"][:]).decode())
        self.assertEqual(flow.shape, (19, 12, 14, 20))
        x, y, z = numpy.meshgrid(*(numpy.arange(n) + 0.5 for n in (20, 14, 12)), indexing="ij")
        solid = ((x - 10) ** 2 + (y - 7) ** 2 + (z - 6) ** 2 < 9).T
        self.assertTrue((flow[:, solid] == 0).all())
        self.assertEqual(int((~solid).sum()), about["fluid_cells"])
        # Deviations from the weights: their sums are those of the density from 1.
        self.assertAlmostEqual(float(flow.astype(float).sum()), 0, places=2)
        self.assertEqual((about["step"], about["lattice"], about["cells"]), (M, "D3Q19", [20, 14, 12]))

    def test_info_says_what_is_in_the_file(self):
        path = checkpoint(self.compute(BODY).folder)
        done = subprocess.run([weir_case.program, "info", path], env=weir_case.environment(1), capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(path) as file:
            about = json.loads(bytes(file["about"][:]).decode())
        for words in ("checkpoint of body, whole", f"step +{M}\n", "D3Q19, trt, single precision", "20 x 14 x 12 cells", f"{about['fluid_cells']} of them fluid",
                      r"flow \(19 of 4 bytes\)", about["digest"], "--resume " + re.escape(path)):
            self.assertRegex(done.stdout, words)


class GoesOnTest(RestartTest):
    def test_series_and_fields_go_on(self):
        case = changed(CHANNEL, output=[{"type": "series", "every": 3}, {"type": "fields", "every": 6},
                                        {"type": "image", "field": "speed", "every": 6},
                                        {"type": "probes", "every": 1, "points": [[3, 4]]},
                                        {"type": "flux", "every": 2, "from": [3, 0], "to": [3, 4]}])
        whole = self.compute(case)
        part = self.compute(case, "--steps", str(M + 5))
        self.resume(part.folder, "--steps", str(M + N))
        for name in ("series.csv", "probes.csv", "flux.csv"):
            self.assertEqual(lines(part.folder, name), lines(whole.folder, name))
        listed = [re.findall(r"fields_(\d+)\.h5:/density", lines(run.folder, "fields.xmf")) for run in (whole, part)]
        self.assertEqual(listed[0], listed[1])
        self.assertEqual([int(step) for step in listed[0]], [6, 12, 18, 24, 30, 36, M + N])
        pictures = sorted(name for name in os.listdir(whole.folder) if name.endswith(".png"))
        self.assertEqual(len(pictures), 7)
        there = {name for name in os.listdir(part.folder) if name.endswith(".png")}
        self.assertEqual(there - set(pictures), {f"image_speed_z_{M + 5:09d}.png"})  # where the first run ended
        for name in pictures:
            with open(os.path.join(whole.folder, name), "rb") as one, open(os.path.join(part.folder, name), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)
        for key in ("mass_drift", "boundaries"):
            there, here = self.summary(whole.folder)[key], self.summary(part.folder)[key]
            if key == "mass_drift":
                self.assertAlmostEqual(there, here, places=12)
            else:
                for name, flow in there.items():
                    self.assertAlmostEqual(flow["mass_passed"], here[name]["mass_passed"], places=10)

    def test_steady_flow_stops_where_it_would(self):
        case = changed(CAVITY, run={"steps": 4000, "stop_when": {"steady": 1e-3, "every": 40}}, checkpoint={"every": 50, "keep": 1000})
        whole = self.compute(case)
        self.assertEqual(whole.summary["stopped_by"], "steady")
        steps = steps_in(whole.folder)
        self.assertTrue(all(step % 40 == 0 for step in steps), steps)  # at tests only
        for step in (steps[0], steps[-1]):
            again = self.compute(case, "--resume", checkpoint(whole.folder, step))
            self.assertEqual((again.summary["steps"], again.summary["digest"]), (whole.summary["steps"], whole.summary["digest"]))

    def test_first_steady_test_after_a_checkpoint_between_two(self):
        """It has less time to compare, so whatever it says does not end the run; the next one does, 32 steps after it."""
        part = self.compute(changed(CAVITY, run={"steps": 50}, checkpoint={"every": 50}))
        case = changed(CAVITY, run={"steps": 400, "stop_when": {"steady": 0.9, "every": 40}})
        again = self.compute(case, "--resume", checkpoint(part.folder, 50))
        self.assertEqual((again.summary["stopped_by"], again.summary["steps"]), ("steady", 120 + 32))

    def test_older_ones_go(self):
        whole = self.compute(changed(CAVITY, checkpoint={"every": 5, "keep": 3}))
        self.assertEqual(steps_in(whole.folder), [25, 30, 35])

    def endless(self, **changes):
        return self.write(changed(BODY, run={"steps": 10**9}, output=[{"type": "series", "every": 100}], **changes))

    def wait_for_steps(self, folder, process):
        """Until it has taken some steps, to see in its series."""
        end = time.monotonic() + 100
        path = os.path.join(folder, "series.csv")
        while time.monotonic() < end and process.poll() is None:
            if os.path.exists(path) and lines(folder).count("\n") > 3:
                return
            time.sleep(0.05)
        self.fail("no step was taken")

    def wait_for_checkpoint(self, folder, process, at_least=1):
        end = time.monotonic() + 100
        while time.monotonic() < end and process.poll() is None:
            if os.path.isdir(folder) and len(steps_in(folder)) >= at_least:
                return
            time.sleep(0.05)
        self.fail("no checkpoint came")

    def test_interrupt_writes_one(self):
        out = os.path.join(self.folder(), "out")
        with self.started("run", self.endless(checkpoint={}), "--out", out, "-q", stderr=subprocess.PIPE) as process:
            self.wait_for_steps(out, process)
            self.check_interrupted(process, signal.SIGTERM)
        step, = steps_in(out)
        self.assertEqual(self.summary(out)["steps"], step)
        self.resume(out, "--steps", str(step + 3))
        whole = self.compute(BODY, "--steps", str(step + 3))
        self.assertEqual(self.digest(out), whole.summary["digest"])

    def test_signal_and_clock_ask_for_one(self):
        for changes, ask in (({}, True), ({"minutes": 0.005}, False)):
            out = os.path.join(self.folder(), "out")
            with self.started("run", self.endless(checkpoint=changes), "--out", out, "-q", stderr=subprocess.PIPE) as process:
                if ask:
                    self.wait_for_steps(out, process)
                    process.send_signal(signal.SIGUSR1)
                self.wait_for_checkpoint(out, process)


class RefusalTest(RestartTest):
    def test_bubbles_do_not_begin_later(self):
        """Nobody knows how much gas they would have."""
        case = VARIANTS["free surface"][0]
        whole = self.compute(case)
        done = self.compute(case, "--resume", checkpoint(whole.folder), "--set", "free_surface.bubbles=true", code=2)
        for word in ("free_surface.bubbles: true", "has false"):
            self.assertIn(word, done.error)

    def test_what_may_not_change_is_named(self):
        whole = self.compute(BODY)
        origin = checkpoint(whole.folder)
        for setting, words in (("lattice=D3Q15", ["lattice", "D3Q15", "D3Q19"]), ("precision=double", ["precision", "double", "single"]),
                               ("storage=half", ["storage", "half"]), ("domain.cells=[20,14,13]", ["domain.cells", "13"]),
                               ("domain.periodic=[true,true,true]", ["domain.periodic"]), ("run.steps=5", ["run.steps", "17"]),
                               ("solids=[]", ["solids", "fluid cells"]), ("scalar.diffusivity=0.1", ["scalar"])):
            with self.subTest(setting):
                done = self.compute(BODY, "--resume", origin, "--set", setting, code=2)
                for word in [*words, origin]:
                    self.assertIn(word, done.error)

    def test_what_may_change_is_noted(self):
        whole = self.compute(BODY)
        again = self.compute(BODY, "--resume", checkpoint(whole.folder), "--set", "fluid.tau=0.7")
        self.assertIn("viscosity", again.summary["warnings"][0])
        self.assertNotEqual(again.summary["digest"], whole.summary["digest"])

    def test_damaged_files(self):
        whole = self.compute(CAVITY)
        with open(checkpoint(whole.folder), "rb") as file:
            good = bytearray(file.read())
        path = os.path.join(self.folder(), "checkpoint_000000017.h5")
        with h5py.File(checkpoint(whole.folder)) as file:
            populations = file["flow"].id.get_chunk_info(1).byte_offset
            text = file["about"].id.get_offset()
        values = [populations + 5, text + 40]
        random.seed(18)
        for place in values + [random.randrange(len(good)) for _ in range(FLIPS)]:
            with self.subTest(place=place):
                out = os.path.join(self.folder(), "out")
                bad = bytearray(good)
                bad[place] ^= 1 << random.randrange(8)
                with open(path, "wb") as file:
                    file.write(bad)
                # A bit in a gap of the file means nothing; what is read must be right.
                done = subprocess.run([weir_case.program, "run", self.write(CAVITY), "--resume", path, "-q", "--out", out],
                                      env=weir_case.environment(1), capture_output=True, text=True, timeout=100)
                if done.returncode == 0:
                    self.assertNotIn(place, values)
                    self.assertEqual(self.digest(out), whole.summary["digest"])
                else:
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertRegex(done.stderr, r"\Aweir: [^\n]*checkpoint_000000017\.h5: [^\n]+\n\Z")
        for length in (0, 100, len(good) // 2, len(good) * 7 // 8):
            with self.subTest(length=length):
                with open(path, "wb") as file:
                    file.write(good[:length])
                done = self.compute(CAVITY, "--resume", path, code=2)
                self.assertIn("cut short or damaged", done.error)

    def test_other_sizes_than_it_says(self):
        whole = self.compute(CAVITY)
        for name in ("flow", "flow checksums"):
            path = shutil.copy(checkpoint(whole.folder), os.path.join(self.folder(), "checkpoint_000000017.h5"))
            with h5py.File(path, "r+") as file:
                values, chunks = file[name][...], file[name].chunks
                del file[name]
                longer = file.create_dataset(name, (*values.shape[:-1], values.shape[-1] + 8), values.dtype, chunks=chunks)
                longer[..., :values.shape[-1]] = values
            with self.subTest(name):
                self.assertIn("not of the size", self.compute(CAVITY, "--resume", path, code=2).error)

    def test_foreign_files(self):
        whole = self.compute(changed(CAVITY, output=[{"type": "fields"}]))
        for path, words in ((os.path.join(whole.folder, "fields_000000037.h5"), "no checkpoint"), (os.path.join(whole.folder, "case.json"), "HDF5"),
                            ("/nowhere/checkpoint.h5", "No such file")):
            self.assertIn(words, self.compute(CAVITY, "--resume", path, code=2).error)

    def test_damaged_newest_gives_way_to_the_one_before(self):
        whole = self.compute(changed(CAVITY, checkpoint={"every": 10}))
        self.assertEqual(steps_in(whole.folder), [20, 30])
        with open(checkpoint(whole.folder, 30), "r+b") as file:
            file.truncate(1000)
        self.resume(whole.folder)
        summary = self.summary(whole.folder)
        self.assertEqual((summary["resumed_at"], summary["digest"]), (20, whole.summary["digest"]))
        self.assertIn("damaged", summary["warnings"][0])

    def test_wrong_usage(self):
        empty = self.folder()
        nothing = self.compute({key: value for key, value in CAVITY.items() if key != "checkpoint"})
        self.assertEqual(steps_in(nothing.folder), [])
        self.check_wrong_usage([(["resume"], ["folder"]), (["resume", empty], ["case.json"]), (["resume", nothing.folder, "-q"], ["no checkpoint"]),
                                (["resume", nothing.folder, "--out", "x"], ["--out"]), (["check", self.write(CAVITY), "--resume", "x"], ["--resume"])])


class FaultTest(RestartTest):
    def test_killed_at_any_moment(self):
        """Whatever is there is whole, and the run goes on from it to the same digest and series."""
        random.seed(19)
        case = changed(BODY, run={"steps": 1500}, checkpoint={"every": 7}, output=[{"type": "series", "every": 5}])
        self.compute(case, "--steps", "1")  # compiles kernels, where they are not there
        began = time.monotonic()
        whole = self.compute(case)
        seconds = time.monotonic() - began
        out = os.path.join(self.folder(), "out")
        begin, on = ["run", self.write(case), "--out", out, "-q"], ["resume", out, "-q"]
        survived, ended = 0, False
        for _ in range(KILLS):
            going_on = not ended and os.path.isdir(out) and steps_in(out)  # one that has ended begins anew
            ended = False
            words = on if going_on else [*begin, "--force"]
            with self.started(*words, stderr=subprocess.PIPE) as process:
                try:
                    _, said = process.communicate(timeout=random.uniform(0.1, 1) * seconds)
                    self.assertEqual(process.returncode, 0, said)
                    survived, ended = survived + 1, True
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
            for step in steps_in(out) if os.path.isdir(out) else []:
                with h5py.File(checkpoint(out, step)) as file:
                    self.assertEqual(json.loads(bytes(file["about"][:]).decode())["step"], step)
        self.resume(out)
        self.assertEqual(self.digest(out), whole.summary["digest"])
        self.assertEqual(lines(out), lines(whole.folder))
        self.assertLess(survived, KILLS)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_a_rank_is_killed_at_any_moment(self):
        """Of two ranks; a tenth as often, because ranks take a second to start."""
        random.seed(23)
        case = changed(BODY, run={"steps": 300}, checkpoint={"every": 7}, output=[{"type": "series", "every": 5}, {"type": "averages", "every": 10, "start": 100}])
        began = time.monotonic()
        whole = self.compute(case, ranks=2)
        seconds = time.monotonic() - began
        launch, variables = weir_case.launcher(2)
        out = os.path.join(self.folder(), "out")
        for _ in range(max(KILLS // 10, 2)):
            words = ["resume", out] if os.path.isdir(out) and steps_in(out) else ["run", self.write(case), "--out", out, "--force"]
            with subprocess.Popen([*launch, weir_case.program, *words, "-q"], env={**weir_case.environment(1), **variables}, stderr=subprocess.DEVNULL) as process:
                time.sleep(random.uniform(0.3, 1) * seconds)
                with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
                    ranks = [int(rank) for rank in children.read().split()]
                if ranks:
                    os.kill(random.choice(ranks), signal.SIGKILL)
                process.wait(timeout=60)
        if steps_in(out): # else both were killed before the first
            self.resume(out, ranks=2)
        else:
            out = self.compute(case, ranks=2).folder
        self.assertEqual(self.digest(out), whole.summary["digest"])
        self.assertEqual(lines(out), lines(whole.folder))
        with h5py.File(os.path.join(out, "averages_000000300.h5")) as one, h5py.File(os.path.join(whole.folder, "averages_000000300.h5")) as other:
            self.assertTrue(numpy.array_equal(one["velocity"], other["velocity"], equal_nan=True))

    def test_no_room_for_a_checkpoint(self):
        """A limit on file sizes, as a full disk: the run ends with what is wrong, and the one before stays."""
        whole = self.compute(BODY)
        part = self.compute(BODY, "--steps", str(M))
        done = subprocess.run([weir_case.program, "resume", part.folder, "-q", "--steps", "100"], env=weir_case.environment(1), capture_output=True, text=True,
                              timeout=100, preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                               resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("checkpoint_000000034.h5", done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual([name for name in os.listdir(part.folder) if name.endswith(".part")], [])
        self.assertEqual(steps_in(part.folder), [M])
        self.resume(part.folder, "--steps", str(M + N))
        self.assertEqual(self.digest(part.folder), whole.summary["digest"])


class SizesTest(RestartTest):
    """What weir check says of checkpoints is what they take."""
    LARGE = changed(BODY, domain={"cells": [96, 96, 192], "periodic": [True, False, True]}, solids=[], blocks={"cells": [96, 48, 48]},
                    run={"steps": 4}, checkpoint={"every": 2, "buffer": 16})
    SAID = re.compile(r"checkpoint +([\d.]+) MiB each, .* take ([\d.]+) MiB of a rank, chunks on their way to the disk ([\d.]+) MiB(; other blocks wait)?")

    def write(self, case):
        path = os.path.join(self.folder(), "case.json")
        with open(path, "w") as file:
            json.dump(case, file)
        return path

    def said(self, path):
        done = subprocess.run([weir_case.program, "check", path], env=weir_case.environment(1), capture_output=True, text=True, timeout=100)
        found = self.SAID.search(done.stdout)
        self.assertTrue(found, done.stdout + done.stderr)
        return [float(number) for number in found.groups()[:3]], bool(found.group(4))

    def take(self, path, *options):
        """Largest resident memory of a run in MiB, and its folder."""
        out = os.path.join(self.folder(), "out")
        process = subprocess.Popen([weir_case.program, "run", path, "-q", "--out", out, *options], env=weir_case.environment(1))
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return use.ru_maxrss / 1024, out

    def test_file(self):
        for case in (self.LARGE, changed(self.LARGE, lattice="D3Q15", precision="double", scalar={"diffusivity": 0.05}), CAVITY):
            path = self.write(case)
            (each, _, _), _ = self.said(path)
            _, out = self.take(path)
            step = case["checkpoint"]["every"]
            written = os.path.getsize(checkpoint(out, step)) / 2**20
            self.assertLessEqual(written, each * 1.0006)  # four digits are printed
            self.assertGreater(written, each * 0.99 - 0.1)

    def test_memory(self):
        path = self.write(self.LARGE)
        (each, copies, queued), others_wait = self.said(path)
        self.assertTrue(others_wait)
        most = copies + queued + 12  # HDF5's own, and what the allocator keeps
        self.assertLess(most, each)  # what copies that wait for the disk would take, or chunks whose memory is not used again
        without, _ = self.take(path, "--set", "checkpoint=null")
        taken, _ = self.take(path)
        self.assertLess(taken - without, most)


if __name__ == "__main__":
    weir_case.main()
