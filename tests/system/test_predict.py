#!/usr/bin/env python3
"""weir predict and weir calibrate: predictions for the machines in configs/machines against their own source, errors
in machine files, and measurements of this machine that are kept, used and ignored as they should be.

Usage: test_predict.py WEIR MACHINES_FOLDER
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

CASE = {"domain": {"cells": [32, 32, 32]}, "fluid": {"tau": 0.6}, "run": {"steps": 4}, "blocks": {"cells": [16, 16, 16]}}
RATES = {"lattice": "D3Q19", "collision": "trt", "precision": "single", "block_cells": [16, 16, 16],
         "fluid_cell_seconds": 1e-9, "solid_cell_seconds": 1e-10, "task_seconds": 0}
# The GPU takes 4.096 us per block, the team 7 times as long: one block is the team's share of eight.
MACHINE = {
    "name": "made-up",
    "parts": [
        {"kind": "cuda", "count": 1, "tasks_at_once": 1, "rates": [RATES]},
        {"kind": "team", "count": 1, "cores": 7, "rates": [{**RATES, "fluid_cell_seconds": 7e-9}]},
    ],
    "links": {"memory_gpu": {"message_seconds": 1e-9, "bytes_per_second": 1e13}},
    "submission": {"task_seconds": 1e-9},
}
DELETE = object()


def changed(path, value):
    """MACHINE with one value replaced; list indices are numbers in the path."""
    machine = copy.deepcopy(MACHINE)
    place = machine
    *parents, last = path
    for key in parents:
        place = place[key]
    if value is DELETE:
        del place[last]
    else:
        place[last] = value
    return machine


# name: (machine or text, words the message must hold)
WRONG = {
    "not JSON": ("{", ["line 1"]),
    "a list": ("[]", ["list", "machine"]),
    "unknown key": (changed(["speed"], 1), ["speed: unknown key"]),
    "misspelt key": (changed(["parts", 0, "cout"], 1), ["parts[0].cout", '"count"']),
    "no name": (changed(["name"], DELETE), ["name: missing"]),
    "no parts": (changed(["parts"], DELETE), ["parts: missing"]),
    "empty parts": (changed(["parts"], []), ["parts", "0 entries"]),
    "kind": (changed(["parts", 0, "kind"], "gpu"), ["parts[0].kind", '"gpu"', '"cuda", "team" or "core"']),
    "too many": (changed(["parts", 0, "count"], 300), ["parts[0].count", "300"]),
    "none in all": (changed(["parts"], [{"kind": "core", "count": 0, "rates": [RATES]}]), ["parts", "sum"]),
    "no rates": (changed(["parts", 1, "rates"], []), ["parts[1].rates"]),
    "lattice": (changed(["parts", 1, "rates", 0, "lattice"], "D3Q20"), ["parts[1].rates[0].lattice", '"D3Q19"']),
    "block": (changed(["parts", 1, "rates", 0, "block_cells"], [16, 16]), ["block_cells", "2 entries"]),
    "negative": (changed(["parts", 0, "rates", 0, "task_seconds"], -1), ["task_seconds", "-1"]),
    "zero rate": (changed(["parts", 0, "rates", 0, "fluid_cell_seconds"], 0), ["fluid_cell_seconds", "0"]),
    "a word": (changed(["parts", 0, "rates", 0, "fluid_cell_seconds"], "fast"), ["fluid_cell_seconds", '"fast"']),
    "cache": (changed(["parts", 1, "rates", 0, "cached"], {"cells": -1, "fluid_cell_seconds": 1e-9}),
              ["parts[1].rates[0].cached.cells", "-1"]),
    "no time for lists": (changed(["parts", 0, "rates", 0, "lists"], {"fluid_cell_seconds": 0}), ["rates[0].lists.fluid_cell_seconds", "0"]),
    "lists without fluid": (changed(["parts", 0, "rates", 0, "lists"], {"solid_cell_seconds": 1e-9}), ["lists.fluid_cell_seconds: missing"]),
    "no link": (changed(["links"], DELETE), ["links.memory_gpu: missing"]),
    "bandwidth": (changed(["links", "memory_gpu", "bytes_per_second"], 0), ["links.memory_gpu.bytes_per_second"]),
    "spread": (changed(["quality"], {"spread": -1}), ["quality.spread", "-1"]),
    "lost": (changed(["quality"], {"lost": 1.5}), ["quality.lost", "1.5"]),
    "runs off": (changed(["agreement"], {"runs_off": -1}), ["agreement.runs_off", "-1"]),
    "many runs off": (changed(["agreement"], {"runs_off": 10**10}), ["agreement.runs_off"]),
    "ratio": (changed(["agreement"], {"ratio": -2}), ["agreement.ratio", "-2"]),
    "confirmed": (changed(["agreement"], {"confirmed": 1}), ["agreement.confirmed"]),
    "unknown agreement": (changed(["agreement"], {"runs": 1}), ["agreement.runs"]),
    "no submission": (changed(["submission"], DELETE), ["submission: missing"]),
    "other variant": (changed(["parts", 1, "rates", 0, "precision"], "double"), ["parts[1].rates", "single", "calibrate"]),
}


class Predict(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.case = self.write("case.json", CASE)
        self.environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder.name, "cache")}

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def weir(self, *arguments, code=0):
        done = subprocess.run([WEIR, *arguments], capture_output=True, text=True, timeout=120, env=self.environment,
                              cwd=self.folder.name)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def predict(self, machine, *arguments):
        path = os.path.join(self.folder.name, "prediction.json")
        self.weir("predict", self.case, "--machine", machine, "--json", path, *arguments)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def test_lists(self):
        """A core whose lists take three times as long as bricks; where nothing is said of lists, they take what their kind costs."""
        one = {**MACHINE, "parts": [{"kind": "core", "rates": [{**RATES, "lists": {"fluid_cell_seconds": 3e-9, "solid_cell_seconds": 0}}]}]}
        jsonschema.validate(one, SCHEMA)
        measured = self.write("measured.json", one)
        bricks = self.predict(measured)["step_seconds"]
        self.assertAlmostEqual(bricks, 8 * 4096e-9, delta=1e-9)
        self.assertAlmostEqual(self.predict(measured, "--set", "blocks.list_up_to=1")["step_seconds"], 3 * bricks, delta=1e-9)
        del one["parts"][0]["rates"][0]["lists"]
        unmeasured = self.predict(self.write("unmeasured.json", one), "--set", "blocks.list_up_to=1")["step_seconds"]
        self.assertGreater(unmeasured, 1.1 * bricks)

    def test_cells_beside_solids(self):
        """They take as much longer as the machine file says; blocks without fluid take nothing."""
        one = {**MACHINE, "parts": [{"kind": "core", "rates": [{**RATES, "wall_cell_seconds": 2e-9, "solid_cell_seconds": 0}]}]}
        jsonschema.validate(one, SCHEMA)
        machine = self.write("machine.json", one)
        for size, solid_blocks in ((16, 1), (12, 0)):  # a cube in a corner, with three faces to the fluid
            box = ["--set", "blocks.list_up_to=0", "--set", "solids=" + json.dumps([{"box": {"from": [0, 0, 0], "to": [size] * 3}}])]
            beside = (size + 1) ** 3 - size**3
            numbers = self.predict(machine, *box)
            self.assertEqual(numbers["solid_blocks"], solid_blocks)
            self.assertAlmostEqual(numbers["step_seconds"], 1e-9 * (32**3 - size**3 + 2 * beside), delta=1e-9)
            fluid = self.predict(machine, *box, "--set", "blocks.keep_solid=true")
            self.assertEqual((fluid["solid_blocks"], fluid["step_seconds"]), (0, numbers["step_seconds"]))

    def test_made_up_machine(self):
        numbers = self.predict(self.write("machine.json", MACHINE))
        self.assertEqual([part["blocks"] for part in numbers["parts"]], [7, 1])
        self.assertAlmostEqual(numbers["step_seconds"], 7 * 4096e-9, delta=1e-9)
        self.assertEqual(numbers["bound"], "compute")
        self.assertAlmostEqual(numbers["mlups"], 8 / 7 * 1000, delta=1)

    def test_too_coarse_for_the_team(self):
        numbers = self.predict(self.write("machine.json", changed(["parts", 1, "rates", 0, "fluid_cell_seconds"], 1e-8)))
        self.assertEqual([part["blocks"] for part in numbers["parts"]], [8, 0])

    def test_wrong_machine_files(self):
        for name, (machine, words) in WRONG.items():
            with self.subTest(name):
                path = self.write("machine.json", machine)
                error = self.weir("predict", self.case, "--machine", path, code=2).stderr
                for word in ["weir: ", *([] if name == "other variant" else ["machine.json"]), *words]:
                    self.assertIn(word, error)
                self.assertEqual(error.count("\n"), 1, error)

    def test_schema_agrees_with_the_reader(self):
        """Both take what weir calibrate writes, see below; both refuse the same, but for what a schema cannot say."""
        jsonschema.validate(MACHINE, SCHEMA)
        beyond = {"not JSON", "a list", "none in all", "no link", "other variant"}
        for name, (machine, _) in WRONG.items():
            if name not in beyond:
                with self.subTest(name), self.assertRaises(jsonschema.ValidationError):
                    jsonschema.validate(machine, SCHEMA)

    def test_missing_file_and_misplaced_option(self):
        self.assertIn("nowhere.json", self.weir("predict", self.case, "--machine", "nowhere.json", code=2).stderr)
        self.assertIn("--machine", self.weir("check", self.case, "--machine", "x.json", code=2).stderr)

    def test_published_machines(self):
        """What was measured on these machines comes out again, within what the model leaves out."""
        measured = {  # cells, block, GPUs' part alone or all, MLUPS of docs/performance.md
            "4-h200": [([1024, 1024, 1024], 256, 94200), ([1024, 1024, 1024], 128, 85900)],
            "h100-15-cores": [([512, 512, 512], 256, 17400), ([512, 512, 512], 128, 17000)],
        }
        files = sorted(set(glob.glob(os.path.join(MACHINES, "*.json"))) - {SCHEMA_FILE})
        self.assertGreaterEqual(len(files), 2)
        for path in files:
            with open(path, encoding="utf-8") as file:
                machine = json.load(file)
            jsonschema.validate(machine, SCHEMA)
            self.assertIn("docs/", machine["source"], path)
            # The published runs had no team.
            machine["parts"] = [part for part in machine["parts"] if part["kind"] == "cuda"]
            gpus = self.write("gpus.json", machine)
            for cells, block, mlups in measured.get(machine["name"], []):
                numbers = self.predict(gpus, "--set", f"domain.cells={cells}", "--set",
                                       f"blocks.cells={[block] * 3}")
                self.assertAlmostEqual(numbers["mlups"] / mlups, 1, delta=0.03, msg=f"{path} {cells} {block}")

    def test_measured_here(self):
        case = [self.case]
        self.assertIn("weir calibrate", self.weir("predict", *case, code=2).stderr)
        self.assertIn("weir calibrate", self.weir("check", *case).stdout)
        self.assertIn("fluid MLUPS", self.weir("calibrate", *case).stdout)
        (kept,) = glob.glob(os.path.join(self.folder.name, "cache/weir/machines/*.json"))
        self.assertIn("MLUPS", self.weir("predict", *case).stdout)
        self.assertIn("bound by", self.weir("check", *case).stdout)
        self.weir("predict", *case, "--machine", kept)  # it is a machine file as any
        self.weir("run", *case, "--set", "placement.policy=model", "--out", "out")
        with open(os.path.join(self.folder.name, "out/summary.json"), encoding="utf-8") as file:
            self.assertGreater(json.load(file)["predicted_mlups"], 0)

        with open(kept, encoding="utf-8") as file:
            machine = json.load(file)
        jsonschema.validate(machine, SCHEMA)
        machine["measured_on"]["host"] = "elsewhere"
        with open(kept, "w", encoding="utf-8") as file:
            json.dump(machine, file)
        self.assertIn("another machine", self.weir("predict", *case, code=2).stderr)
        with open(kept, "w", encoding="utf-8") as file:
            file.write('{"name": ')
        self.assertIn("not valid JSON", self.weir("predict", *case, code=2).stderr)
        self.assertIn("not valid JSON", self.weir("check", *case).stdout)
        self.weir("run", *case, "--set", "placement.policy=model", "--out", "out2")
        self.weir("calibrate", *case)
        self.weir("predict", *case)

    def test_flows_of_many_stages(self):
        """Tasks are measured when all of some steps have been submitted: more than are under way at once in a run."""
        for name in ("dam_break", "rising_drop", "heat_exchanger"):
            with self.subTest(name):
                case = os.path.join(MACHINES, os.pardir, name + ".json")
                self.assertIn("fluid MLUPS", self.weir("calibrate", case).stdout)

    def test_check_compares_storages(self):
        """Where a flow may keep moments or populations, and these blocks were measured with both."""
        case = self.write("recursive.json", {**CASE, "collision": {"operator": "recursive"}})
        moments = ("--set", "storage=moments")
        self.weir("calibrate", case)
        self.assertRegex(self.weir("check", case).stdout, r"storage +full; .* not been measured here: weir calibrate \S+ --set storage=moments\n")
        self.weir("calibrate", case, *moments)

        def seconds(*more):
            path = os.path.join(self.folder.name, "prediction.json")
            self.weir("predict", case, "--json", path, *more)
            with open(path, encoding="utf-8") as file:
                return json.load(file)["step_seconds"]

        full, kept = seconds(), seconds(*moments)
        for more, (one, other), ratio in (((), ("full", "moments"), kept / full), (moments, ("moments", "full"), full / kept)):
            said = re.search(rf"storage +{one}; with {other} a step is predicted to take ([0-9.]+) times as long(: choose storage {other})?\n",
                             self.weir("check", case, *more).stdout)
            self.assertAlmostEqual(float(said[1]), ratio, delta=0.006)
            self.assertEqual(said[2] is not None, ratio < 0.93)
        for other in ('collision={"operator":"trt"}', "storage=half", 'turbulence={"model":"wale"}'):
            self.weir("calibrate", case, "--set", other)
            self.assertNotIn("  storage ", self.weir("check", case, "--set", other).stdout)

    def kept(self):
        """The file of the one measurement, and what is in it."""
        (path,) = glob.glob(os.path.join(self.folder.name, "cache/weir/machines/*.json"))
        with open(path, encoding="utf-8") as file:
            machine = json.load(file)
        jsonschema.validate(machine, SCHEMA)
        return path, machine

    def keep(self, path, machine):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(machine, file)

    steps = 60

    def run_long(self, name):
        """A run that takes long enough to judge a measurement by; what it says, and its warnings."""
        said = ""
        while True:
            done = self.weir("run", self.case, "--set", "domain.cells=[64,64,64]", "--steps", str(self.steps), "--out", name, "--force")
            with open(os.path.join(self.folder.name, name, "summary.json"), encoding="utf-8") as file:
                summary = json.load(file)
            said += done.stderr
            if summary["wall_seconds"] >= 0.5:
                return said, summary.get("warnings", [])
            self.steps *= 2

    def test_check_divides_by_what_was_measured(self):
        """Among ranks: cells beside solids count as a run would have them count."""
        plates = [{"box": {"from": [1, 0, low], "to": [7, 16, low + 2]}} for low in (0, 4, 8, 12)]  # in the first block
        case = self.write("plates.json", {**CASE, "domain": {"cells": [64, 16, 16], "periodic": [True] * 3}, "blocks": {"cells": [8, 16, 16]}, "solids": plates})

        def blocks(words):
            said = self.weir("check", case, "--ranks", "2").stdout
            self.assertIn("cells beside solids and inside them count " + words, said)
            return [int(row) for row in re.findall(r"(?m)^ +\d+ +(\d+) +\d+ +\d+ +[\d.]+$", said)]

        self.assertGreater(min(blocks("by fixed costs")), 2)
        self.weir("calibrate", case)
        path, machine = self.kept()
        for part in machine["parts"]:
            for rates in part["rates"]:
                rates["wall_cell_seconds"] = 30 * rates["fluid_cell_seconds"]
        self.keep(path, machine)
        self.assertEqual(blocks("as weir calibrate measured them here"), [1, 7])

    def test_runs_that_are_far_off(self):
        """A measurement that is twenty times too slow: the first run notes it, the second says so, the third measures again."""
        self.weir("calibrate", self.case)
        path, machine = self.kept()
        (rates,) = machine["parts"][0]["rates"]
        measured = rates["fluid_cell_seconds"]
        rates.update(fluid_cell_seconds=20 * measured)
        rates.pop("cached", None)
        machine["quality"] = {}  # nothing is known of it
        self.keep(path, machine)

        said, warnings = self.run_long("first")
        self.assertNotIn("measur", said)
        self.assertFalse([warning for warning in warnings if "measure" in warning])
        agreement = self.kept()[1]["agreement"]
        self.assertEqual(agreement["runs_off"], 1)
        self.assertGreater(agreement["ratio"], 1.25)
        self.assertNotIn("warning: of the measurement", self.weir("predict", self.case).stdout)

        said, warnings = self.run_long("second")
        self.assertRegex(said, r"the last 2 runs were far off what it predicts, the newest by \+\d+ %; the next run measures again")
        self.assertTrue([warning for warning in warnings if "weir calibrate" in warning])
        self.assertEqual(self.kept()[1]["agreement"]["runs_off"], 2)
        for command in ("predict", "check"):
            self.assertRegex(self.weir(command, self.case).stdout, r"warning: .* the last 2 runs .*weir calibrate")

        said = self.run_long("third")[0]
        self.assertIn("measuring again", said)
        machine = self.kept()[1]
        self.assertLess(machine["parts"][0]["rates"][0]["fluid_cell_seconds"], 10 * measured)
        self.assertLessEqual(machine["agreement"]["runs_off"], 1)
        self.assertNotIn("measuring again", self.run_long("fourth")[0])

    def test_short_runs_say_nothing(self):
        self.weir("calibrate", self.case)
        path, machine = self.kept()
        machine["parts"][0]["rates"][0]["fluid_cell_seconds"] *= 20
        self.keep(path, machine)
        self.weir("run", self.case, "--out", "short")
        self.assertEqual(self.kept()[1]["agreement"]["runs_off"], 0)

    def test_measured_beside_another_program(self):
        """Said at once, kept with the measurement, and said again by those that rest on it."""
        others = [subprocess.Popen([sys.executable, "-c", "while True: sum(range(100000))"]) for _ in os.sched_getaffinity(0)]
        try:
            done = self.weir("calibrate", self.case)
        finally:
            for other in others:
                other.kill()
                other.wait()
        path, machine = self.kept()
        quality = machine["quality"]
        self.assertGreaterEqual(quality["spread"], 0)
        if "lost" not in quality:
            self.skipTest("/proc does not tell here")
        self.assertGreater(quality["lost"], 0.1)
        self.assertRegex(done.stderr, r"something else uses this machine \(.*\): measuring once more")
        self.assertRegex(done.stdout, r"warning: something else used this machine meanwhile \(.*\); .*weir calibrate")
        for command in ("predict", "check"):
            self.assertRegex(self.weir(command, self.case).stdout, r"warning: .* while something else used the machine .*weir calibrate")
        machine["quality"] = {"spread": 0.01, "lost": 0.01}
        self.keep(path, machine)
        self.assertNotIn("warning", self.weir("predict", self.case).stdout)


if __name__ == "__main__":
    WEIR, MACHINES = (os.path.abspath(argument) for argument in sys.argv[1:3])
    SCHEMA_FILE = os.path.join(MACHINES, "schema.json")
    with open(SCHEMA_FILE, encoding="utf-8") as schema:
        SCHEMA = json.load(schema)
    unittest.main(argv=sys.argv[:1])
