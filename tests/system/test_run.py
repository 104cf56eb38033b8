#!/usr/bin/env python3
"""The program as its users meet it: commands, options, exit codes, messages, files, and what happens when a run goes wrong.

Usage: test_run.py WEIR
"""
import contextlib
import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIGS = os.path.join(HERE, "..", "..", "configs")
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import h5py

import weir_case

CAVITY = {
    "name": "cavity",
    "lattice": "D2Q9",
    "collision": {"operator": "trt"},
    "precision": "double",
    "domain": {"cells": [32, 32]},
    "fluid": {"tau": 0.6},
    "boundaries": {"y+": {"type": "wall", "velocity": [0.1, 0]}},
    "blocks": {"cells": [16, 16]},
    "run": {"steps": 60},
    "output": [
        {"type": "fields", "every": 20},
        {"type": "image", "every": 30},
        {"type": "profile", "from": [16, 0], "to": [16, 32]},
        {"type": "series", "every": 10},
    ],
}
# The records of a run; all else in its folder is output.
RECORDS = ["case.json", "summary.json"]

# Keys of the summary that users may rely on, and the JSON types they have after a run that ended well.
SUMMARY = {
    "name": str, "version": str, "lattice": str, "collision": str, "precision": str, "cells": list, "fluid_cells": int, "steps": int,
    "wall_seconds": float, "mlups": float, "bytes_per_update": float, "bandwidth_gbs": float, "limit_gbs": (float, type(None)),
    "policy": str, "block_cells": list, "ranks": int, "workers": list, "digest": str, "mass_drift": float, "max_velocity": float,
    "stopped_by": str, "warnings": list, "rank_blocks": list, "moved_between_ranks": int,
}


def environment():
    return weir_case.environment(1)


def changed(case, **changes):
    return {**case, **changes}


def contents(folder):
    """Every file's bytes and time of change."""
    result = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            result[name] = (file.read(), os.stat(path).st_mtime_ns)
    return result


@contextlib.contextmanager
def started(*arguments, **streams):
    """The program, under way; it is ended with the block."""
    with subprocess.Popen([weir_case.program, *arguments], env=environment(), **streams) as process:
        try:
            yield process
        finally:
            process.kill()


class RunTest(weir_case.CaseTest):
    def call(self, *arguments, code=0, **options):
        """Calls the program; what it says on a failure must be a message."""
        options = {"env": environment(), "timeout": 120, **options}
        done = subprocess.run([weir_case.program, *arguments], capture_output=True, text=True, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}{done.stderr}")
        if code:
            self.assertIn("weir: ", done.stderr)
        return done

    def check_intact(self, folder, cut_off=False):
        """Every file is whole, and none is left that was being written. cut_off: the newest fields may not have come into their
        table any more."""
        for name in weir_case.results_in(folder):
            path = os.path.join(folder, name)
            with self.subTest(name), open(path, "rb") as file:
                stem, ending = os.path.splitext(name)
                if ending == ".json":
                    json.load(file)
                elif ending == ".png":
                    data = file.read()
                    self.assertTrue(data.startswith(b"\x89PNG\r\n") and b"IEND" in data[-12:])
                elif ending == ".csv":
                    lines = file.read().decode().split("\n")
                    self.assertGreater(len(lines), 1, "empty")
                    self.assertEqual(lines.pop(), "", "the last row has no end")
                    self.assertEqual({line.count(",") for line in lines}, {lines[0].count(",")})
                elif ending == ".h5":
                    with h5py.File(file) as fields:
                        self.assertEqual(int(stem[-9:]), fields.attrs["step"])
                        for dataset in fields.values():
                            self.assertTrue((abs(dataset[...]) < 10).all())
                elif ending == ".xmf":
                    tree = xml.etree.ElementTree.parse(file)
                    items = {item.text.strip().partition(":")[0] for item in tree.iter("DataItem") if ".h5" in item.text}
                    files = {other for other in os.listdir(folder) if other.endswith(".h5")}
                    self.assertIn(items, [files, files - {max(files)}] if cut_off else [files])
                else:
                    self.fail("what is this file?")


