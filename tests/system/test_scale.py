#!/usr/bin/env python3
"""weir scale as its users meet it: options, table, JSON, the page in a browser; what a run on several ranks says it cost.

Usage: test_scale.py WEIR
"""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import browser
import command
import weir_case

STEPS, REPEAT = 20, 2
CASE = {
    "name": "cavity",
    "domain": {"cells": [24, 16, 16]},
    "fluid": {"tau": 0.6},
    "boundaries": {"z+": {"type": "wall", "velocity": [0.05, 0, 0]}},
    "blocks": {"cells": [8, 8, 16]},
    "run": {"steps": 7, "stop_when": {"steady": 1e-3, "every": 5}},
    "output": [{"type": "image", "plane": "y=0.5"}],
}
class ScaleTest(command.CommandTest):
    words = ["scale"]
    workers = 1
    variables = weir_case.launcher(2)[1]


class CommandLine(ScaleTest):
    def test_wrong_usage(self):
        case = self.write(CASE)
        self.check_wrong_usage((
            ([], ["no case"]),
            ([case], ["--strong", "--weak"]),
            ([case, "--strong", "--weak"], ["exclude"]),
            ([case, case, "--weak"], ["one case"]),
            ([case, "--strong", "--ranks", "1,2,1"], ["--ranks", "twice"]),
            ([case, "--strong", "--ranks", "0"], ["--ranks", '"0"']),
            ([case, "--strong", "--ranks", "1,,2"], ["--ranks"]),
            ([case, "--strong", "--cores", "some"], ["--cores", "some"]),
            ([case, "--strong", "--ranks", "1,100000"], ["100000", "cores of this host", "--oversubscribe"]),
            ([case, "--strong", "--ranks", "1,7", "--oversubscribe"], ["7 ranks", "6 blocks"]),
            ([case, "--strong", "--ranks", "1", "--cores", "60000"], ["--cores", "cores of this host"]),
            ([case, "--strong", "--launcher", "srun -n 4"], ["--launcher", "{ranks}"]),
            ([case, "--strong", "--launcher", "srun -n {ranks}", "--cores", "2"], ["--launcher", "--cores"]),
            ([case, "--strong", "--steps", "many"], ["--steps", "many"]),
            ([case, "--strong", "--repeat", "0"], ["--repeat", '"0"']),
            ([case, "--strong", "--set", "run.steps=5"], ["--steps"]),
            ([case, "--strong", "--set", "run.stesp=5"], ["stesp", "steps"]),
            ([case, "--strong", "--set", "ranks.grid=[2,1,1]"], ["ranks.grid"]),
            ([case, "--strong", "--out", case], [case, "folder"]),
            (["nowhere.json", "--strong"], ["nowhere.json"]),
        ))

    def test_scale_comes_first(self):
        done = subprocess.run([weir_case.program, "--quiet", "scale", self.write(CASE)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("scale comes first", done.stderr)

    def test_help(self):
        said = self.call("--help").stdout
        for word in ("--weak", "--strong", "--ranks", "--cores", "--launcher", "--oversubscribe", "--steps", "--repeat", "--json", "--out"):
            self.assertIn(word, said)
        self.assertIn("scale CASE", subprocess.run([weir_case.program, "--help"], capture_output=True, text=True).stdout)

    def test_no_launcher(self):
        folder = self.folder()
        out = os.path.join(folder, "out")
        done = self.call(self.write(CASE), "--strong", "--ranks", "1", "--out", out, code=77, env={"PATH": "/nowhere"})
        self.assertIn("mpirun", done.stderr)
        done = self.call(self.write(CASE), "--strong", "--ranks", "1", "--out", out, "--launcher", "frobnicate {ranks}", code=77)
        self.assertIn("frobnicate", done.stderr)
        self.assertEqual(os.listdir(folder), [])

    def test_a_launcher_that_starts_something_else(self):
        folder = self.folder()
        out = os.path.join(folder, "out")
        script = os.path.join(self.folder(), "launch.sh")
        with open(script, "w") as file:
            file.write('#!/bin/sh\nshift\nexec "$@"\n')
        os.chmod(script, 0o755)
        done = self.call(self.write(CASE), "--strong", "--ranks", "2", "--out", out, "--launcher", f"{script} {{ranks}}", "--quiet", code=1)
        self.assertIn("asked for 2 ranks, the launcher made 1", done.stderr)
        with open(script, "w") as file:
            file.write("#!/bin/sh\necho the queue is closed >&2\nexit 3\n")
        done = self.call(self.write(CASE), "--strong", "--ranks", "2", "--out", out, "--launcher", f"{script} {{ranks}}", "--quiet", code=1)
        self.assertIn("2 ranks: the queue is closed", done.stderr)
        self.assertEqual(os.listdir(folder), [])


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class Scaling(ScaleTest):
    def scale(self, *arguments):
        """Report, page's path and what was said."""
        folder = self.folder()
        path = os.path.join(folder, "scale.json")
        done = self.call(self.write(CASE), "--oversubscribe", "--steps", str(STEPS), "--repeat", str(REPEAT), "--out", folder, "--json", path,
                         *arguments)
        self.assertEqual(weir_case.results_in(folder), ["scale.html", "scale.json"])
        with open(path) as file:
            return json.load(file), os.path.join(folder, "scale.html"), done

    def test_strong(self):
        report, page, done = self.scale("--strong", "--ranks", "2,1")
        self.assertEqual([point["ranks"] for point in report["points"]], [1, 2])
        self.assertEqual({run["digest"] for point in report["points"] for run in point["runs"]} | {None},
                         {report["points"][0]["runs"][0]["digest"], None})
        for point in report["points"]:
            self.assertEqual((point["cells"], point["blocks"], len(point["runs"])), ([24, 16, 16], 6, REPEAT))
            self.assertGreater(point["mlups"]["median"], 0)
            for run in point["runs"]:
                self.assertAlmostEqual(run["mlups"], 1e-6 * 24 * 16 * 16 / run["step_seconds"], delta=1e-4 * run["mlups"])
                self.assertTrue(0 <= run["waiting"] <= run["longest_waiting"] <= 1, run)
        one, two = report["points"]
        self.assertEqual((one["bytes_per_step"], one["messages_per_step"], one["efficiency"]["median"]), (0, 0, 1))
        self.assertEqual((two["workers"], two["largest_neighbours"], two["hosts"]), (2, 1, 1))
        self.assertAlmostEqual(two["efficiency"]["median"], two["speedup"]["median"] / 2, places=8)
        # Cut in the middle of x, blocks of 8 x 8 x 16 on both sides: see weir check.
        self.assertGreater(two["bytes_per_step"], 2 * 5 * 4 * 16 * 16 - 1)
        for line in done.stdout.splitlines():
            if re.match(r" +2 +1 ", line):
                self.assertIn("24 x 16 x 16", line)
                break
        else:
            self.fail(done.stdout)
        self.assertIn("sbatch", done.stdout)
        self.assertIn("repeat 2/2", done.stderr)
        if not browser.BROWSER:
            return
        drawn = browser.Elements(browser.draw(self, page, "1240,1400"))
        values = {cell["data-key"]: cell["data-value"] for cell in drawn.find("td") if "data-key" in cell}
        for point in report["points"]:
            for key in ("mlups", "efficiency", "waiting", "balance"):
                self.assertEqual(float(values[f"{point['ranks']}/{key}"]), point[key]["median"])
            self.assertEqual(int(values[f"{point['ranks']}/bytes_per_step"]), point["bytes_per_step"])
        shown = [float(dot["data-value"]) for dot in drawn.find("circle", "point")]
        self.assertEqual(shown, [point[key]["median"] for key in ("efficiency", "mlups", "waiting") for point in report["points"]])

    def test_weak(self):
        report, _, done = self.scale("--weak", "--ranks", "1,3", "--quiet")
        self.assertEqual([point["cells"] for point in report["points"]], [[24, 16, 16], [24, 16, 48]])
        self.assertEqual([point["fluid_cells"] for point in report["points"]], [24 * 16 * 16, 3 * 24 * 16 * 16])
        self.assertEqual([point["blocks"] for point in report["points"]], [6, 18])
        self.assertEqual(done.stderr, "")

    def test_an_earlier_report_stays(self):
        folder = self.folder()
        for name, text in (("scale.html", "mine"), (".weir-files", "#weir-files 1 scale\nscale.html\n")):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        arguments = [self.write(CASE), "--strong", "--ranks", "1", "--out", folder]
        self.assertIn("--force", self.call(*arguments, code=2).stderr)
        os.remove(os.path.join(folder, ".weir-files"))
        self.assertIn("is not empty", self.call(*arguments, "--force", code=2).stderr)
        with open(os.path.join(folder, "scale.html")) as file:
            self.assertEqual(file.read(), "mine")

    def test_a_failing_run_is_told(self):
        folder = self.folder()
        out = os.path.join(folder, "out")
        done = self.call(self.write(CASE), "--strong", "--ranks", "2", "--oversubscribe", "--out", out, "--set", "placement.workers=cuda", code=77)
        self.assertIn("GPUs", done.stderr)
        done = self.call(self.write(CASE), "--strong", "--ranks", "2", "--oversubscribe", "--out", out, "--steps", "4000", "--set", "fluid.tau=0.5001",
                         "--set", 'initial.velocity=["0.4*sin(2*x)","0.4*sin(3*y)",0]', code=1)
        self.assertIn("2 ranks: ", done.stderr)
        self.assertIn("diverged", done.stderr)
        self.assertEqual(os.listdir(folder), [])

    def test_interrupt_ends_ranks_too(self):
        folder = self.folder()
        out = os.path.join(folder, "out")
        with self.started("--strong", self.write(CASE), "--out", out, "--ranks", "2", "--oversubscribe", "--steps", "1000000",
                          stderr=subprocess.PIPE) as process:
            for line in process.stderr:
                if "repeat" in line:
                    break
            time.sleep(2)
            self.check_interrupted(process, signal.SIGINT)
        self.assertEqual(os.listdir(folder), [])
        self.check_none_left(out, patience=30)  # mpirun ends before its ranks, which have been told


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class Costs(ScaleTest):
    """What the summary says of ranks."""

    def test_exchange_is_what_check_foretells(self):
        case = self.write({**CASE, "domain": {"cells": [24, 20, 18], "periodic": [True, True, False]}, "output": []})
        for ranks in (2, 3):
            folder = self.folder()
            summary = os.path.join(folder, "summary.json")
            self.compute(case, "--summary", summary, ranks=ranks)
            with open(summary) as file:
                found = json.load(file)
            said = self.call(case, "--ranks", str(ranks), words=["check"]).stdout
            foretold = re.search(r"together (\d+) bytes \(.*\) per step", said)
            self.assertTrue(foretold, said)
            exchange = found["exchange"]
            self.assertEqual(exchange["bytes_per_step"], int(foretold.group(1)))
            rows = re.findall(r"(?m)^ +\d+ +\d+ +\d+ +(\d+) +\d+\.\d$", said)
            self.assertEqual(len(rows), ranks, said)
            self.assertEqual(exchange["largest_neighbours"], max(map(int, rows)))
            self.assertGreaterEqual(exchange["messages_per_step"], 2)
            self.assertEqual(found["ranks"], ranks)
            self.assertEqual(len(found["hosts"]), 1)
            self.assertTrue(0 <= found["waiting"]["mean"] <= found["waiting"]["longest"] <= 1, found["waiting"])
            updates = [worker["updates"] for worker in found["workers"] if worker["steps"]]
            self.assertAlmostEqual(found["balance"], sum(updates) / len(updates) / max(updates), places=12)

    def test_one_rank_exchanges_nothing(self):
        run = self.compute(CASE, "--steps", "20", workers=2)
        self.assertIsNone(run.summary["exchange"])
        self.assertEqual(len(run.summary["hosts"]), 1)
        self.assertTrue(0 <= run.summary["waiting"]["mean"] <= run.summary["waiting"]["longest"] <= 1)
        run = self.compute(CASE, "--steps", "20", "--set", "placement.policy=starpu:lws", workers=2)
        self.assertEqual(run.summary["waiting"], {"mean": None, "longest": None})


if __name__ == "__main__":
    weir_case.main()
