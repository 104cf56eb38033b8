#!/usr/bin/env python3
"""Whatever happens to one of several ranks: all end within seconds, with one message, and files are whole.

Usage: test_rank_failures.py WEIR FAILING_STEPS FAILING_RANKS
"""
import contextlib
import json
import os
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
import test_run
import weir_case

ENDLESS = {
    "name": "endless",
    "lattice": "D2Q9",
    "collision": {"operator": "trt"},
    "domain": {"cells": [48, 48]},
    "fluid": {"tau": 0.6},
    "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0]}},
    "blocks": {"cells": [16, 48]},
    "ranks": {"timeout": 10},  # on a busy machine threads may wait for seconds
    "run": {"steps": 10**9},
    "output": [{"type": "fields", "every": 10}, {"type": "series", "every": 5}],
}
# Writes checkpoints nearly all the time; the other has, beside steps, stages for its surface and for what gas is enclosed.
SAVING = {**ENDLESS, "checkpoint": {"every": 4}, "output": [{"type": "fields", "every": 20}]}
SURFACE = {**SAVING, "boundaries": {}, "force": [0, -2e-5], "free_surface": {"liquid": "min(30 - y + 3*sin(x/5), sqrt((x - 20)^2 + (y - 12)^2) - 5)", "bubbles": True}}
PATIENT = {**ENDLESS, "ranks": {"timeout": 60}}  # where nothing is to be stuck: a busy machine may be slow
RANKS = 3
BEGINNING = 300  # seconds: the machine may be busy
ENDING = 120
AT_MOST = 10  # seconds until all have ended, once it is known that one has died

failing_steps = failing_ranks = None  # the second argument, and the third


