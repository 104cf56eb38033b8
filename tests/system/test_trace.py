#!/usr/bin/env python3
"""weir trace as its users meet it: files, numbers, the report in a browser, the trace in ViTE.

Usage: test_trace.py WEIR
"""
import csv
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import browser
import command
import weir_case

FROM, STEPS, BLOCKS = 12, 10, 8
CASE = {
    "name": "cavity",
    "domain": {"cells": [32, 32, 32]},
    "fluid": {"tau": 0.6},
    "boundaries": {"z+": {"type": "wall", "velocity": [0.05, 0, 0]}},
    "blocks": {"cells": [16, 16, 16]},
    "run": {"steps": 1000, "check_every": 5},
    "output": [{"type": "image", "plane": "y=0.5", "every": 4}],
}
KINDS = {"collide_stream", "totals", "combine_totals", "report_totals", "macroscopic", "output_begin", "output_put", "output_finish"}
TIMES = ["kernels", "waiting_for_data", "waiting_for_tasks", "overhead"]
OFFSCREEN = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


def find_vite():
    """The program that draws traces; a tool for JavaScript has the same name."""
    path = shutil.which("vite")
    said = path and subprocess.run([path, "-h"], env=OFFSCREEN, capture_output=True, text=True, timeout=300)
    return path if said and "-e outputfile" in said.stdout + said.stderr else None


VITE = find_vite()


class TraceTest(command.CommandTest):
    words = ["trace"]


class Recorded(TraceTest):
    """What takes a StarPU with FxT."""

    @classmethod
    def setUpClass(cls):
        if not weir_case.can_record():
            raise unittest.SkipTest("this StarPU has no FxT")


class WithoutFxt(TraceTest):
    def test_mend_is_said(self):
        if weir_case.can_record():
            self.skipTest("this StarPU has FxT")
        folder = self.folder()
        done = self.call(self.write(CASE), "--out", os.path.join(folder, "out"), code=77)
        self.assertRegex(done.stderr, r"\Aweir: .*without FxT.*\./setup\.sh.*--with-fxt[^\n]*\n\Z")
        self.assertEqual(os.listdir(folder), [])


class CommandLine(TraceTest):
    def test_wrong_usage(self):
        case = self.write(CASE)
        self.check_wrong_usage((
            ([], ["no case"]),
            ([case, case], ["one case"]),
            ([case, "--from", "-1"], ["--from", "-1"]),
            ([case, "--steps", "0"], ["--steps", '"0"']),
            ([case, "--format", "pajee"], ["--format", "perfetto"]),
            ([case, "--set", "run.steps=5"], ["--from", "--steps"]),
            ([case, "--set", "run.stesp=5"], ["stesp", "steps"]),
            (["nowhere.json"], ["nowhere.json"]),
        ))

    def test_help(self):
        for word in ("--from", "--steps", "--out", "--set", "--format", "--force", "report.html", "ViTE"):
            self.assertIn(word, self.call("--help").stdout)
        self.assertIn("trace CASE", subprocess.run([weir_case.program, "--help"], capture_output=True, text=True).stdout)


