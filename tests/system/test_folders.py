#!/usr/bin/env python3
"""What belongs to the user stays: folders with other things in them, files that links lead to, standard streams that are closed.

Usage: test_folders.py WEIR
"""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import command
import weir_case

CASE = {
    "name": "tiny",
    "lattice": "D2Q9",
    "domain": {"cells": [16, 16]},
    "fluid": {"tau": 0.6},
    "boundaries": {"y+": {"type": "wall", "velocity": [0.1, 0]}},
    "blocks": {"cells": [16, 16]},
    "run": {"steps": 20},
    "output": [
        {"type": "fields", "every": 10},
        {"type": "image", "every": 10},
        {"type": "profile", "every": 10, "from": [8, 0], "to": [8, 16]},
        {"type": "series", "every": 5},
    ],
}
ENDLESS = {**CASE, "run": {"steps": 10**9}, "output": [{"type": "fields", "every": 1000}, {"type": "series", "every": 1000}]}
MINE = ["my.csv", "my.png", "my.h5", "my.xmf", "my.part", "summary.json", "fields_000000010.h5"]


def snapshot(folder):
    """Paths in a folder and below, with their bytes."""
    found = {}
    for above, folders, names in os.walk(folder):
        found.update((os.path.join(above, name), None) for name in folders)
        for name in names:
            path = os.path.join(above, name)
            with open(path, "rb") as file:
                found[path] = file.read()
    return found


def fill(folder, names=MINE):
    os.makedirs(folder, exist_ok=True)
    for name in names:
        with open(os.path.join(folder, name), "w") as file:
            file.write("mine")


class FolderTest(command.CommandTest):
    words = ["run"]
    workers = 1
    timeout = 120

    def listed(self, out):
        with open(os.path.join(out, ".weir-files")) as file:
            return [line for line in file.read().splitlines() if not line.startswith("#")]

    def run_until(self, out, *arguments, case=ENDLESS, **streams):
        """A run that is under way: its first fields are there."""
        @contextlib.contextmanager
        def running():
            with self.started(self.write(case), "--out", out, "--quiet", *arguments, **streams) as process:
                end = time.monotonic() + 100
                while not os.path.exists(os.path.join(out, "fields_000001000.h5")):
                    self.assertLess(time.monotonic(), end)
                    self.assertIsNone(process.poll())
                    time.sleep(0.02)
                yield process
        return running()