def command_of(pid):
    """Words and variables of a process; none where it has ended."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as words, open(f"/proc/{pid}/environ", "rb") as variables:
            return words.read().decode().split("\0"), variables.read().decode(errors="replace").split("\0")
    except OSError:
        return [], []


def ranks_with(word):
    """Ranks under way that have this word on their command line, with their processes."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        words, variables = command_of(pid)
        if word in words:
            for variable in variables:
                if variable.startswith("OMPI_COMM_WORLD_RANK="):
                    found[int(variable.partition("=")[2])] = int(pid)
    return found


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class RankFailures(test_run.RunTest):
    in_memory = True

    @contextlib.contextmanager
    def launched(self, *arguments, mpirun=()):
        words, variables = weir_case.launcher(RANKS)
        # Ends with the block, and with it its ranks.
        with subprocess.Popen([*words, *mpirun, *arguments], env={**weir_case.environment(1), **variables}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                yield process
            finally:
                process.kill()

    def disturb(self, disturb, case=ENDLESS, mpirun=()):
        """Starts ranks, and calls disturb(mpirun, ranks) when they compute. Returns exit code, message, and the folder of results."""
        out = os.path.join(self.folder(), "out")
        with self.launched(weir_case.program, "run", self.write(case), "--quiet", "--out", out, mpirun=mpirun) as process:
            limit = time.monotonic() + BEGINNING
            while not os.path.exists(os.path.join(out, "fields_000000020.h5")):
                if process.poll() is not None:
                    self.fail("it ended: " + "".join(process.communicate()))
                self.assertLess(time.monotonic(), limit, "it does not begin")
                time.sleep(0.02)
            ranks = ranks_with(out)
            self.assertEqual(sorted(ranks), list(range(RANKS)))
            disturb(process, ranks)
            said, message = process.communicate(timeout=ENDING)
        self.assertEqual(said, "")
        self.check_gone(out)
        return process.returncode, weir_case.OPEN_MPI_SAYS.sub("", message), out

    def check_gone(self, word):
        limit = time.monotonic() + 5
        while ranks_with(word):
            self.assertLess(time.monotonic(), limit, "there are ranks left")
            time.sleep(0.02)

    def check_failed(self, result, message):
        """All has ended in good order, with this message; what all were writing together when it happened is left as a part."""
        code, said, out = result
        self.assertEqual(code, 1, said)
        self.assertRegex(said, rf"\Aweir: {message}[^\n]*\n\Z")
        self.check_whole_but_parts(out)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual((summary["stopped_by"], summary["digest"]), ("failure", None))
        self.assertEqual(f"weir: {summary['failure']}\n", said)

    def check_interrupted_together(self, result):
        code, said, out = result
        self.assertEqual(code, 1, said)
        self.assertRegex(said, rf"\Aweir: interrupted at step \d+; what was reached is in {re.escape(out)}\n\Z")
        self.check_intact(out)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual(summary["stopped_by"], "interrupt")
        self.assertIn(f"at step {summary['steps']};", said)
        self.assertTrue(os.path.exists(os.path.join(out, f"fields_{summary['steps']:09d}.h5")), "the last state is written")
        self.assertEqual(weir_case.read_columns(os.path.join(out, "series.csv"))["step"][-1], summary["steps"])

    def test_the_flow_diverges(self):
        """All ranks find it by themselves: none is named."""
        out = os.path.join(self.folder(), "out")
        case = {**ENDLESS, "fluid": {"tau": 0.5001}, "boundaries": {"y+": {"type": "wall", "velocity": [0.5, 0]}},
                "ranks": {"timeout": 60}, "run": {"steps": 10**9, "check_every": 10}}
        with self.launched(weir_case.program, "run", self.write(case), "--quiet", "--out", out) as process:
            _, said = process.communicate(timeout=BEGINNING + ENDING)
        self.check_gone(out)
        self.check_failed((process.returncode, weir_case.OPEN_MPI_SAYS.sub("", said), out), "the flow diverged: at step ")

    def test_a_file_cannot_be_written(self):
        def limit_files(_, ranks):
            resource.prlimit(ranks[0], resource.RLIMIT_FSIZE, (4096, 4096))
        # HDF5 does not know why MPI failed.
        self.check_failed(self.disturb(limit_files), r"(rank 0 on \S+: )?cannot .*(File too large|file write failed|MPI has written)")

    def test_a_file_cannot_be_written_by_one_rank(self):
        """The others have done their part of it."""
        code, said, out = self.disturb(lambda _, ranks: resource.prlimit(ranks[2], resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"(?m)^weir: rank 2 on \S+: cannot write '.*\.h5': ")
        self.assertEqual(said.count("weir: "), 1, said)  # MPI says something of its own
        self.check_intact(out)
        with open(os.path.join(out, "summary.json")) as file:
            self.assertEqual(json.load(file)["stopped_by"], "failure")

    def test_a_folder_that_one_rank_does_not_have(self):
        folder, case = self.folder(), self.write(ENDLESS)
        for name in ("host0", "host1"):
            os.mkdir(os.path.join(folder, name))
        script = os.path.join(folder, "script.sh")
        with open(script, "w") as file:
            file.write(f'#!/bin/sh\ncd "{folder}/host$((OMPI_COMM_WORLD_RANK / 2))"\n'
                       f'exec "{os.path.abspath(weir_case.program)}" run "{case}" --quiet --out out\n')
        os.chmod(script, 0o755)
        with self.launched(script) as process:
            _, said = process.communicate(timeout=BEGINNING + ENDING)
        self.check_failed((process.returncode, weir_case.OPEN_MPI_SAYS.sub("", said), os.path.join(folder, "host0", "out")), r"rank 2 on \S+: cannot write 'out/.*No such file or directory")
        self.assertEqual(os.listdir(os.path.join(folder, "host1")), [])

    def test_a_task_fails_on_one_rank(self):
        self.check_failing_steps("task", r"rank 2 on \S+: the task gives up")

    def test_a_call_fails_on_one_rank(self):
        self.check_failing_steps("call", r"rank 2 on \S+: the call gives up")

    def test_all_wait_for_one_rank_that_lives(self):
        self.check_failing_steps("stuck", r"all ranks wait for each other for 2 s; fewest steps \(20\) have been done by rank 2 on \S+: .*")

    def test_all_wait_for_one_rank_that_does_not_open_or_close_a_file(self):
        """Each rank has a single worker, which waits, and tasks that wait for it."""
        for way in ("open", "close"):
            with self.subTest(way):
                self.check_failing_steps(way, r"all ranks wait for each other for 2 s; fewest steps \(\d+\) have been done by .*")

    def ended(self, timeout, program, way):
        """Exit code of ranks that end by themselves, and what they wrote. Once more where mpirun itself has crashed, which Open MPI 4.1's
        has been seen to do (once) as it ended ranks of which one was stopped; of a rank that crashes it says 139."""
        for _ in range(2):
            with self.launched(program, way) as process:
                out, said = process.communicate(timeout=timeout)
            if process.returncode != -signal.SIGSEGV:
                break
        return process.returncode, out, weir_case.OPEN_MPI_SAYS.sub("", said)

    def check_failing_steps(self, way, message, attended=True):
        code, abandoned, said = self.ended(BEGINNING + ENDING, failing_steps, way)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, rf"\A{'hush' if attended else ''}\n?weir: {message}\n\Z")
        self.assertRegex(abandoned, rf"\Aabandoned: {message}\n\Z" if attended else r"\A\Z")

    def test_a_rank_falls_silent_before_the_first_step(self):
        self.check_failing_steps("silent", r"no sign of life from rank 2 on \S+ for 2 s: .*", attended=False)

    def test_the_first_exchange_fails_on_one_rank(self):
        self.check_failing_steps("exchange", r"rank 2 on \S+: starpu_mpi refused a message between ranks \(-12\)", attended=False)

    def check_failing_ranks(self, way, message):
        code, _, said = self.ended(ENDING, failing_ranks, way)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, rf"\Aweir: {message}\n\Z")

    def test_the_others_wait_elsewhere_for_a_rank_that_has_failed(self):
        for way in ("apart", "busy"):
            with self.subTest(way):
                self.check_failing_ranks(way, r"rank 2 on \S+: gone astray")

    def test_a_rank_falls_silent_at_its_end(self):
        self.check_failing_ranks("leave", r"no sign of life from rank 2 on \S+ for 2 s: .*")

    def test_a_rank_falls_silent_in_the_end_of_mpi(self):
        self.check_failing_ranks("finalize", r"the ranks have done their work, and do not come to MPI's end together within 2 s: .*rank 2 on .*")

    def test_one_rank_is_terminated(self):
        self.check_interrupted_together(self.disturb(lambda _, ranks: os.kill(ranks[2], signal.SIGTERM), PATIENT))

    def test_the_launcher_is_terminated(self):
        """It waits, terminates the ranks, waits, and kills."""
        self.check_interrupted_together(self.disturb(lambda mpirun, _: mpirun.terminate(), PATIENT,
                                                     mpirun=["--mca", "odls_base_sigkill_timeout", "12"]))

    def test_an_impatient_user(self):
        """The second signal ends the run at once."""
        def twice(_, ranks):
            os.kill(ranks[1], signal.SIGSTOP)  # so that it cannot stop in good order
            for _ in range(2):
                os.kill(ranks[0], signal.SIGTERM)
                time.sleep(0.2)
        code, _, out = self.disturb(twice, {**ENDLESS, "ranks": {"timeout": 0}})
        self.assertNotEqual(code, 0)
        self.check_whole_but_parts(out)

    def test_a_rank_falls_silent(self):
        result = self.disturb(lambda _, ranks: os.kill(ranks[1], signal.SIGSTOP))
        self.check_failed(result, r"no sign of life from rank 1 on \S+ for 10 s(, last heard of at step \d+)?: ")

    def test_the_rank_that_speaks_falls_silent(self):
        code, said, out = self.disturb(lambda _, ranks: os.kill(ranks[0], signal.SIGSTOP))
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"\Aweir: no sign of life from rank 0 on \S+ for 10 s(, last heard of at step \d+)?: [^\n]*\n\Z")
        self.check_whole_but_parts(out)

    def test_a_rank_is_killed(self):
        for victim in (2, 0):
            with self.subTest(victim):
                code, said, out = self.disturb(lambda _, ranks: os.kill(ranks[victim], signal.SIGKILL), {**ENDLESS, "ranks": {"timeout": 0}})
                self.assertNotEqual(code, 0)  # it is mpirun's
                self.assertRegex(said, rf"(?m)^weir: the process of rank {victim} on \S+ has died")
                self.assertEqual(said.count("weir: "), 1, said)  # MPI may add what it could not read of that process
                self.check_whole_but_parts(out)

    def check_ended_while_saving(self, kind, case, most):
        """A rank is sent a signal while a checkpoint is being written. What all said; they have ended within so many seconds."""
        times = []

        def disturb(mpirun, ranks):
            out = mpirun.args[mpirun.args.index("--out") + 1]
            limit = time.monotonic() + BEGINNING
            while not any(name.startswith("checkpoint_") and name.endswith(".part") for name in os.listdir(out)):
                self.assertLess(time.monotonic(), limit, "no checkpoint is written")
            os.kill(ranks[2], kind)
            times.append(time.monotonic())
        code, said, out = self.disturb(disturb, case)
        self.assertLess(time.monotonic() - times[0], most)
        self.assertNotEqual(code, 0)
        self.assertEqual(said.count("weir: "), 1, said)
        whole = [os.path.join(out, name) for name in os.listdir(out) if re.fullmatch(r"checkpoint_\d+\.h5", name)]
        self.assertTrue(whole)
        for path in whole:
            info = subprocess.run([weir_case.program, "info", path], env=weir_case.environment(1), capture_output=True, text=True, timeout=100)
            self.assertIn(", whole", info.stdout, info.stderr)
            os.remove(path)
        self.check_whole_but_parts(out)
        return said

    def test_a_rank_is_killed_while_a_checkpoint_is_written(self):
        for name, case in (("steps", SAVING), ("surface", SURFACE)):
            with self.subTest(name):
                said = self.check_ended_while_saving(signal.SIGKILL, {**case, "ranks": {"timeout": 0}}, AT_MOST)
                self.assertRegex(said, r"(?m)^weir: the process of rank 2 on \S+ has died")

    def test_a_rank_falls_silent_while_a_checkpoint_is_written(self):
        for name, case in (("steps", SAVING), ("surface", SURFACE)):
            with self.subTest(name):
                said = self.check_ended_while_saving(signal.SIGSTOP, case, ENDLESS["ranks"]["timeout"] + AT_MOST)
                self.assertRegex(said, r"(?m)^weir: no sign of life from rank 2 on \S+ for 10 s")

    def check_whole_but_parts(self, out):
        """What was being written is left under its own name, and the next run removes it."""
        for name in os.listdir(out):
            if name.endswith(".part"):
                os.remove(os.path.join(out, name))
        self.check_intact(out, cut_off=True)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        failing_steps, failing_ranks = sys.argv[2:4]
        del sys.argv[2:4]
    weir_case.main()