class CommandLine(RunTest):
    def test_wrong_usage(self):
        case = self.write(CAVITY)
        for arguments, words in (
            ([], ["no command", "run, resume, check, calibrate, predict, info, bench, compare, scale, show, trace or kernels"]),
            (["rum", case], ['"rum"', '"run"']),
            (["frobnicate", case], ['"frobnicate"']),
            (["run"], ["no case"]),
            (["check"], ["no case"]),
            (["run", case, case], ["one case"]),
            (["info", case], ["no whole HDF5 file"]),
            (["run", case, "--stpes", "5"], ["--stpes"]),
            (["run", case, "--steps"], ["--steps"]),
            (["run", case, "--steps", "many"], ["run.steps", "many"]),
            (["run", case, "--steps", "-5"], ["run.steps", "-5"]),
            (["run", case, "--set", "run.stesp=5"], ["stesp", "steps"]),
            (["run", case, "--set", "placement.policy=starpu:nonsense"], ["nonsense", "the usual ones are lws", "weir info"]),
            (["run", case, "--set", "placement.policy=starpu:dmads"], ["dmads", 'did you mean "starpu:dmdas"?', "weir info"]),
            (["check", case, "--set", "placement.policy=starpu:dmads"], ['did you mean "starpu:dmdas"?']),
            (["run", case, "--out", case], [case, "folder"]),
        ):
            with self.subTest(arguments):
                folder = self.folder()
                done = subprocess.run([weir_case.program, *arguments], cwd=folder, env=environment(), capture_output=True, text=True)
                self.assertEqual(done.returncode, 2, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertEqual(os.listdir(folder), [])

    def test_help(self):
        said = self.call("--help").stdout
        for word in ("run", "check", "info", "--set", "--steps", "--out", "--force", "--summary", "--quiet", "77"):
            self.assertIn(word, said)

    def test_version(self):
        said = self.call("--version").stdout
        self.assertRegex(said, r"^weir \d+\.\d+\.\d+\n")
        for word in ("StarPU 1.4", "CUDA", "HDF5", *weir_case.LATTICES, *weir_case.COLLISIONS):
            self.assertIn(word, said)

    def test_info(self):
        said = self.call("info").stdout
        self.assertRegex(said, r"(?m)^cores: \d+, GPUs: \d+$")
        self.assertRegex(said, r"(?m)^schedulers.*: (.+, )?lws, ")
        self.assertRegex(said, r"(?m)^CPU workers.*: \d+\.\d GB/s$")
        self.assertRegex(said, r"(?m)^ +CPU 0 ")

    def test_check(self):
        folder = self.folder()
        case = changed(CAVITY, fluid={"reynolds": {"number": 100, "velocity": 0.1, "length": 32}})
        said = self.call("check", self.write(case), cwd=folder).stdout
        for word in ("cavity", "D2Q9", "tau 0.596", "Reynolds 100", "Mach 0.173", "1024 cells", "bytes per cell", "4 of 16 x 16 x 1",
                     "policy balanced; 1 CPU core with 4 blocks\n"):
            self.assertIn(word, said)
        self.assertNotIn("warning: tau", said)
        self.assertEqual(os.listdir(folder), [])

    def test_check_warns_of_trt_near_one_half(self):
        """Not of BGK, where a stream of that velocity is stable."""
        case = changed(CAVITY, fluid={"reynolds": {"number": 2000, "velocity": 0.1, "length": 32}})
        said = self.call("check", self.write(case)).stdout
        self.assertIn("warning: tau 0.5048 is too near 1/2 for trt at velocity 0.1: waves of a few cells grow below tau 0.5180; use recursive", said)
        said = self.call("check", self.write(case), "--set", "collision={\"operator\": \"bgk\"}").stdout
        self.assertNotIn("waves", said)

    def test_check_tells_of_buoyancy(self):
        """Free fall by 1.5 over 32 cells: sqrt(3e-4 * 1.5 * 32), and its square times that of 32 by viscosity and diffusivity."""
        case = changed(CAVITY, fluid={"viscosity": 0.1}, boundaries={"y-": {"type": "wall", "scalar": 1}, "y+": {"type": "wall", "scalar": -0.5}},
                       scalar={"diffusivity": 0.05, "buoyancy": {"expansion": 0.01, "gravity": [0, -0.03], "reference": 0.25}})
        said = self.call("check", self.write(case)).stdout
        self.assertIn("buoyancy      0.0003 cells per step squared for each unit of the scalar above 0.25; "
                      "with 1.5 over 32 cells Rayleigh 2949, free fall 0.12 cells per step\n", said)
        self.assertNotIn("warning: by buoyancy", said)
        said = self.call("check", self.write(case), "--set", "scalar.buoyancy.gravity=[0, -3]").stdout
        self.assertIn("warning: by buoyancy Mach 0.62", said)

    def test_numbers_of_prandtl_and_rayleigh(self):
        """The same flow as by the diffusivity and the expansion that follow from them, also in SI."""
        for units in ({"fluid": {"viscosity": 0.1}}, {"units": "si", "si": {"cell_size": 0.01, "time_step": 0.02}, "fluid": {"viscosity": 0.1 * 0.01**2 / 0.02}}):
            length, gravity = (0.32, -0.03 * 0.01 / 0.02**2) if "si" in units else (32, -0.03)
            case = changed(CAVITY, **units, output=[], boundaries={"y-": {"type": "wall", "scalar": 1}, "y+": {"type": "wall", "scalar": -0.5}},
                           scalar={"prandtl": 2, "buoyancy": {"rayleigh": {"number": 1e4, "difference": 1.5, "length": length}, "gravity": [0, gravity]}})
            path = self.write(case)
            said = self.call("check", path).stdout
            self.assertIn("Schmidt or Prandtl 2", said)
            self.assertIn("with 1.5 over 32 cells Rayleigh 1e+04, ", said)
            # 1e4 ν D / (g Δφ L^3) in cells and steps, which are those of both
            expansion = 1e4 * 0.1 * 0.05 / (0.03 * 1.5 * 32**3)
            self.assertIn(f"buoyancy      {expansion * 0.03:.4g} cells per step squared", said)

    def test_check_tells_rates_that_the_lattice_has(self):
        for lattice, cells, rates in (("D2Q9", [8, 8], "rate_e 1.19, rate_epsilon 1.4, rate_q 1.5"),
                                      ("D3Q15", [8, 8, 8], "rate_e 1.19, rate_epsilon 1.4, rate_q 1.5, rate_m 1.98")):
            case = {"lattice": lattice, "collision": {"operator": "mrt", "rate_q": 1.5}, "domain": {"cells": cells}, "fluid": {"tau": 0.6},
                    "run": {"steps": 1}}
            said = self.call("check", self.write(case)).stdout
            self.assertIn(f"{lattice}, mrt ({rates}), ", said)

    def test_check_divides_among_ranks(self):
        case = changed(CAVITY, domain={"cells": [64, 64]}, blocks={"cells": [8, 8]})
        said = self.call("check", self.write(case), "--ranks", "4").stdout
        # Quarters of 32 x 32: D2Q9 sends 3 populations per cell of a face; where one goes across a corner, it is not counted twice.
        sent = 8 * (2 * (32 + 31 + 31) + 1) / 1000
        self.assertRegex(said, rf"(?m)^ +3 +16 +1024 +3 +{sent:.1f}$")
        self.assertIn("efficiency at most 100.0 %", said)
        self.assertIn("together 6048 bytes (6.05 kB) per step; at most 1.48 bytes per update of a cell\n", said)
        self.assertIn("policy balanced; for a rank that is alone here: 1 CPU core with 16 blocks\n", said)
        many = self.call("check", self.write(case), "--ranks", "23", "--set", "placement.policy=starpu:lws").stdout
        self.assertRegex(many, r"(?m)^ +15 .*\n +\.\.\. and 7 more; .*\n +least +2 +128 +\d+ .*\n +most +3 +192 +\d+ ")
        self.assertIn(f"efficiency at most {100 * 64 / 23 / 3:.1f} %", many)
        self.assertIn("for a rank that is alone here: the scheduler decides, among 1 CPU core\n", many)
        too_many = self.call("check", self.write(case), "--ranks", "65").stdout
        self.assertRegex(too_many, r"warning: rank \d+ of 65 gets none of the 64 blocks, because there are more ranks than blocks")
        grid = self.call("check", self.write(case), "--ranks", "4", "--set", "ranks.grid=[4,1]").stdout
        self.assertRegex(grid, r"(?m)^ +1 +16 +1024 +2 ")
        for arguments, words in ((["--ranks", "4", "--set", "ranks.grid=[3,1]"], ["ranks.grid", "product is 4"]),
                                 (["--ranks", "x"], ['--ranks: "x"'])):
            with self.subTest(arguments):
                failed = self.call("check", self.write(case), *arguments, code=2)
                for word in words:
                    self.assertIn(word, failed.stderr)
        self.assertIn("ranks.grid", self.call("run", self.write(case), "--set", "ranks.grid=[2,1]", code=2).stderr)

    def test_check_divides_by_a_map(self):
        """Regions for ranks, and for hosts that are not there."""
        case = changed(CAVITY, domain={"cells": [64, 64]}, blocks={"cells": [8, 8]}, ranks={"map": "map.json"})
        path = self.write(case)

        def divide(count, *regions, code=0):
            with open(os.path.join(os.path.dirname(path), "map.json"), "w") as file:
                json.dump({"regions": [{"from": [0, low], "to": [64, high], **owner} for low, high, owner in regions]}, file)
            return self.call("check", path, "--ranks", str(count), code=code)

        said = divide(2, (0, 16, {"rank": 1}), (16, 64, {"rank": 0})).stdout
        self.assertRegex(said, r"(?m)^ +0 +48 +3072 +1 ")
        self.assertRegex(said, r"(?m)^ +1 +16 +1024 +1 ")
        hosts = [(0, 8, {"host": "b", "gpu": 1}), (8, 24, {"host": "a"}), (24, 40, {"host": "b.org", "gpu": 0}), (40, 64, {"host": "b", "gpu": 1})]
        for count, words in ((2, [r"order in which the map names them", r"0  b, GPU 1 0\n", r"1  a\n", r" 0 +48 +3072 ", r" 1 +16 +1024 "]),
                             (3, [r"0  b, GPU 1\n", r"1  b, GPU 0\n", r"2  a\n", r" 0 +32 ", r" 1 +16 ", r" 2 +16 "])):
            said = divide(count, *hosts).stdout
            for word in words:
                self.assertRegex(said, word)
        for count, regions, words in ((4, hosts, ["map.json: regions", "2 ranks, one per host", "3, one per GPU"]),
                                      (2, [(0, 8, {"rank": 0}), (8, 64, {"rank": 2})], ["map.json: regions[1].rank: 2", "2 ranks"]),
                                      (3, [(0, 8, {"rank": 0}), (8, 64, {"rank": 2})], ["map.json: regions", "none is for rank 1"]),
                                      (2, [(0, 3, {"rank": 0}), (3, 64, {"rank": 1})], ["map.json: regions[0]: no block", "blocks.cells"])):
            with self.subTest(words):
                failed = divide(count, *regions, code=2).stderr
                for word in words:
                    self.assertIn(word, failed)

    def test_a_map_places_blocks(self):
        """In one process, on the parts that it names; and the map is a part of what is kept of the case."""
        regions = [{"from": [0, 0], "to": [32, 8], "host": os.uname().nodename.split(".")[0], "part": "cpu1"},
                   {"from": [0, 8], "to": [32, 32], "rank": 0, "part": "cpu0"}]
        case = changed(CAVITY, domain={"cells": [32, 32]}, blocks={"cells": [8, 8]}, ranks={"map": {"regions": regions}}, output=[])
        surroundings = {**environment(), "STARPU_NCPU": "2", "STARPU_WORKERS_NOBIND": "1"}
        for policy in ("static", "model"):
            folder = os.path.join(self.folder(), "out")
            self.call("run", self.write(case), "--out", folder, "--quiet", "--set", f"placement.policy={policy}", env=surroundings)
            with open(os.path.join(folder, "summary.json")) as file:
                self.assertEqual([worker["home_blocks"] for worker in json.load(file)["workers"]], [12, 4])
            with open(os.path.join(folder, "case.json")) as file:
                self.assertEqual(json.load(file)["ranks"]["map"]["regions"], regions)
            for ranks in ([], ["--ranks", "1"]):
                said = self.call("check", self.write(case), *ranks, "--set", f"placement.policy={policy}", env=surroundings).stdout
                self.assertIn(f"policy {policy}; 2 CPU cores with 4 to 12 blocks each, by the map\n", said)
        regions[0]["part"] = "cpu7"
        self.call("run", self.write(case), "--out", os.path.join(self.folder(), "out"), "--set", "placement.policy=starpu:lws", env=surroundings)
        failed = self.call("run", self.write(case), "--out", os.path.join(self.folder(), "out"), code=2, env=surroundings)
        self.assertRegex(failed.stderr, r'ranks\.map\.regions\[0\]\.part: "cpu7" takes no steps')
        self.assertIn("the map names parts that are not here, where there are 2 CPU cores\n", self.call("check", self.write(case), env=surroundings).stdout)
        regions[0] = {**regions[0], "part": "cpu1", "host": "nowhere"}
        self.assertRegex(self.call("check", self.write(case), env=surroundings).stdout, r"; the map in \S+ is for other ranks than one here; --ranks N shows them\n")

    def test_check_foretells_the_run(self):
        """Blocks and homes, whatever StarPU's variables say; and who decides where no block has a home."""
        case = changed(CAVITY, domain={"cells": [300, 210]}, run={"steps": 2}, output=[])
        del case["blocks"]
        for settings in ({"STARPU_NCPU": "1"}, {"STARPU_NCPU": "3"}, {"STARPU_NCPU": "2", "STARPU_RESERVE_NCPU": "1"}):
            with self.subTest(settings):
                folder, surroundings = os.path.join(self.folder(), "out"), {**environment(), **settings}
                said = self.call("check", self.write(case), env=surroundings).stdout
                self.call("run", self.write(case), "--out", folder, "--quiet", env=surroundings)
                with open(os.path.join(folder, "summary.json")) as file:
                    summary = json.load(file)
                blocks = [worker["home_blocks"] for worker in summary["workers"]]
                self.assertIn(f"{summary['blocks']} of {' x '.join(map(str, summary['block_cells']))}\n", said)
                self.assertRegex(said, rf"policy balanced; {len(blocks)} CPU cores? with "
                                 + (f"{min(blocks)} to {max(blocks)} blocks" if min(blocks) < max(blocks) else f"{min(blocks)} block"))
        said = self.call("check", self.write(case), "--set", "placement.policy=starpu:lws").stdout
        self.assertIn("policy starpu:lws; the scheduler decides, among 1 CPU core\n", said)

    def test_check_for_another_machine(self):
        """A right case is right where it cannot run, too."""
        said = self.call("check", self.write(CAVITY), "--set", "placement.workers=cuda", env={**environment(), "STARPU_NCUDA": "0"}).stdout
        self.assertIn("warning: it cannot run here: placement.workers", said)

    def test_no_such_device(self):
        """Exit code 77 tells scripts that it is the machine's fault."""
        case = self.write(CAVITY)
        done = subprocess.run([weir_case.program, "run", case, "--out", self.folder() + "/out"], capture_output=True, text=True,
                              env={**os.environ, "STARPU_NCPU": "0", "STARPU_NCUDA": "0"})
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("STARPU_NCPU", done.stderr)


class Results(RunTest):
    def test_files(self):
        run = self.compute(CAVITY)
        self.check_intact(run.folder)
        self.assertEqual(run.files(), sorted(RECORDS + [
            "fields.xmf", "fields_000000020.h5", "fields_000000040.h5", "fields_000000060.h5", "image_speed_z_000000030.png",
            "image_speed_z_000000060.png", "profile_000000060.csv", "series.csv"]))
        self.assertEqual(list(run.series()["step"]), [0, 10, 20, 30, 40, 50, 60])
        with open(os.path.join(run.folder, "case.json")) as file:
            self.assertEqual(json.load(file), CAVITY)

    def test_default_folder(self):
        folder = self.folder()
        self.call("run", self.write(CAVITY), cwd=folder)
        self.assertTrue(os.path.exists(os.path.join(folder, "out", "cavity", "summary.json")))

    def test_steps_and_set(self):
        run = self.compute(CAVITY, "--steps", "13", "--set", "boundaries.y+.velocity=[0.05, 0]", "--set", "name=slow")
        self.assertEqual((run.summary["steps"], run.summary["name"]), (13, "slow"))
        self.assertEqual(run.files(".h5"), ["fields_000000013.h5"])
        with open(os.path.join(run.folder, "case.json")) as file:
            record = json.load(file)
        self.assertEqual((record["run"]["steps"], record["boundaries"]["y+"]["velocity"]), (13, [0.05, 0]))

    def test_record_repeats_the_run(self):
        run = self.compute(CAVITY, "--steps", "13", "--set", "fluid.tau=0.7")
        again = self.compute(os.path.join(run.folder, "case.json"))
        self.assertEqual(again.summary["digest"], run.summary["digest"])

    def test_no_steps(self):
        run = self.compute(CAVITY, "--steps", "0")
        self.assertEqual(run.summary["steps"], 0)
        self.assertEqual(run.files(".h5"), ["fields_000000000.h5"])

    def test_summary(self):
        path = os.path.join(self.folder(), "copy.json")
        run = self.compute(CAVITY, "--summary", path)
        summary = run.summary
        with open(path) as file:
            self.assertEqual(json.load(file), summary)
        for key, kind in SUMMARY.items():
            with self.subTest(key):
                self.assertIsInstance(summary[key], kind)
        self.assertEqual([summary[key] for key in ("name", "lattice", "collision", "precision", "cells", "fluid_cells", "steps")],
                         ["cavity", "D2Q9", "trt", "double", [32, 32, 1], 1024, 60])
        self.assertEqual([summary[key] for key in ("bytes_per_update", "policy", "block_cells", "ranks", "stopped_by")],
                         [2 * 9 * 8 + 1, "balanced", [16, 16, 1], 1, "steps"])
        self.assertAlmostEqual(summary["mlups"], 60 * 1024 / summary["wall_seconds"] / 1e6, delta=1e-6 * summary["mlups"])
        self.assertAlmostEqual(summary["bandwidth_gbs"], summary["mlups"] * 145 / 1e3, delta=1e-6 * summary["bandwidth_gbs"])
        self.assertEqual(summary["max_velocity"], run.series()["max_speed"][-1])
        self.assertGreater(len(summary["workers"]), 0)
        self.assertEqual(sum(worker["updates"] for worker in summary["workers"]), 60 * 1024)

    def test_mass_drift(self):
        """A body that pushes the fluid and touches a wall adds mass: told at the end, and in the summary."""
        case = changed(CAVITY, solids=[{"box": {"from": [0, 0], "to": [8, 32]}, "velocity": [0.01, 0]}], output=[])
        out = os.path.join(self.folder(), "out")
        done = self.call("run", self.write(case), "--out", out)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertGreater(summary["mass_drift"], 1e-4)
        self.assertEqual(len(summary["warnings"]), 1)
        self.assertIn("see solids[].velocity", summary["warnings"][0])
        self.assertIn("weir: warning: the mass changed by", done.stderr)

    def test_earlier_run(self):
        """Is not touched without --force, and replaced with it; other files in the folder stay."""
        run = self.compute(CAVITY)
        with open(os.path.join(run.folder, "notes.txt"), "w") as file:
            file.write("mine")
        before, case = contents(run.folder), self.write(CAVITY)
        done = self.call("run", case, "--out", run.folder, code=2)
        self.assertIn("--force", done.stderr)
        self.assertIn(run.folder, done.stderr)
        self.assertEqual(contents(run.folder), before)

        self.call("run", case, "--out", run.folder, "--force", "--steps", "7")
        self.assertEqual(run.summary["steps"], 7)
        self.assertEqual(run.files(".h5"), ["fields_000000007.h5"])
        self.assertEqual(contents(run.folder)["notes.txt"], before["notes.txt"])

    def test_bad_case_touches_nothing(self):
        """Not even with --force."""
        run = self.compute(CAVITY)
        before = contents(run.folder)
        for setting in ("fluid.tau=0.1", "placement.policy=starpu:nonsense"):
            self.call("run", self.write(CAVITY), "--out", run.folder, "--force", "--set", setting, code=2)
            self.assertEqual(contents(run.folder), before)

    def test_configs(self):
        """All configs run."""
        names = sorted(name for name in os.listdir(CONFIGS) if name.endswith(".json") and name != "schema.json")
        self.assertEqual(names, ["artery.json", "car.json", "cavity2d.json", "cavity3d.json", "channel_inlet.json", "channel_sphere.json", "couette.json", "cylinder2d.json", "cylinder3d.json", "dam_break.json", "drop_impact.json", "drop_on_wall.json", "droplet_collision.json",
                                 "gyroid.json", "heat_exchanger.json", "heated_cavity.json", "heated_cylinder.json", "packed_bed.json", "poiseuille.json", "porous_rock.json", "rayleigh_benard.json", "rayleigh_taylor.json", "rising_bubble.json", "rising_drop.json", "rotating_cylinders.json", "spinodal.json", "step.json",
                                 "taylor_green.json", "taylor_green_3d.json", "turbulent_channel.json"])
        for name in names:
            with self.subTest(name):
                path = os.path.join(CONFIGS, name)
                run = self.compute(path, "--steps", "4", workers=None)
                self.check_intact(run.folder)
                with open(path) as file:
                    outputs = json.load(file)["output"]
                kinds = {"fields": ".h5", "image": ".png", "profile": "_000000004.csv", "series": "series.csv"}
                for kind, ending in kinds.items():
                    self.assertEqual(len(run.files(ending)), sum(output["type"] == kind for output in outputs), kind)
                self.assertLess(abs(run.summary["mass_drift"]), 1e-6)


class Steady(RunTest):
    def test_stop(self):
        """At a step that depends on the case alone, where the flow really is steady."""
        case = changed(CAVITY, domain={"cells": [16, 16]}, run={"steps": 100000, "stop_when": {"steady": 1e-6, "every": 100}},
                       output=[{"type": "fields", "every": 100}])
        seen = set()
        for blocks, policy, workers in (([16, 16], "static", 1), ([16, 16], "static", 1), ([5, 7], "static", 2), ([3, 3], "starpu:lws", 2),
                                        ([8, 16], "starpu:eager", 2)):
            run = self.compute(case, "--set", f"blocks.cells={blocks}", "--set", f"placement.policy={policy}", workers=workers)
            self.assertEqual(run.summary["stopped_by"], "steady")
            seen.add((run.summary["steps"], run.summary["digest"]))
        self.assertEqual(len(seen), 1, seen)

        steps = run.summary["steps"]
        self.assertLess(steps, 20000)
        velocity = {}
        for name in run.files(".h5"):
            with h5py.File(os.path.join(run.folder, name)) as file:
                velocity[int(file.attrs["step"])] = file["velocity"][...]
        changes = {step: abs(velocity[step] - velocity[step - 100]).max() / abs(velocity[step]).max()
                   for step in velocity if step - 100 in velocity and step % 100 == 0}
        self.assertEqual([step for step, change in changes.items() if change <= 1e-6], [steps // 100 * 100])

    def test_memory(self):
        """The velocities of the last test are counted, by check and run alike."""
        sizes = []
        for setting in ("run.steps=20", 'run.stop_when={"steady": 1e-15, "every": 10}'):
            run = self.compute(CAVITY, "--set", setting)
            self.assertAlmostEqual(run.summary["bytes_per_cell"], run.summary["memory_bytes"] / 1024)
            self.assertIn(f"{run.summary['bytes_per_cell']:.1f} bytes per cell", self.call("check", self.write(CAVITY), "--set", setting).stdout)
            sizes.append(run.summary["memory_bytes"])
        self.assertEqual(sizes[1] - sizes[0], 12 * 1024)

    def test_never(self):
        run = self.compute(CAVITY, "--set", 'run.stop_when={"steady": 1e-15, "every": 10}')
        self.assertEqual((run.summary["stopped_by"], run.summary["steps"]), ("steps", 60))


class Progress(RunTest):
    LINE = r"step \d+/\d+ +\d+ %  [\d.]+ MLUPS .*balance \d\.\d\d  [\d:]+ left"

    def test_terminal(self):
        """One line that is redrawn, and wiped in the end."""
        out = os.path.join(self.folder(), "out")
        case = self.write(changed(CAVITY, output=[]))
        master, slave = pty.openpty()
        with started("run", case, "--out", out, "--steps", "20000", stdout=subprocess.PIPE, stderr=slave) as process:
            os.close(slave)
            said = b""
            try:
                while part := os.read(master, 65536):
                    said += part
            except OSError:  # how the end of a terminal reads
                pass
            report = process.stdout.read().decode()
            process.wait()
        os.close(master)
        self.assertEqual(process.returncode, 0)
        first, *drawn = said.decode().replace("\r\n", "\n").split("\r\x1b[K")
        self.assertIn("cavity: D2Q9 trt double", first)
        self.assertGreaterEqual(len(drawn), 2, said)
        self.assertEqual(drawn.pop(), "")
        for line in drawn:
            self.assertRegex(line, f"^{self.LINE}$")
        self.assertRegex(report, r"(?m)^20000 steps in [\d.]+ s, [\d.]+ MLUPS.*, stopped by steps$")
        self.assertRegex(report, r"(?m)^digest [0-9a-f]{32}$")
        self.assertIn(f"results in {out}\n", report)

    def test_pipe_and_interrupt(self):
        """A line now and then; and a run that is stopped by Ctrl-C leaves what it reached, whole."""
        out = os.path.join(self.folder(), "out")
        case = self.write(changed(CAVITY, run={"steps": 10**9}))
        with started("run", case, "--out", out, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            said = process.stderr.readline()
            if said.startswith("first run on this machine"):
                said = process.stderr.readline()
            self.assertIn("cavity: D2Q9 trt double", said)
            self.assertRegex(process.stderr.readline(), f"^{self.LINE}\n$")
            process.send_signal(signal.SIGINT)
            report, said = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"weir: interrupted at step \d+.*" + re.escape(out))
        self.assertNotIn("\r", said)
        self.check_interrupted(out)
        self.assertIn("stopped by interrupt", report)

    def check_interrupted(self, out):
        self.check_intact(out)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual(summary["stopped_by"], "interrupt")
        self.assertTrue(os.path.exists(os.path.join(out, f"fields_{summary['steps']:09d}.h5")), "the last state is written")

    def test_terminate(self):
        out = os.path.join(self.folder(), "out")
        case = self.write(changed(CAVITY, run={"steps": 10**9}))
        with started("run", case, "--out", out, "--quiet", stderr=subprocess.PIPE, text=True) as process:
            while not os.path.exists(os.path.join(out, "fields_000000040.h5")):
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"^weir: interrupted at step \d+.*\n$")
        self.check_interrupted(out)

    def test_quiet(self):
        done = self.call("run", self.write(CAVITY), "--out", os.path.join(self.folder(), "out"), "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))


class Failures(RunTest):
    def check_diverged(self, case, first, cause):
        """The case's flow diverges from step `first` on."""
        every = case["run"]["check_every"]
        run = self.compute(case, code=1)
        message = re.fullmatch(r"weir: .*at step (\d+) .*cell \((\d+), (\d+), (\d+)\) in block (\d+) .*likely cause: (.*)\n", run.error)
        self.assertTrue(message, run.error)
        step, x, y, z, block = map(int, message.groups()[:-1])
        self.assertIn(cause, message[6])
        self.assertGreaterEqual(step, first)
        self.assertLess(step, first + every)
        cells, blocks = case["domain"]["cells"], case["blocks"]["cells"]
        self.assertLess(x, cells[0])
        self.assertLess(y, cells[1])
        self.assertEqual(z, 0)
        self.assertEqual(block, y // blocks[1] * -(-cells[0] // blocks[0]) + x // blocks[0])
        self.check_intact(run.folder)
        self.assertEqual((run.summary["stopped_by"], run.summary["digest"]), ("failure", None))
        self.assertIn(run.summary["failure"], run.error)
        return run, step

    def unstable(self, every):
        return changed(CAVITY, fluid={"tau": 0.501}, boundaries={"y+": {"type": "wall", "velocity": [0.3, 0]}},
                       run={"steps": 10**9, "check_every": every},
                       output=[{"type": "fields", "every": 16}, {"type": "image", "every": 16}, {"type": "series", "every": 16}])

    def test_relaxation(self):
        first = self.first_diverged(self.unstable(1))
        self.assertGreater(first, 17, "the case is to write something first")
        run, step = self.check_diverged(self.unstable(50), first, "relaxation time is too near 1/2: use the collision recursive")
        good = range(16, step, 16)
        self.assertEqual(run.files(".h5"), [f"fields_{s:09d}.h5" for s in good])
        self.assertEqual(run.files(".png"), [f"image_speed_z_{s:09d}.png" for s in good])
        self.assertEqual(list(run.series()["step"]), [0, *good])

    def test_not_a_number(self):
        """Checked so late that nothing finite is left."""
        case = changed(self.unstable(2000), output=[])
        self.check_diverged(case, self.first_diverged(self.unstable(1)), "relaxation time is too near 1/2")

    def test_speed(self):
        """A force that nothing stops: 0.002 more in every step."""
        case = changed(CAVITY, domain={"cells": [32, 32], "periodic": [True, True]}, boundaries={}, force=[0.002, 0],
                       run={"steps": 10**9, "check_every": 40}, output=[{"type": "series", "every": 100}])
        first = next(step for step in range(1000) if 0.002 * (step + 0.5) >= 0.577)
        run, _ = self.check_diverged(case, first, "velocity is too high")
        self.assertIn("at step 240 the greatest velocity is Mach 0.83", run.summary["warnings"][0])

    def first_diverged(self, case):
        error = self.compute(changed(case, output=[]), code=1).error
        return int(re.search(r"at step (\d+)", error)[1])

    def test_out_of_memory(self):
        """Memory that is not to be had ends a run with a message soon, where StarPU alone would try for ever; SIGTERM or not."""
        case = {"domain": {"cells": [144, 144, 144]}, "precision": "double", "fluid": {"tau": 0.6}, "blocks": {"cells": [48, 48, 48]},
                "run": {"steps": 10}}
        arguments = [weir_case.program, "run", self.write(case), "--out", os.path.join(self.folder(), "out")]
        run = subprocess.Popen(arguments, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def size(key):
            with open(f"/proc/{run.pid}/status") as status:
                return next((1024 * int(line.split()[1]) for line in status if line.startswith(key)), 0)

        while size("RssAnon") < 150 << 20:  # some of its 480 MiB of blocks
            self.assertIsNone(run.poll())
            time.sleep(0.001)
        limit = size("VmSize") + (8 << 20)
        resource.prlimit(run.pid, resource.RLIMIT_AS, (limit, limit))
        run.terminate()
        out, error = run.communicate(timeout=300)
        self.assertEqual(run.returncode, 1, error)
        self.assertIn("weir: out of memory: ", error)
        self.assertIn("more of main memory are not to be had; choose fewer cells", error)

    def test_unwritable(self):
        """Folders that cannot be made, and files where --out wants a folder above."""
        file = self.write(CAVITY)
        places = ["/proc/weir", os.path.join(file, "out")]
        if os.geteuid() != 0:
            locked = self.folder()
            os.chmod(locked, 0o500)
            places.append(os.path.join(locked, "out"))
        for place in places:
            with self.subTest(place):
                said = self.call("run", file, "--out", place, code=1).stderr
                self.assertIn(place, said)
                self.assertIn("--out", said)

    def test_unwritable_summary(self):
        """Found before the run, not after it."""
        for place, reason in (("/nonexistent/summary.json", "No such file or directory"), ("/dev", "regular file")):
            with self.subTest(place):
                out = os.path.join(self.folder(), "out")
                said = self.call("run", self.write(changed(CAVITY, run={"steps": 10**9})), "--out", out, "--summary", place, code=1,
                                 timeout=20).stderr
                self.assertIn(place, said)
                self.assertIn(reason, said)

    def test_full_disk(self):
        """Wherever in a run the space ends: exit 1, a reason, no broken file."""
        place = self.folder()

        def mount(kilobytes):
            command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", place]
            return subprocess.run(command, capture_output=True).returncode == 0

        for kilobytes, output in ((4, CAVITY["output"]), (12, [{"type": "series", "every": 1}]), (20, CAVITY["output"]),
                                  (60, CAVITY["output"]), (100, CAVITY["output"]), (200, CAVITY["output"])):
            if not mount(kilobytes):
                self.skipTest("no file system can be mounted here")
            try:
                with self.subTest(kilobytes=kilobytes):
                    out = os.path.join(place, "out")
                    case = self.write(changed(CAVITY, run={"steps": 1000}, output=output))
                    said = self.call("run", case, "--out", out, "--quiet", code=1).stderr
                    self.assertIn("No space left on device", said)
                    self.assertIn(out, said)
                    if os.path.exists(out):  # else not even the case had room
                        self.check_intact(out)
            finally:
                subprocess.run(["umount", place], check=True)

    def test_file_size_limit(self):
        """As a full disk, but nobody needs to be root for it. The run ends when it happens, not with its last step."""
        for kilobytes, output in ((4, CAVITY["output"][3]), (20, CAVITY["output"][0]), (4, CAVITY["output"][1])):
            with self.subTest(output["type"]):
                size = (kilobytes * 1024,) * 2
                out = os.path.join(self.folder(), "out")
                case = self.write(changed(CAVITY, run={"steps": 10**9}, output=[output]))
                said = self.call("run", case, "--out", out, "--quiet", code=1, timeout=100,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, size)).stderr
                self.assertIn("File too large", said)
                self.check_intact(out)


if __name__ == "__main__":
    weir_case.main()
