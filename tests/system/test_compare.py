#!/usr/bin/env python3
"""weir compare as its users meet it: options, table, JSON, the page in a browser; and the record it rests on.

Usage: test_compare.py WEIR
"""
import json
import os
import re
import signal
import subprocess
import time
import unittest

import h5py
import numpy

import browser
import command
import weir_case

STEPS, REPEAT = 180, 2
POLICIES = ["static", "starpu:dmdas"]
WORKLOADS = ["uniform", "skewed", "disturbed"]
CELLS, BLOCK = [32, 32, 32], [32, 16, 8]
CASE = {
    "name": "cavity",
    "domain": {"cells": CELLS},
    "fluid": {"tau": 0.6},
    "boundaries": {"z+": {"type": "wall", "velocity": [0.05, 0, 0]}},
    "blocks": {"cells": BLOCK},
    "run": {"steps": 7, "stop_when": {"steady": 1e-3, "every": 5}},
    "output": [{"type": "image", "plane": "y=0.5"}],
}
BLOCKS, FLUID = 8, 32 ** 3
# Of blocks 16 high along y, plates leave a channel of 3 layers.
SKEWED_FLUID = FLUID // 2 + FLUID // 2 * 3 // 16
# The domain is halved along z. D3Q19 sends 5 numbers of 4 bytes per cell of a face. Through the halves' border go two faces of
# 32 x 16 cells each way; and the messages along y of the blocks at the border, 32 x 8 cells each, are read across the edge as well.
STATIC_BYTES = 5 * 4 * (4 * 32 * 16 + 4 * 32 * 8)
MEASURES = ["mlups", "step_seconds", "wall_seconds", "busy_mean", "busy_least", "bytes_between_memories_per_step",
            "bytes_between_homes_per_step", "moves_per_100_steps", "ideal_mlups", "loss"]


class CompareTest(command.CommandTest):
    words = ["compare"]