class OtherThings(FolderTest):
    def test_folders_of_the_user(self):
        """No command begins anything in them, --force or not."""
        case, out = self.write(CASE), self.folder()
        fill(out)
        before = snapshot(out)
        commands = [["run"], ["compare"], ["scale", "--strong", "--ranks", "1", "--launcher", "/bin/true {ranks}"]]
        if weir_case.can_record():
            commands.append(["trace"])
        for words in commands:
            for force in [], ["--force"]:
                with self.subTest(words + force):
                    done = self.call(case, "--out", out, *force, words=words, code=2)
                    self.assertRegex(done.stderr, rf'\Aweir: "{out}" is not empty \("[^"]+"\).*nothing there is touched.*--out\n\Z')
                    self.assertEqual(snapshot(out), before)

    def test_this_folder(self):
        folder = os.path.dirname(self.write(CASE))
        before = snapshot(folder)
        self.assertIn("is not empty", self.call("case.json", "--out", ".", "--force", code=2, cwd=folder).stderr)
        self.assertEqual(snapshot(folder), before)

    def test_an_empty_folder_is_taken(self):
        out = self.folder()
        self.call(self.write(CASE), "--out", out, "--quiet")
        self.assertEqual(sorted(self.listed(out)), weir_case.results_in(out))

    def test_force_removes_what_is_listed(self):
        out = os.path.join(self.folder(), "out")
        case = self.write(CASE)
        self.call(case, "--out", out, "--quiet")
        mine = [name for name in MINE if name not in weir_case.results_in(out)]
        fill(out, mine)
        self.call(case, "--out", out, "--quiet", code=2)
        self.call(case, "--out", out, "--quiet", "--force", "--steps", "10")
        self.assertEqual(weir_case.results_in(out), sorted(self.listed(out) + mine))
        self.assertNotIn("fields_000000020.h5", weir_case.results_in(out))

        fill(out, ["fields_000000555.h5"])
        before = snapshot(out)
        self.assertIn('fields_000000555.h5" is not Weir\'s', self.call(case, "--out", out, "--force", code=2).stderr)
        self.assertEqual(snapshot(out), before)

    def test_what_a_killed_run_left_is_known(self):
        out = os.path.join(self.folder(), "out")
        with self.run_until(out) as process:
            process.send_signal(signal.SIGKILL)
            process.wait()
        names = [re.sub(r"\.weir\.part$", "", name) for name in weir_case.results_in(out)]
        self.assertLessEqual(set(names), set(self.listed(out)))
        self.call(self.write(CASE), "--out", out, "--quiet", "--force")
        self.assertEqual(sorted(self.listed(out)), weir_case.results_in(out))

    def test_options_that_name_results(self):
        out = os.path.join(self.folder(), "out")
        case = self.write(CASE)
        self.call(case, "--out", out, "--quiet", "--force")
        before = snapshot(out)
        for option, name in (("--summary", "series.csv"), ("--record", "fields_000000010.h5"), ("--record", "case.json")):
            said = self.call(case, "--out", out, "--quiet", "--force", option, os.path.join(out, name), code=2).stderr
            self.assertIn(f"{option}: ", said)
            self.assertEqual(snapshot(out), before)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks(self):
        """Rank 0 keeps the list of all."""
        run = self.compute({**CASE, "blocks": {"cells": [8, 8]}}, ranks=2)
        self.assertEqual(sorted(self.listed(run.folder)), weir_case.results_in(run.folder))


class Traces(FolderTest):
    words = ["trace"]

    def setUp(self):
        if not weir_case.can_record():
            self.skipTest("this StarPU has no FxT")

    def test_a_run_of_the_user(self):
        """In DIR/run of a folder that is not a trace's."""
        out = self.folder()
        self.call(self.write(CASE), "--quiet", "--out", os.path.join(out, "run"), words=["run"])
        before = snapshot(out)
        for force in [], ["--force"]:
            self.assertIn("nothing there is touched", self.call(self.write(CASE), "--out", out, *force, code=2).stderr)
            self.assertEqual(snapshot(out), before)

    def test_folders_below(self):
        """What is in DIR/run and DIR/starpu is the user's too, in a folder of an earlier trace as well."""
        out = os.path.join(self.folder(), "out")
        arguments = [self.write(CASE), "--quiet", "--from", "4", "--steps", "4", "--out", out]
        self.call(*arguments)
        self.assertEqual(sorted(name.strip("/") for name in self.listed(out) if name != "perfetto.json"), weir_case.results_in(out))
        for below in "run", "starpu":
            with self.subTest(below):
                path = os.path.join(out, below)
                self.assertLessEqual(set(weir_case.results_in(path)), set(self.listed(path)))
                fill(path, ["my.csv"])
                before = snapshot(out)
                self.assertIn(f'{below}/my.csv" is not Weir\'s', self.call(*arguments, "--force", code=2).stderr)
                self.assertEqual(snapshot(out), before)
                os.remove(os.path.join(path, "my.csv"))
        self.assertIn("--force", self.call(*arguments, code=2).stderr)

        # In place of the folder a link to one of another run's.
        other = os.path.join(self.folder(), "other")
        self.call(self.write(CASE), "--quiet", "--out", other, words=["run"])
        shutil.move(os.path.join(out, "run"), os.path.join(out, "moved"))
        os.symlink(other, os.path.join(out, "run"))
        before = snapshot(other)
        self.assertIn("no folder of Weir's", self.call(*arguments, "--force", code=2).stderr)
        self.assertEqual(snapshot(other), before)
        os.remove(os.path.join(out, "run"))

        self.call(*arguments, "--force")
        self.assertIn("moved", weir_case.results_in(out))
        self.assertIn("report.html", weir_case.results_in(out))