class Failures(Recorded):
    def test_what_does_not_fit_the_case(self):
        case = self.write(CASE)
        self.assertIn("too much to record", self.call(case, "--steps", "90000000", code=2).stderr)
        self.assertIn("folder", self.call(case, "--out", case, code=2).stderr)

    def test_without_the_tool(self):
        done = self.call(self.write(CASE), code=77, env={"STARPU_FXT_TOOL": "/nowhere/tool"})
        self.assertIn("STARPU_FXT_TOOL", done.stderr)

    def test_run_that_ends_before(self):
        case = {**CASE, "run": {"steps": 1, "stop_when": {"steady": 10, "every": 5}}}
        out = os.path.join(self.folder(), "out")
        done = self.call(self.write(case), "--out", out, "--from", "200", code=1)
        self.assertIn("there is no trace", done.stderr)
        self.assertNotIn("report.html", os.listdir(out))

    def test_full_disk(self):
        """No file may grow beyond 100 kB: what was recorded does not fit."""
        out = os.path.join(self.folder(), "out")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        done = self.call(self.write({**CASE, "output": []}), "--out", out, "--from", "4", "--steps", "40", code=1, preexec_fn=limit)
        self.assertRegex(done.stderr.splitlines()[-1], r"\Aweir: .*(disk|space|lost|cut short)")
        self.assertNotIn("report.html", os.listdir(out))

    def test_interrupted(self):
        out = os.path.join(self.folder(), "out")
        with self.started(self.write(CASE), "--out", out, "--from", "1000000", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while not os.path.exists(os.path.join(out, "run", "case.json")):
                time.sleep(0.05)
            time.sleep(0.5)
            self.check_interrupted(process, signal.SIGINT)
        self.assertNotIn("report.html", os.listdir(out))


class Trace(Recorded):
    """One trace, looked at from all sides."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = weir_case.tempfile.TemporaryDirectory(prefix="weir-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.case, cls.out = (os.path.join(folder.name, name) for name in ("case.json", "out"))
        with open(cls.case, "w") as file:
            json.dump(CASE, file)
        cls.arguments = [cls.case, "--from", str(FROM), "--steps", str(STEPS), "--out", cls.out, "--format", "perfetto"]
        cls.done = subprocess.run([weir_case.program, "trace", *cls.arguments], env=cls.environment(), capture_output=True, text=True,
                                  timeout=300)
        if cls.done.returncode != 0:
            raise AssertionError(cls.done.stdout + cls.done.stderr)
        with open(os.path.join(cls.out, "analysis.json")) as file:
            cls.analysis = json.load(file)
        with open(os.path.join(cls.out, "tasks.csv"), newline="") as file:
            cls.tasks = list(csv.DictReader(file))

    def path(self, name):
        return os.path.join(self.out, name)

    def test_files(self):
        self.assertEqual(weir_case.results_in(self.out), ["analysis.json", "dag.dot", "paje.trace", "perfetto.json", "report.html", "run",
                                                        "starpu", "tasks.csv", "transfers.csv"])
        self.assertIn("tasks.rec", os.listdir(self.path("starpu")))
        with open(self.path("run/summary.json")) as file:
            self.assertEqual(json.load(file)["steps"], FROM + 2 * STEPS)
        with open(self.path("transfers.csv")) as file:
            self.assertEqual(file.read(), "bytes,from_rank,from_memory,to_rank,to_memory,start_seconds,end_seconds,hidden_seconds,carries,step,sent_task\n")  # cores share a memory

    def test_tasks(self):
        """Every block took every step of the window; tasks come after what they depend on."""
        steps = [(int(task["block"]), int(task["step"])) for task in self.tasks if task["kind"] == "collide_stream"]
        self.assertEqual(sorted(steps), [(block, step) for block in range(BLOCKS) for step in range(FROM, FROM + STEPS)])
        self.assertEqual({task["kind"] for task in self.tasks}, KINDS)
        self.assertEqual({task["worker"] for task in self.tasks}, {"CPU 0", "CPU 1"})
        self.assertEqual({task["rank"] for task in self.tasks}, {"0"})
        end = {}
        for task in self.tasks:
            submitted, ready, start, finish = (float(task[key + "_seconds"]) for key in ("submitted", "ready", "start", "end"))
            self.assertLessEqual(submitted, ready)
            self.assertLessEqual(ready, start)
            self.assertLess(start, finish)
            if task["kind"] == "collide_stream":
                self.assertGreater(float(task["expected_seconds"]), 0)
            if task["kind"] == "collide_stream":
                block, step = int(task["block"]), int(task["step"])
                if step > FROM:
                    self.assertGreaterEqual(ready, end[block, step - 1])
                end[block, step] = finish

    def test_time_adds_up(self):
        """busy + waiting + overhead = time x workers, and the window is as long as a clock beside it says."""
        seconds = self.analysis["window"]["seconds"]
        for worker in self.analysis["workers"]:
            self.assertAlmostEqual(sum(worker[key] for key in TIMES), seconds, delta=1e-8)
            mine = [task for task in self.tasks if task["worker"] == worker["name"]]
            self.assertEqual(worker["tasks"], len(mine))
            kernels = sum(float(task["end_seconds"]) - float(task["start_seconds"]) for task in mine)
            self.assertAlmostEqual(worker["kernels"], kernels, delta=1e-6 * len(mine) + 0.001 * kernels)
        self.assertAlmostEqual(sum(self.analysis["time"][key] for key in TIMES), seconds * self.analysis["time"]["homes"], delta=1e-8)
        for home, worker in zip(self.analysis["homes"], self.analysis["workers"], strict=True):  # a home each: cores
            self.assertEqual([home[key] for key in TIMES + ["tasks"]], [worker[key] for key in TIMES + ["tasks"]])
        wall = self.analysis["recording"]["wall_seconds"]
        self.assertLessEqual(abs(seconds - wall), 0.01 * wall + 0.001)
        path = self.analysis["critical_path"]
        self.assertAlmostEqual(path["kernel_seconds"] + path["gap_seconds"] + path["tail_seconds"], seconds, delta=1e-6)
        self.assertEqual((path["message_seconds"], path["links"]), (0, []))
        self.assertLessEqual(path["chain_seconds"], seconds)
        self.assertAlmostEqual(sum(step["kernel_seconds"] for step in path["steps"]), path["kernel_seconds"], delta=1e-6)

    def test_expectations(self):
        """Of the block's steps, of which enough were measured while the run warmed up."""
        for kind in self.analysis["kinds"]:
            mine = [task for task in self.tasks if task["kind"] == kind["kind"]]
            times, = kind["workers"]
            self.assertEqual((times["workers"], times["count"]), ("cores", len(mine)))
            pairs = [(float(task["end_seconds"]) - float(task["start_seconds"]), float(task["expected_seconds"]))
                     for task in mine if task["expected_seconds"]]
            self.assertEqual(times["expected_count"], len(pairs))
            if kind["kind"] == "collide_stream":
                self.assertEqual(len(pairs), STEPS * BLOCKS)
            if pairs:
                expected = sum(e for _, e in pairs)
                rounding = 1e-3 + 1e-9 * len(pairs) / expected  # the file has nanoseconds, and tasks of a few hundred
                self.assertAlmostEqual(times["expected_seconds"], expected / len(pairs), delta=1e-8)
                self.assertAlmostEqual(times["deviation"], sum(t for t, _ in pairs) / expected - 1, delta=rounding * (2 + times["deviation"]))
                self.assertAlmostEqual(times["mean_deviation"], sum(abs(t - e) for t, e in pairs) / expected, delta=rounding * (1 + times["mean_deviation"]))
        self.assertIn("StarPU's models expected", self.done.stdout)

    def test_what_is_said(self):
        lines = self.done.stdout.splitlines()
        self.assertEqual(lines[0], self.analysis["sentence"])
        self.assertTrue(lines[0].endswith("."))
        self.assertIn("recording cost", self.done.stdout)
        for line in ("main loss ", "memory: ", "fluid cells beside walls: "):
            self.assertIn("\n" + line, self.done.stdout)
        self.assertEqual(lines[-1], f"report in {self.out}/report.html")

    def test_sections_and_kernels(self):
        """The window in sections of two steps; cells beside walls, of which a cube of 32 has 1 - (30/32)^3; memory."""
        main, kernels, disturbance = (self.analysis[key] for key in ("main_loss", "kernels", "disturbance"))
        self.assertEqual(len(main["sections"]), STEPS // 2)
        self.assertEqual(main["agree"], sum(section["loss"] == main["loss"] for section in main["sections"]))
        self.assertEqual([section["begin_seconds"] for section in main["sections"][1:]], [section["end_seconds"] for section in main["sections"][:-1]])
        self.assertAlmostEqual(main["sections"][-1]["end_seconds"], self.analysis["window"]["seconds"], delta=1e-9)
        self.assertAlmostEqual(kernels["near_wall"], 1 - (30 / 32) ** 3, delta=1e-6)
        self.assertGreater(kernels["limit_gbs"], 0)
        with open(self.path("run/summary.json")) as file:
            bytes_per_update = json.load(file)["bytes_per_update"]
        self.assertAlmostEqual(kernels["bandwidth_gbs"] / (1e-3 * self.analysis["window"]["mlups"] * bytes_per_update), 1, delta=1e-6)
        self.assertEqual(disturbance["compared"], STEPS * BLOCKS)
        self.assertLessEqual(disturbance["slow"], disturbance["compared"])

    def test_earlier_trace_stays(self):
        before = os.stat(self.path("report.html")).st_mtime_ns
        self.assertIn("--force", self.call(*self.arguments, code=2).stderr)
        self.assertEqual(os.stat(self.path("report.html")).st_mtime_ns, before)

    def test_other_formats(self):
        with open(self.path("perfetto.json")) as file:
            events = json.load(file)["traceEvents"]
        self.assertEqual(sum(event["ph"] == "X" for event in events), len(self.tasks))
        with open(self.path("dag.dot")) as file:
            graph = file.read()
        self.assertIn(f'label="collide_stream block 3 step {FROM + 1}"', graph)
        self.assertIn("->", graph)

    def test_paje(self):
        """What ViTE is given: a name for each task, and one colour for each kind."""
        with open(self.path("paje.trace")) as file:
            text = file.read()
        names = re.findall(r'^6\t\S+\tWS\t"((\w+)(?: block \d+)? step \d+)"\t"([0-9. ]+)"$', text, re.M)
        states = dict(re.findall(r'^6 +(\w+) +WS +.*"([0-9. ]+)"$', text, re.M))
        self.assertEqual([states[name] for name in ("Sl", "Fi", "Sc")], ["0.890 0.902 0.925", "0.835 0.369 0.000", "0.541 0.561 0.604"])
        expected = {" ".join(filter(None, [task["kind"], task["block"] and f"block {task['block']}", f"step {task['step']}"])) for task in self.tasks}
        self.assertEqual(sorted(name for name, _, _ in names), sorted(expected))
        names = [rest for _, *rest in names]
        colours = dict(names)
        self.assertEqual(set(colours), KINDS)
        self.assertEqual({tuple(name) for name in names}, set(colours.items()))
        self.assertEqual(len(set(colours.values())), len(KINDS))

    @unittest.skipUnless(VITE, "ViTE is not installed")
    def test_vite(self):
        picture = os.path.join(self.folder(), "out.svg")
        home = self.folder()  # ViTE keeps settings
        done = subprocess.run([VITE, "-e", picture, self.path("paje.trace")], capture_output=True, text=True, timeout=120,
                              env={**OFFSCREEN, "HOME": home, "XDG_RUNTIME_DIR": home})
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("0 errors and 0 warnings", said)
        with open(picture) as file:
            drawn = file.read()
        self.assertIn("<svg", drawn)
        for worker in ("CPU0", "CPU1"):
            self.assertIn(worker, drawn)

    @unittest.skipUnless(browser.BROWSER, "no Chromium or Chrome here")
    def test_report_in_a_browser(self):
        page = browser.Elements(browser.draw(self, self.path("report.html"), "1240,2200"))
        self.assertEqual(page.find("html")[0].get("data-drawn"), "yes")
        analysis = self.analysis
        drawn = {(int(bar["data-worker"]), bar["data-key"]): float(bar["data-value"]) for bar in page.find("rect", "activity")}
        self.assertEqual(drawn, {(w, key): worker[key] for w, worker in enumerate(analysis["workers"]) for key in TIMES})
        values = {cell["data-key"]: cell["data-value"] for cell in page.find("td") if "data-key" in cell}
        self.assertEqual(len(values), 15 + 5 * len(KINDS))
        for key, value in values.items():
            found = analysis
            for name in key.split("/"):
                found = found[int(name) if isinstance(found, list) else name]
            self.assertEqual(json.loads(value), found, key)
        counts = [int(picture["data-count"]) for picture in page.find("svg", "histogram")]
        self.assertEqual(counts, [kind["count"] for kind in analysis["kinds"]])
        expected = [float(line["data-value"]) for line in page.find("path", "expected") if "data-value" in line]
        self.assertEqual(expected, [times["expected_seconds"] for kind in analysis["kinds"] for times in kind["workers"]
                                    if times["expected_seconds"] is not None])
        self.assertEqual(sum(counts), len(self.tasks))
        gantt, owners = page.find("canvas")
        inside = [task for task in self.tasks if float(task["start_seconds"]) <= float(gantt["data-to"])]
        self.assertAlmostEqual(int(gantt["data-tasks"]), len(inside), delta=1)
        self.assertEqual((owners["width"], owners["height"]), (str(STEPS), str(BLOCKS)))

    @unittest.skipUnless(browser.BROWSER, "no Chromium or Chrome here")
    def test_report_under_the_mouse(self):
        """Wheel, dragging, buttons and pointer over the Gantt chart; a worker's own histograms."""
        window = browser.Window(self, self.path("report.html"))
        seconds = self.analysis["window"]["seconds"]
        gantt = "document.querySelector('#gantt canvas')"
        window.value(gantt + ".scrollIntoView()")
        box = window.value(f"(box => [box.left, box.top, box.width, box.height])({gantt}.getBoundingClientRect())")
        span = lambda: [float(window.value(f"{gantt}.dataset.{key}")) for key in ("from", "to")]
        # Names take 130 of its 1600 units, a row 30 of 2 * 30 + 24.
        place = lambda time, worker: (box[0] + box[2] * (130 + 1470 * (time - span()[0]) / (span()[1] - span()[0])) / 1600,
                                      box[1] + box[3] * (worker + 0.5) * 30 / (2 * 30 + 24))

        window.value("document.querySelector('#gantt [data-zoom=all]').click()")
        self.assertEqual(span(), [0, seconds])
        self.assertEqual(int(window.value(gantt + ".dataset.tasks")), len(self.tasks))

        longest = max(self.tasks, key=lambda task: float(task["end_seconds"]) - float(task["start_seconds"]))
        middle = (float(longest["start_seconds"]) + float(longest["end_seconds"])) / 2
        worker = ["CPU 0", "CPU 1"].index(longest["worker"])
        x, y = place(middle, worker)
        window.mouse("mouseMoved", x, y)
        tip = window.value("document.getElementById('tip').textContent")
        for word in (longest["kind"], f"step {longest['step']}", longest["worker"]):
            self.assertIn(word, tip)

        window.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100)
        window.wait(f"Number({gantt}.dataset.to) - Number({gantt}.dataset.from) < {0.81 * seconds}")
        from_, to = span()
        self.assertAlmostEqual(to - from_, 0.8 * seconds, delta=1e-6 * seconds)
        again = place(middle, worker)
        self.assertAlmostEqual(again[0], x, delta=3)  # what is under the pointer stays there
        shown = [task for task in self.tasks if float(task["start_seconds"]) <= to and float(task["end_seconds"]) >= from_]
        self.assertAlmostEqual(int(window.value(gantt + ".dataset.tasks")), len(shown), delta=1)

        window.mouse("mousePressed", box[0] + 0.5 * box[2], y, button="left", buttons=1, clickCount=1)
        window.mouse("mouseMoved", box[0] + 0.4 * box[2], y, button="left", buttons=1)
        window.mouse("mouseReleased", box[0] + 0.4 * box[2], y, button="left")
        moved = min(0.1 * 1600 / 1470 * (to - from_), seconds - to)
        self.assertAlmostEqual(span()[0], from_ + moved, delta=0.005 * seconds)
        window.mouse("mouseWheel", x, y, deltaX=0, deltaY=100)
        window.wait(f"Number({gantt}.dataset.to) - Number({gantt}.dataset.from) > {0.9 * seconds}")

        window.value("(choice => { choice.value = '1'; choice.dispatchEvent(new Event('change')); })"
                     "(document.querySelector('[data-section=\"Times of tasks\"] select'))")
        counts = window.value("[...document.querySelectorAll('svg.histogram')].map(picture => Number(picture.dataset.count))")
        self.assertEqual(sum(counts), self.analysis["workers"][1]["tasks"])
        self.assertEqual(window.complaints, [])

    def test_report_needs_no_network(self):
        with open(self.path("report.html")) as file:
            text = file.read()
        self.assertNotRegex(text, r"(?i)(src|href)=[\"']?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest")
        inside = re.search(r'(?s)<script type="application/json" id="trace">(.*?)</script>', text)[1]
        self.assertEqual(json.loads(inside)["analysis"], self.analysis)


class FirstStep(Recorded):
    def test_from_the_first_step(self):
        """No task of a step was submitted before, and StarPU has no model of it loaded yet."""
        out = os.path.join(self.folder(), "out")
        self.call(self.write(CASE), "--quiet", "--out", out, "--from", "0", "--steps", "4")
        with open(os.path.join(out, "tasks.csv"), newline="") as file:
            steps = [int(task["step"]) for task in csv.DictReader(file) if task["kind"] == "collide_stream"]
        self.assertEqual(sorted(steps), sorted(list(range(4)) * BLOCKS))
        with open(os.path.join(out, "analysis.json")) as file:
            self.assertIsNone(json.load(file)["recording"]["wall_seconds_before"])


class OneBlock(Recorded):
    def test_every_step_is_a_task(self):
        """Also where a run would take many steps in one."""
        out = os.path.join(self.folder(), "out")
        self.call(self.write({**CASE, "domain": {"cells": [16, 16, 16]}}), "--out", out, "--from", "4", "--steps", "6", "--quiet")
        with open(os.path.join(out, "tasks.csv"), newline="") as file:
            steps = [int(task["step"]) for task in csv.DictReader(file) if task["kind"] == "collide_stream"]
        self.assertEqual(sorted(steps), list(range(4, 10)))


class Transfers(Recorded):
    def test_between_two_memories(self):
        """A machine that hwloc makes up: two memories with a core each, between which StarPU copies. No check of the flow
        comes in windows that are shorter than the time between two."""
        out = os.path.join(self.folder(), "out")
        case = {**CASE, "run": {"steps": 1000, "check_every": 25}, "output": [], "placement": {"policy": "static"}}
        self.call(self.write(case), "--out", out, "--from", "20", "--steps", "20",
                  env={"HWLOC_SYNTHETIC": "pack:2 numa:1 core:1 pu:1", "STARPU_USE_NUMA": "1",
                       "STARPU_HOME": self.folder()})
        with open(os.path.join(out, "transfers.csv"), newline="") as file:
            transfers = list(csv.DictReader(file))
        with open(os.path.join(out, "analysis.json")) as file:
            analysis = json.load(file)
        self.assertEqual([kind["kind"] for kind in analysis["kinds"]], ["collide_stream"])
        found = analysis["transfers"]
        self.assertGreater(found["least_bytes"], 0)
        self.assertGreaterEqual(found["bytes"], found["least_bytes"])
        self.assertEqual(found["moves"], 0)
        self.assertEqual(found["bytes"], sum(int(transfer["bytes"]) for transfer in transfers))
        self.assertEqual({(transfer["from_memory"], transfer["to_memory"]) for transfer in transfers}, {("0", "1"), ("1", "0")})
        for transfer in transfers:
            self.assertLessEqual(0, float(transfer["start_seconds"]))
            self.assertLessEqual(float(transfer["start_seconds"]), float(transfer["end_seconds"]))
            self.assertLessEqual(float(transfer["end_seconds"]), analysis["window"]["seconds"])
            self.assertEqual((transfer["carries"], transfer["step"], transfer["sent_task"]), ("copy", "", ""))
        self.assertAlmostEqual(found["hidden_seconds"], sum(float(transfer["hidden_seconds"]) for transfer in transfers), delta=1e-6)
        self.assertTrue(0 <= found["hidden"] <= 1)


class Ranks(Recorded):
    def trace(self, ranks, case):
        """What is said, analysis, tables, and the path of the page."""
        out = os.path.join(self.folder(), "out")
        words, environment = weir_case.launcher(ranks)
        done = subprocess.run([*words, weir_case.program, "trace", self.write(case), "--quiet", "--out", out, "--from", str(FROM),
                               "--steps", str(STEPS)], env={**weir_case.environment(1), **environment}, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(os.path.join(out, "analysis.json")) as file:
            analysis = json.load(file)
        tables = {}
        for name in ("tasks", "transfers"):
            with open(os.path.join(out, name + ".csv"), newline="") as file:
                tables[name] = list(csv.DictReader(file))
        return done, analysis, tables, os.path.join(out, "report.html")

    def check_messages(self, analysis, tables):
        """Every message has both its ends."""
        sent = {(task["rank"], task["task"]): task for task in tables["tasks"]}
        unpacked = {}
        for task in tables["tasks"]:
            if task["kind"] == "unpack":
                unpacked.setdefault((task["rank"], task["step"]), []).append(float(task["ready_seconds"]))
        halos = [message for message in tables["transfers"] if message["carries"] == "halo"]
        for message in halos:
            sender = sent[message["from_rank"], message["sent_task"]]
            self.assertEqual((sender["kind"], sender["step"]), ("pack", message["step"]))  # its step is that of the task that waits for it
            self.assertTrue(any(ready >= float(message["end_seconds"]) - 1e-5 for ready in unpacked[message["to_rank"], message["step"]]))
        self.assertEqual(len({(message["from_rank"], message["sent_task"]) for message in halos}), len(halos))
        self.assertEqual(len(halos), sum(map(len, unpacked.values())))
        self.assertEqual({message["carries"] for message in tables["transfers"]}, {"halo", "sum"})

    def check_path(self, analysis, tables):
        """It adds up, and goes from rank to rank with messages only."""
        path, at, rank = analysis["critical_path"], 0, None
        for part in path["parts"]:
            self.assertAlmostEqual(part["begin_seconds"], at + part["gap_seconds"], delta=1e-7)
            at = part["begin_seconds"] + part["seconds"]
            if "message" in part:
                row = tables["transfers"][part["message"]]
                self.assertEqual((part["from_rank"], part["to_rank"], part["bytes"]), (int(row["from_rank"]), int(row["to_rank"]), int(row["bytes"])))
                self.assertEqual(rank, part["from_rank"])
                rank = part["to_rank"]
            else:
                here = analysis["workers"][part["worker"]]["rank"]
                self.assertIn(rank, (None, here))
                rank = here
        self.assertAlmostEqual(at + path["tail_seconds"], analysis["window"]["seconds"], delta=1e-7)
        self.assertAlmostEqual(sum(path[key + "_seconds"] for key in ("kernel", "message", "gap")), at, delta=1e-6)
        for key in ("kernel", "message", "gap"):
            self.assertAlmostEqual(sum(step[key + "_seconds"] for step in path["steps"]), path[key + "_seconds"], delta=1e-6)
        messages = [part for part in path["parts"] if "message" in part]
        self.assertEqual(sum(link["messages"] for link in path["links"]), len(messages))
        self.assertAlmostEqual(sum(link["seconds"] for link in path["links"]), path["message_seconds"], delta=1e-6)

    def test_three_ranks(self):
        """Each sends to both others with the same numbers: whose message is whose?"""
        _, analysis, tables, _ = self.trace(3, {**CASE, "output": []})
        self.assertEqual(len({(message["from_rank"], message["to_rank"]) for message in tables["transfers"]}), 6)
        self.check_messages(analysis, tables)
        self.check_path(analysis, tables)

    def test_two_ranks(self):
        """Each has its half of the blocks; what crosses is sent as messages."""
        done, analysis, tables, page = self.trace(2, {**CASE, "output": []})
        seconds = analysis["window"]["seconds"]

        self.assertEqual([(worker["name"], worker["rank"]) for worker in analysis["workers"]], [("rank 0: CPU 0", 0), ("rank 1: CPU 0", 1)])
        ranks = {}
        for task in tables["tasks"]:
            self.assertTrue(task["worker"].startswith(f"rank {task['rank']}: "))
            if task["kind"] == "collide_stream":
                ranks.setdefault(int(task["block"]), []).append((int(task["step"]), task["rank"]))
        for block in range(BLOCKS):
            self.assertEqual(sorted(step for step, _ in ranks[block]), list(range(FROM, FROM + STEPS)))
            self.assertEqual(len({rank for _, rank in ranks[block]}), 1)
        self.assertEqual(sorted(rank[0][1] for rank in ranks.values()), ["0"] * 4 + ["1"] * 4)
        for worker in analysis["workers"]:
            self.assertAlmostEqual(sum(worker[key] for key in TIMES), seconds, delta=1e-8)

        messages = tables["transfers"]
        self.assertEqual({(message["from_rank"], message["to_rank"]) for message in messages}, {("0", "1"), ("1", "0")})
        self.assertGreaterEqual(len(messages), 2 * STEPS)
        for message in messages:
            start, end, hidden = (float(message[key + "_seconds"]) for key in ("start", "end", "hidden"))
            self.assertLessEqual(start, end)
            self.assertTrue(-1e-8 <= hidden <= end - start + 1e-8)
        self.assertEqual(sum(message["carries"] == "halo" for message in messages), 2 * STEPS)
        self.check_messages(analysis, tables)
        self.check_path(analysis, tables)
        found = analysis["transfers"]
        self.assertEqual((found["messages"], found["message_bytes"]), (len(messages), sum(int(message["bytes"]) for message in messages)))
        self.assertEqual(found["count"], found["messages"])
        self.assertTrue(0 <= found["hidden"] <= 1)
        self.assertIn("between ranks", done.stdout)
        self.assertEqual(done.stdout.count("report in "), 1)
        with open(os.path.join(os.path.dirname(page), "dag.dot")) as file:
            self.assertRegex(file.read(), r't\d+ -> t\d+ \[style=dashed, label="message"\]')
        if browser.BROWSER:
            self.check_page(analysis, page)

    def check_page(self, analysis, page):
        """The step that is shown first, another one by its bar, and messages under the pointer."""
        window, path = browser.Window(self, page), analysis["critical_path"]
        shown = lambda: (int(window.value("document.getElementById('parts').dataset.step")),
                         window.value("document.querySelectorAll('#parts tr.part').length"))
        parts = lambda step: sum(part["step"] == step for part in path["parts"])
        longest = max(path["steps"], key=lambda step: sum(step[key + "_seconds"] for key in ("kernel", "message", "gap")))["step"]
        self.assertEqual(shown(), (longest, parts(longest)))
        window.value(f"document.querySelector('g.step[data-step=\"{FROM + 3}\"]').dispatchEvent(new Event('click'))")
        self.assertEqual(shown(), (FROM + 3, parts(FROM + 3)))
        window.value("document.querySelector('#gantt [data-zoom=all]').click()")
        gantt = "document.querySelector('#gantt canvas')"
        self.assertEqual(int(window.value(gantt + ".dataset.crossings")), sum("message" in part for part in path["parts"]))
        window.value(gantt + ".scrollIntoView()")
        left, top, width, height = window.value(f"(box => [box.left, box.top, box.width, box.height])({gantt}.getBoundingClientRect())")
        moment = window.value("(m => (m.start + m.end) / 2)(transfers.reduce((a, b) => b.end - b.start > a.end - a.start ? b : a))")
        # Names take 130 of its 1600 units, a row 30 of 3 * 30 + 24; messages are the last row.
        window.mouse("mouseMoved", left + width * (130 + 1470 * moment / analysis["window"]["seconds"]) / 1600, top + height * 75 / 114)
        self.assertRegex(window.value("document.getElementById('tip').textContent"), r"message \((halo|sum), step \d+\), rank \d → rank \d")
        self.assertEqual(window.complaints, [])

    def test_errors_are_told_once(self):
        words, environment = weir_case.launcher(2)
        for arguments, code in (([self.write(CASE), "--steps", "0"], 2), ([self.write(CASE), "--nonsense"], 2), (["nowhere.json"], 2)):
            done = subprocess.run([*words, weir_case.program, "trace", *arguments], env={**weir_case.environment(1), **environment},
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(sum(line.startswith("weir") and arguments[-1].lstrip("-") in line for line in done.stderr.splitlines()), 1, done.stderr)


def use_cores(stop):
    """Keeps a core busy until it is told not to."""
    while not stop.is_set():
        sum(range(100000))


class Disturbed(Recorded):
    def test_no_advice_beside_another_program(self):
        """Somebody else computes on each core: nothing is advised, and it is told why."""
        out = os.path.join(self.folder(), "out")
        stop = multiprocessing.Event()
        others = [multiprocessing.Process(target=use_cores, args=(stop,)) for _ in os.sched_getaffinity(0)]
        for other in others:
            other.start()
        try:
            said = self.call(self.write({**CASE, "output": []}), "--quiet", "--out", out, "--from", "20", "--steps", "200").stdout
        finally:
            stop.set()
            for other in others:
                other.join()
        with open(os.path.join(out, "analysis.json")) as file:
            disturbance = json.load(file)["disturbance"]
        if disturbance["others"] is None or disturbance["waited"] is None:
            self.skipTest("/proc does not tell here")
        self.assertGreater(disturbance["others"], 0.2)
        self.assertGreater(disturbance["waited"], 0.1)
        self.assertTrue(disturbance["disturbed"])
        self.assertRegex(said, r"\ASomething else used this machine meanwhile: .*measure again")


class BadCase(Recorded):
    def test_main_loss_is_named(self):
        """Blocks that bounce; or, on a machine that has so much else to do that workers mostly wait, that."""
        case = {**CASE, "domain": {"cells": [48, 48, 48]}, "blocks": {"cells": [12, 12, 12]}, "placement": {"policy": "starpu:lws"},
                "output": []}
        out = os.path.join(self.folder(), "out")
        said = self.call(self.write(case), "--quiet", "--out", out, "--from", "30", "--steps", "30").stdout.splitlines()[0]
        with open(os.path.join(out, "analysis.json")) as file:
            analysis = json.load(file)
        moved, time, main = analysis["transfers"]["moved"], analysis["time"], analysis["main_loss"]
        losses = [time[key] / time["homes"] / analysis["window"]["seconds"] for key in TIMES if key != "kernels"]
        self.assertGreater(moved, 0.2)
        self.assertEqual(main["loss"] == "bouncing", moved > max(losses))
        if analysis["disturbance"]["disturbed"]:  # as on a machine that others use too
            self.assertRegex(said, r"\ASomething else used this machine .*measure again")
        elif not main["sure"]:
            self.assertRegex(said, r"\AWhat is lost changes .*measure again")
        elif moved > max(losses):
            self.assertRegex(said, r"\ABlocks bounce: .* starpu:lws.* (balanced|static)")
        else:
            self.assertNotIn("bounce", said)
            self.assertRegex(said, r"wait|unevenly|StarPU takes")


class FreeSurface(Recorded):
    workers = 1
    OPENINGS = {"stages": "Stages beside collision and streaming are the loss: .*surface_states", "overhead": "StarPU takes ", "starved": "Workers wait ",
                "submission": "Workers wait ", "data": ".* waits .* for data", "none": "Workers compute "}

    def test_what_is_lost_on_a_dam_that_breaks(self):
        """Its stages are tasks of their own, all of their time is counted, and the sentence names the main loss; or, of a machine that has
        much else to do, why it names none."""
        out = os.path.join(self.folder(), "out")
        keys = ["output=[]", "lattice=D3Q19", "domain.cells=[64,32,32]", "force=[0,-2e-5,0]", "solids=[]", "blocks.cells=[32,16,32]"]
        said = self.call(os.path.join(command.HERE, "..", "..", "configs", "dam_break.json"), "--quiet", "--out", out, "--from", "20", "--steps", "20",
                         *(word for key in keys for word in ("--set", key))).stdout
        with open(os.path.join(out, "analysis.json")) as file:
            analysis = json.load(file)
        kinds = {kind["kind"]: kind for kind in analysis["kinds"]}
        stages = ["collide_stream", "surface_mass", "surface_states", "surface_cells", "surface_flags"]
        self.assertEqual([kinds[stage]["stage"] for stage in stages], list(range(len(stages))))
        self.assertEqual([kinds[stage]["count"] for stage in stages], [20 * 4] + [10 * 4] * 4)  # a surface changes after odd steps
        taken = sum(kinds[stage]["seconds"] for stage in stages[1:])
        self.assertAlmostEqual(analysis["kernels"]["stages_seconds"], taken, delta=1e-6)
        self.assertIn(f"stages beside collision and streaming: {100 * taken / analysis['window']['seconds']:.1f} % of the time, for the free surface", said)
        main, sentence = analysis["main_loss"], analysis["sentence"]
        self.assertEqual(said.splitlines()[0], sentence)
        if analysis["disturbance"]["disturbed"]:
            self.assertRegex(sentence, r"\ASomething else used this machine .*measure again")
        elif not main["sure"]:
            self.assertRegex(sentence, r"\AWhat is lost changes .*measure again")
        else:
            self.assertRegex(sentence, r"\A" + self.OPENINGS[main["loss"]])
        self.assertIn(f"\nmain loss {main['loss']}: in {main['agree']} of 5 sections", said)


if __name__ == "__main__":
    weir_case.main()