class CommandLine(CompareTest):
    def test_wrong_usage(self):
        case = self.write(CASE)
        self.check_wrong_usage((
            ([], ["no case"]),
            ([case, case], ["one case"]),
            ([case, "--policies", "statik"], ["statik", "static"]),
            ([case, "--policies", "static,starpu:dmads"], ["dmads", "starpu:dmdas"]),
            ([case, "--policies", "static,,starpu:lws"], ["--policies", "empty"]),
            ([case, "--policies", "static,static"], ["static", "twice"]),
            ([case, "--workloads", "uniform,skwed"], ["skwed", '"skewed"']),
            ([case, "--workloads", "frobnicated"], ["frobnicated", "uniform, skewed, disturbed, vessels or dam_break"]),
            ([case, "--steps", "0"], ["--steps", '"0"']),
            ([case, "--steps", "many"], ["--steps", "many"]),
            ([case, "--steps", "20"], ["--steps", "disturbed", "36"]),
            ([case, "--repeat", "-3"], ["--repeat", "-3"]),
            ([case, "--set", "placement.policy=static"], ["--policies"]),
            ([case, "--set", "run.steps=5"], ["--steps"]),
            ([case, "--set", "run.stesp=5"], ["stesp", "steps"]),
            ([case, "--set", "blocks.cells=[32,32,32]"], ["skewed", "one block"]),
            ([case, "--workloads", "vessels", "--set", "blocks.cells=[32,32,32]"], ["vessels", "one block"]),
            ([case, "--workloads", "dam_break", "--set", "blocks.cells=[32,32,32]"], ["dam_break", "one block"]),
            ([case, "--workloads", "vessels", "--set", "boundaries={}", "--set", "domain.periodic=[true,true,true]"], ["vessels", "periodic"]),
            ([case, "--out", case], [case, "folder"]),
            ([case, "--nonsense"], ["--nonsense"]),
            (["nowhere.json"], ["nowhere.json"]),
        ))

    def test_other_commands(self):
        case = self.write(CASE)
        for arguments, words in (
            (["--quiet", "compare", case], ["compare comes first"]),
            (["check", case, "--record", "x.h5"], ["--record", "weir run"]),
            (["check", case, "--disturb", "1:2"], ["--disturb", "weir run"]),
            (["run", case, "--disturb", "5"], ["--disturb", "FROM:TO"]),
            (["run", case, "--disturb", "5:x"], ["--disturb", "FROM:TO"]),
            (["run", case, "--disturb", "5:9:0"], ["--disturb", "FROM:TO"]),
            (["run", case, "--disturb", "-5:9"], ["--disturb", "FROM:TO"]),
            (["run", case, "--disturb", "9:9"], ["9:9", "later end"]),
        ):
            with self.subTest(arguments):
                said = self.call(*arguments, words=[], code=2).stderr
                for word in words:
                    self.assertIn(word, said)

    def test_help(self):
        said = self.call("--help").stdout
        for word in ("--policies", "--steps", "--repeat", "--workloads", "--json", "--out", "--set", "--quiet", "--trace", "uniform", "skewed",
                     "disturbed", "vessels", "dam_break"):
            self.assertIn(word, said)
        said = subprocess.run([weir_case.program, "--help"], capture_output=True, text=True).stdout
        for word in ("compare CASE", "--record", "--disturb"):
            self.assertIn(word, said)

    def test_nothing_is_left_of_what_fails(self):
        folder = self.folder()
        out = os.path.join(folder, "out")
        for arguments, code, words in (
            (["--json", "/nowhere/x.json"], 1, ["/nowhere"]),
            (["--set", "placement.workers=cuda"], 77, ["GPUs"]),
            (["--set", "fluid.tau=0.5001", "--set", "initial.velocity=[\"0.5*sin(40*x)\",0,0]", "--steps", "2000", "--workloads", "uniform"],
             1, ["uniform", "static", "diverged"]),
        ):
            with self.subTest(arguments):
                done = self.call(self.write(CASE), "--out", out, "--policies", "static", "--repeat", "1", *arguments, code=code)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(os.listdir(folder), [])

    def test_interrupt_ends_runs_too(self):
        folder = self.folder()
        out = os.path.join(folder, "out")
        with self.started(self.write(CASE), "--out", out, "--policies", "static", "--workloads", "uniform", "--steps", "1000000",
                          stderr=subprocess.PIPE) as process:
            for line in process.stderr:
                if "repeat" in line:
                    break
            time.sleep(1)
            self.check_interrupted(process, signal.SIGINT)
        self.assertEqual(os.listdir(folder), [])
        self.check_none_left(out)


    def test_kill_leaves_nothing_running(self):
        """The run ends as well; the next comparison removes what is left."""
        folder = self.folder()
        out = os.path.join(folder, "out")
        with self.started(self.write(CASE), "--out", out, "--policies", "static", "--workloads", "uniform", "--steps", "1000000",
                          stderr=subprocess.PIPE) as process:
            for line in process.stderr:
                if "repeat" in line:
                    break
            time.sleep(1)
            process.kill()
        self.check_none_left(out, patience=30)
        self.assertEqual([name.partition(".")[0] for name in weir_case.results_in(out)], ["runs"])
        self.call(self.write(CASE), "--out", out, "--policies", "static", "--workloads", "uniform", "--steps", "60", "--repeat", "1", "--quiet")
        self.assertEqual(weir_case.results_in(out), ["compare.html"])