class OneAtATime(FolderTest):
    def test_the_second_is_told_who_was_first(self):
        out = os.path.join(self.folder(), "out")
        with self.run_until(out) as process:
            for force in [], ["--force"]:
                said = self.call(self.write(CASE), "--out", out, *force, code=2).stderr
                self.assertRegex(said, rf'\Aweir: "{out}" is being written to by process {process.pid} on \S+ since 20\S+Z; .*--out\n\Z')
            process.send_signal(signal.SIGINT)
            process.communicate()
        self.assertEqual(sorted(self.listed(out)), weir_case.results_in(out))
        with open(os.path.join(out, "summary.json")) as file:
            self.assertEqual(json.load(file)["stopped_by"], "interrupt")


class Streams(FolderTest):
    def check_complete(self, out):
        with open(os.path.join(out, "summary.json")) as file:
            self.assertEqual(json.load(file)["stopped_by"], "steps")
        with open(os.path.join(out, "series.csv")) as file:
            self.assertEqual({line.count(",") for line in file}, {7})

    def test_closed(self):
        """What is meant for them goes into no file that is opened in their place."""
        for closed in [2], [1, 2], [0, 1, 2]:
            with self.subTest(closed):
                out = os.path.join(self.folder(), "out")
                shell = " ".join(f"{number}>&-" for number in closed)
                done = subprocess.run(["sh", "-c", f'exec "$@" {shell}', "sh", weir_case.program, "run", self.write(CASE), "--out", out],
                                      env=self.environment(), timeout=self.timeout, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 0)
                self.check_complete(out)

    def test_reader_leaves(self):
        """A run goes on when nobody listens any more."""
        out = os.path.join(self.folder(), "out")
        with self.started(self.write({**CASE, "run": {"steps": 3000}, "output": CASE["output"][3:]}), "--out", out, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(self.timeout), 0)
        self.check_complete(out)

    def test_summary_on_standard_output(self):
        case, path = self.write(CASE), os.path.join(self.folder(), "said")
        for name, redirected in (("/dev/stdout", False), ("/dev/stdout", True), ("/dev/fd/1", True), ("/proc/self/fd/1", False)):
            with self.subTest((name, redirected)), open(path, "w+") as file:
                link = os.readlink("/dev/stdout")
                file.write("before\n")
                file.flush()
                done = subprocess.run([weir_case.program, "run", case, "--quiet", "--out", os.path.join(self.folder(), "out"), "--summary", name],
                                      env=self.environment(), timeout=self.timeout, stdout=file if redirected else subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 0)
                file.seek(0)
                text = file.read()
                self.assertTrue(text.startswith("before\n"))
                self.assertEqual(json.loads(text[7:] if redirected else done.stdout)["name"], "tiny")
                self.assertEqual(os.readlink("/dev/stdout"), link)

    def test_links(self):
        """A name that is a link is replaced, what it leads to is not written to; and nothing is written through PATH.weir.part."""
        folder = self.folder()
        fill(folder, ["victim"])
        path, victim = os.path.join(folder, "summary.json"), os.path.join(folder, "victim")
        os.symlink(victim, path)
        arguments = [self.write(CASE), "--quiet", "--summary", path, "--out"]
        self.call(*arguments, os.path.join(self.folder(), "out"))
        with open(victim) as file:
            self.assertEqual(file.read(), "mine")
        with open(path) as file:
            self.assertEqual(json.load(file)["name"], "tiny")
        self.assertFalse(os.path.islink(path))

        os.symlink(victim, path + ".weir.part")
        said = self.call(*arguments, os.path.join(self.folder(), "out"), code=1).stderr
        self.assertIn(path + ".weir.part", said)
        with open(victim) as file:
            self.assertEqual(file.read(), "mine")


if __name__ == "__main__":
    weir_case.main()