class Record(weir_case.CaseTest):
    def test_record(self):
        path = os.path.join(self.folder(), "record.h5")
        run = self.compute(CASE, "--record", path, "--steps", "20", "--set", "placement.policy=starpu:lws", "--set", "run.stop_when.every=100",
                           workers=2)
        with h5py.File(path) as file:
            attributes = dict(file.attrs)
            tasks = {name: column[...] for name, column in file["tasks"].items()}
            workers = {name: column[...] for name, column in file["workers"].items()}
            blocks = {name: column[...] for name, column in file["blocks"].items()}
        self.assertEqual((attributes["case"], attributes["policy"], attributes["steps"]), ("cavity", "starpu:lws", 20))
        self.assertAlmostEqual(attributes["wall_seconds"], run.summary["wall_seconds"], places=12)
        self.assertEqual((attributes["load_from"], attributes["load_to"]), (-1, -1))
        self.assertTrue(numpy.isnan(attributes["load_start"]))

        self.assertEqual(sorted(zip(tasks["step"], tasks["block"])), [(step, block) for step in range(20) for block in range(BLOCKS)])
        self.assertTrue((0 <= tasks["start"]).all() and (tasks["start"] < tasks["end"]).all())
        self.assertLessEqual(tasks["end"].max(), attributes["wall_seconds"])
        for block in range(BLOCKS):  # a block's steps begin one after the other
            mine = tasks["block"] == block
            self.assertTrue((numpy.diff(tasks["start"][mine][numpy.argsort(tasks["step"][mine])]) > 0).all())
        for worker in range(2):  # a core does one thing at a time
            mine = numpy.argsort(tasks["start"][tasks["worker"] == worker])
            start, end = (tasks[name][tasks["worker"] == worker][mine] for name in ("start", "end"))
            self.assertTrue((end[:-1] <= start[1:]).all())

        self.assertEqual([name.decode() for name in workers["name"]], ["CPU 0", "CPU 1"])
        self.assertEqual(list(workers["memory_node"]), [0, 0])
        counts = [int((tasks["worker"] == k).sum()) for k in range(2)]
        self.assertEqual(counts, [worker["tasks"] for worker in run.summary["workers"]])

        self.assertTrue((blocks["extent"] == BLOCK).all())
        self.assertEqual(blocks["fluid_cells"].sum(), FLUID)
        self.assertEqual(list(blocks["origin"][5]), [0, 16, 16])
        # Along y one neighbour, along z two, and the two across edges between them.
        neighbours = {(k % 3 - 1, k // 3 % 3 - 1, k // 9 - 1): number for k, number in enumerate(blocks["neighbour"][2]) if number >= 0}
        self.assertEqual(neighbours, {(0, 1, 0): 3, (0, 0, -1): 0, (0, 0, 1): 4, (0, 1, -1): 1, (0, 1, 1): 5})
        self.assertEqual(list(blocks["message_bytes"][2]), [0, 0, 0, 20 * 32 * 8, 20 * 32 * 16, 20 * 32 * 16])

    def test_disturbance_is_recorded(self):
        path = os.path.join(self.folder(), "record.h5")
        quiet = self.compute(CASE, "--steps", "90", "--set", "run.stop_when.every=1000", workers=2)
        run = self.compute(CASE, "--record", path, "--disturb", "30:60", "--steps", "90", "--set", "run.stop_when.every=1000", workers=2)
        self.assertEqual(run.summary["digest"], quiet.summary["digest"])
        with h5py.File(path) as file:
            attributes, end, step = dict(file.attrs), file["tasks/end"][...], file["tasks/step"][...]
        self.assertEqual([attributes[key] for key in ("load_from", "load_to", "load_threads")], [30, 60, 1])
        start_end = attributes["load_start"], attributes["load_end"]
        self.assertLess(0, start_end[0])
        self.assertLess(start_end[0], start_end[1])
        self.assertLess(start_end[1], attributes["wall_seconds"])
        self.assertGreaterEqual(start_end[0], numpy.sort(end)[30 * BLOCKS - 1])
        self.assertGreaterEqual(start_end[1], numpy.sort(end)[60 * BLOCKS - 1])

    def test_too_many_threads(self):
        run = self.compute(CASE, "--disturb", "1:2:9", workers=2, code=77)
        self.assertIn("9 threads", run.error)


class Comparison(CompareTest):
    """One comparison, looked at from all sides."""

    @classmethod
    def setUpClass(cls):
        folder = weir_case.tempfile.TemporaryDirectory(prefix="weir-test-")
        cls.addClassCleanup(folder.cleanup)
        # A name that must not end the page's script.
        cls.case = os.path.join(folder.name, "<!--<script>&\".json")
        cls.out, path = (os.path.join(folder.name, name) for name in ("out", "compare.json"))
        with open(cls.case, "w") as file:
            json.dump(CASE, file)
        cls.arguments = [cls.case, "--policies", ",".join(POLICIES), "--steps", str(STEPS), "--repeat", str(REPEAT), "--out", cls.out]
        cls.done = subprocess.run([weir_case.program, "compare", *cls.arguments, "--json", path], env=cls.environment(), capture_output=True,
                                  text=True, timeout=600)
        if cls.done.returncode != 0:
            raise AssertionError(cls.done.stdout + cls.done.stderr)
        with open(path) as file:
            cls.document = json.load(file)
        cls.page = os.path.join(cls.out, "compare.html")

    def each(self):
        return [(workload, policy) for workload in self.document["workloads"] for policy in workload["policies"]]

    def near(self, value, expected):
        """But for the digits that a file keeps."""
        self.assertLessEqual(abs(value - expected), 1e-8 * abs(expected), (value, expected))

    def test_what_was_compared(self):
        document = self.document
        self.assertEqual(document["policies"], POLICIES)
        self.assertEqual([workload["workload"] for workload in document["workloads"]], WORKLOADS)
        self.assertEqual(document["case"]["block_cells"], BLOCK)
        self.assertEqual((document["case"]["blocks"], document["case"]["file"]), (BLOCKS, self.case))
        for _, policy in self.each():
            self.assertEqual([home["name"] for home in policy["homes"]], ["CPU 0", "CPU 1"])
            self.assertEqual([(worker["home"], worker["cores"], worker["memory_node"]) for worker in policy["workers"]], [(0, 1, 0), (1, 1, 0)])
        self.assertEqual([workload["fluid_cells"] for workload in document["workloads"]], [FLUID, SKEWED_FLUID, FLUID])
        turns = [run["turn"] for workload in document["workloads"] for r in range(REPEAT) for policy in workload["policies"]
                 for run in [policy["runs"][r]]]
        self.assertEqual(turns, list(range(len(WORKLOADS) * len(POLICIES) * REPEAT)))  # policies take turns

    def test_digest_is_that_of_a_run(self):
        run = self.compute(CASE, "--set", f"run={{\"steps\":{STEPS}}}", "--set", "output=[]")
        uniform, skewed, disturbed = (workload["digest"] for workload in self.document["workloads"])
        self.assertEqual((uniform, disturbed), (run.summary["digest"], run.summary["digest"]))
        self.assertNotEqual(skewed, uniform)

    def test_numbers_agree(self):
        for workload, policy in self.each():
            self.assertEqual(workload["steps"], STEPS)
            self.assertEqual(len(policy["runs"]), REPEAT)
            for measure in MEASURES:
                spread = policy[measure]
                self.assertEqual(spread["count"], REPEAT)
                self.near(spread["median"], numpy.median([run[measure] for run in policy["runs"]]))
            speeds = sorted(run["mlups"] for run in policy["runs"])
            self.assertEqual(policy["runs"][policy["median_run"]]["mlups"], speeds[(REPEAT - 1) // 2])
            for run in policy["runs"]:
                self.assertAlmostEqual(run["step_seconds"] * STEPS / run["wall_seconds"], 1, places=6)
                self.assertAlmostEqual(run["mlups"] * run["step_seconds"] * 1e6 / workload["fluid_cells"], 1, places=6)
                self.assertAlmostEqual(run["loss"], 1 - run["mlups"] / run["ideal_mlups"], places=6)
                self.assertAlmostEqual(sum(run["home_share"]), 1, places=6)
                self.assertTrue(all(0 < busy <= 1 for busy in run["home_busy"]))
                self.assertEqual(run["home_busy"], run["worker_busy"])
                self.assertAlmostEqual(run["busy_least"], min(run["home_busy"]), places=6)
                self.assertEqual(len(run["curve"]), STEPS)
                self.assertLessEqual(sum(run["curve"]), run["wall_seconds"])
                self.assertGreater(sum(run["curve"]), 0.5 * run["wall_seconds"])
                rates = [share * STEPS * workload["fluid_cells"] / (busy * run["wall_seconds"])
                         for share, busy in zip(run["home_share"], run["home_busy"])]
                self.assertAlmostEqual(run["ideal_mlups"] * 1e6 / sum(rates), 1, places=6)

    def test_traffic(self):
        """What is known: all workers share a memory; static moves nothing, and what crosses its border can be counted."""
        for workload, policy in self.each():
            for run in policy["runs"]:
                self.assertEqual(run["bytes_between_memories_per_step"], 0)
                if policy["policy"] == "static" and workload["workload"] != "skewed":
                    self.assertEqual((run["moves_per_100_steps"], run["bytes_between_homes_per_step"]), (0, STATIC_BYTES))
                elif policy["policy"] != "static":
                    self.assertGreater(run["bytes_between_homes_per_step"], 0)
            self.assertEqual((len(policy["map"]), {len(row) for row in policy["map"]}), (BLOCKS, {STEPS}))
            if policy["policy"] == "static":
                self.assertTrue(all(len(set(row)) == 1 for row in policy["map"]))
                self.assertEqual({worker for row in policy["map"] for worker in row}, {0, 1})

    def test_disturbance(self):
        for workload, policy in self.each():
            for run in policy["runs"]:
                if workload["workload"] != "disturbed":
                    self.assertNotIn("load", run)
                    continue
                self.assertEqual(run["load"]["threads"], 1)
                # Not before their time; as late as a busy machine lets a thread have its turn, when a step takes half a millisecond.
                self.assertLessEqual(STEPS // 3, run["load"]["first_step"])
                self.assertLess(run["load"]["first_step"], STEPS // 3 + 40)
                self.assertLessEqual(2 * STEPS // 3, run["load"]["last_step"])
                self.assertLess(run["load"]["last_step"], 2 * STEPS // 3 + 40)
                for key in ("after_start", "after_end"):
                    self.assertGreaterEqual(run[key]["phase_steps"], 12)
                    self.assertGreater(run[key]["ideal_step_seconds"], 0)
                    self.assertLessEqual(run[key]["ideal_step_seconds"], 3 * run[key]["settled_step_seconds"])
            if workload["workload"] == "disturbed":
                self.assertEqual(policy["after_end"]["runs"], REPEAT)

    def test_table_and_sentences(self):
        for workload, policy in self.each():
            line = re.search(rf"(?ms)^{workload['workload']}, {STEPS} steps, digest {workload['digest']}$.*?^  {policy['policy']} +([0-9.]+) ",
                             self.done.stdout)
            self.assertAlmostEqual(float(line[1]), policy["mlups"]["median"], delta=0.006)
            for section in ("speed", "curves", "maps", "busy") + (("recovery",) if workload["workload"] == "disturbed" else ()):
                self.assertIn(policy["policy"], workload["sentences"][section])
                self.assertTrue(workload["sentences"][section].endswith("."))
        self.assertIn(f"page in {self.page}", self.done.stdout)
        self.assertEqual(weir_case.results_in(self.out), ["compare.html"])

    def test_earlier_page_stays(self):
        before = os.stat(self.page).st_mtime_ns
        self.assertIn("--force", self.call(*self.arguments, code=2).stderr)
        self.assertEqual(os.stat(self.page).st_mtime_ns, before)
        self.assertEqual(weir_case.results_in(self.out), ["compare.html"])

    def test_page_needs_no_network(self):
        with open(self.page) as file:
            text = file.read()
        self.assertNotRegex(text, r"(?i)(src|href)=[\"']?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest")
        self.assertEqual(len(re.findall("(?i)<!--", text)), 1)  # the template's own: the case's name has lost its
        self.assertEqual(len(re.findall("(?i)<script", text)), len(re.findall("(?i)</script", text)))
        inside = re.search(r'(?s)<script type="application/json" id="comparison">(.*?)</script>', text)[1]
        self.assertEqual(json.loads(inside), self.document)

    @unittest.skipUnless(browser.BROWSER, "no Chromium or Chrome here")
    def test_page_in_a_browser(self):
        drawn = browser.draw(self, self.page)
        page = browser.Elements(drawn)
        self.assertEqual(page.find("html")[0].get("data-drawn"), "yes")

        pairs = self.each()
        bars = [float(bar["data-value"]) for bar in page.find("rect", "bar") if "busy" not in bar["class"]]
        self.assertEqual(bars, [policy["mlups"]["median"] for _, policy in pairs])
        self.assertEqual(len(page.find("rect", "busy")), 2 * len(pairs))
        self.assertEqual(len(page.find("path", "whisker")), len(pairs))
        self.assertEqual(len(page.find("path", "curve")), REPEAT * len(pairs))
        self.assertEqual(len(page.find("rect", "load")), 1)
        self.assertEqual(len(page.find("section")), 5 * len(WORKLOADS) + 1)
        canvases = page.find("canvas")
        self.assertEqual([(int(canvas["width"]), int(canvas["height"])) for canvas in canvases], [(STEPS, BLOCKS)] * len(pairs))
        for canvas, (_, policy) in zip(canvases, pairs):
            workers = len({worker for row in policy["map"] for worker in row})
            self.assertEqual((int(canvas["data-workers"]), int(canvas["data-colours"])), (workers, workers))

        values = {cell["data-key"]: cell["data-value"] for cell in page.find("td") if "data-key" in cell}
        self.assertEqual(len(values), 9 * len(pairs) + 4 * len(POLICIES))
        for workload, policy in pairs:
            for measure in set(MEASURES) - {"wall_seconds"}:
                key = f"{workload['workload']}/{policy['policy']}/{measure}"
                self.assertEqual(float(values[key]), policy[measure]["median"])
            shown = page.cells[f"{workload['workload']}/{policy['policy']}/mlups"]
            self.assertAlmostEqual(float(shown) / policy["mlups"]["median"], 1, delta=6e-4)
        for workload in self.document["workloads"]:
            for sentence in workload["sentences"].values():
                self.assertIn(sentence, drawn.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))


class Vessels(CompareTest):
    def test_blocks_differ(self):
        """A tree of vessels in place of all solids; blocks without fluid are no rows of the map."""
        folder = self.folder()
        path = os.path.join(folder, "compare.json")
        case = {**CASE, "domain": {"cells": [64, 48, 48]}, "blocks": {"cells": [8, 8, 8]}, "solids": [{"box": {"from": [0, 0, 0], "to": [64, 48, 48]}}]}
        done = self.call(self.write(case), "--policies", "static,balanced", "--workloads", "vessels", "--steps", "60", "--repeat", "1", "--quiet",
                         "--out", os.path.join(folder, "out"), "--json", path)
        with open(path) as file:
            workload, = json.load(file)["workloads"]
        self.assertLess(workload["blocks"], 8 * 6 * 6)
        self.assertEqual(workload["map_blocks"], list(range(workload["blocks"])))
        self.assertLess(10 * workload["block_fluid_least"], workload["block_fluid_most"])
        self.assertLess(workload["fluid_cells"], workload["blocks"] * workload["block_fluid_most"])
        self.assertIn(f"{workload['blocks']} blocks with {workload['block_fluid_least']} to {workload['block_fluid_most']} fluid cells", done.stdout)
        self.assertEqual([len(policy["map"]) for policy in workload["policies"]], [workload["blocks"]] * 2)


class DamBreak(CompareTest):
    def test_liquid_in_half_of_the_blocks(self):
        """Liquid in place of all else of the case; the same bits under each policy."""
        folder = self.folder()
        path = os.path.join(folder, "compare.json")
        self.call(self.write({**CASE, "domain": {"cells": [32, 16, 16]}, "blocks": {"cells": [8, 16, 16]}}), "--policies", "static,balanced",
                  "--workloads", "dam_break", "--steps", "61", "--repeat", "1", "--quiet", "--out", os.path.join(folder, "out"), "--json", path)
        with open(path) as file:
            workload, = json.load(file)["workloads"]
        self.assertEqual((workload["workload"], workload["blocks"], workload["fluid_cells"]), ("dam_break", 4, 32 * 16 * 16))
        self.assertEqual(len({policy["policy"] for policy in workload["policies"]}), 2)


class Traces(CompareTest):
    OPTIONS = ["--policies", "static,starpu:lws", "--workloads", "uniform", "--steps", "60", "--repeat", "1", "--trace", "--quiet"]

    @classmethod
    def setUpClass(cls):
        if not weir_case.can_record():
            raise unittest.SkipTest("this StarPU has no FxT")

    PARTS = ["kernels", "waiting_for_data", "waiting_for_tasks", "overhead"]

    def test_traces_beside_each_other(self):
        folder = self.folder()
        out, path = (os.path.join(folder, name) for name in ("out", "compare.json"))
        done = self.call(self.write(CASE), *self.OPTIONS, "--out", out, "--json", path)
        self.assertEqual(weir_case.results_in(out), ["compare.html", "trace-starpu-lws", "trace-static"])
        with open(path) as file:
            document = json.load(file)
        traces = document["traces"]
        self.assertEqual((traces["workload"], [trace["policy"] for trace in traces["policies"]]), ("uniform", document["policies"]))
        for trace in traces["policies"]:
            with open(os.path.join(out, trace["folder"], "analysis.json")) as file:
                analysis = json.load(file)
            self.assertEqual(analysis["policy"], trace["policy"])
            self.assertEqual(analysis["case"]["block_cells"], BLOCK)
            self.assertIn(f"  {trace['policy']}: {analysis['sentence']}\n", done.stdout)
            self.assertEqual((trace["sentence"], trace["steps"]), (analysis["sentence"], analysis["window"]["steps"]))
            self.assertAlmostEqual(sum(trace[part] for part in self.PARTS), 1, places=6)
            self.assertAlmostEqual(trace["kernels"], analysis["time"]["kernels"] / analysis["time"]["homes"] / analysis["window"]["seconds"],
                                   places=6)
        if browser.BROWSER:
            drawn = browser.draw(self, os.path.join(out, "compare.html"))
            page = browser.Elements(drawn)
            parts = [float(part["data-value"]) for part in page.find("rect", "part")]
            self.assertEqual(parts, [trace[part] for trace in traces["policies"] for part in self.PARTS])
            links = [link["href"] for link in page.find("a") if "report" in link["href"]]
            self.assertEqual(links, [f"{trace['folder']}/report.html" for trace in traces["policies"]])
            for link in links:
                self.assertTrue(os.path.exists(os.path.join(out, link)))

        done = self.call(self.write(CASE), *self.OPTIONS, "--out", out, code=2)
        self.assertIn("--force", done.stderr)

    def test_timed_runs_are_kept_where_a_trace_fails(self):
        """The program that is to convert recordings fails."""
        out = os.path.join(self.folder(), "out")
        done = self.call(self.write(CASE), *self.OPTIONS, "--out", out, code=1, env={"STARPU_FXT_TOOL": "/bin/false"})
        self.assertIn("policy static has no trace", done.stderr)
        self.assertIn("no trace: ", done.stdout)
        self.assertEqual(weir_case.results_in(out), ["compare.html"])

    def test_nothing_is_run_where_nothing_can_be_traced(self):
        folder = self.folder()
        done = self.call(self.write(CASE), *self.OPTIONS, "--out", os.path.join(folder, "out"), code=77,
                         env={"STARPU_FXT_TOOL": "/nowhere/tool"})
        self.assertIn("STARPU_FXT_TOOL", done.stderr)
        self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    weir_case.main()
