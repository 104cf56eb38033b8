#!/usr/bin/env python3
"""The program as one of several ranks: one message whatever goes wrong, cores that nobody else has, and what weir info says of it.

Usage: test_ranks.py WEIR FAILING_RANKS
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

CAVITY = {
    "name": "cavity",
    "lattice": "D2Q9",
    "domain": {"cells": [32, 32]},
    "fluid": {"tau": 0.6},
    "blocks": {"cells": [16, 16]},
    "run": {"steps": 4},
}
CORES = 2  # that ranks may use in these tests, at most
TIMEOUT = 400
BEGINNING = 300  # seconds: the machine may be busy

failing_ranks = None  # the second argument

# Sets of variables: what the tests' environment says of cores is for other tests.
BOUND = {"STARPU_WORKERS_NOBIND": None}
SHARED = {"STARPU_WORKERS_NOBIND": "1", "STARPU_WORKERS_GETBIND": "0", "STARPU_NCPU": "1"}


def allowed():
    return sorted(os.sched_getaffinity(0))[:CORES]


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class RanksTest(weir_case.CaseTest):
    in_memory = True

    def launch(self, count, *arguments, code=0, variables=SHARED, program=None):
        """Starts ranks on this machine alone, however few cores it has."""
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_btl": "self,vader", **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        command = ["mpirun", "-q", "-np", str(count), "--oversubscribe", "--bind-to", "none", program or weir_case.program, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT,
                              preexec_fn=lambda: os.sched_setaffinity(0, allowed()))
        self.assertEqual(done.returncode, code, f"{command}\n{done.stdout}{done.stderr}")
        return done

    def refuse(self, count, *arguments, code=2, **options):
        """What goes wrong is told once, and nothing else is. Returns the message."""
        done = self.launch(count, *arguments, code=code, **options)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aweir: [^\n]+\n\Z")
        return done.stderr

    def script(self, text):
        """A program that does something else on each rank."""
        folder = tempfile.TemporaryDirectory(prefix="weir-test-")  # memory may hold no programs
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "script.sh")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def map(self, said):
        """The lines of weir info about ranks: sets of cores, in the order of ranks."""
        lines = re.findall(r"(?m)^ +(\d+)  (\S+) +([\d,-]+)  .*(\d+ CPU core)", said)
        self.assertEqual([line[0] for line in lines], [str(rank) for rank in range(len(lines))], said)
        cores = []
        for line in lines:
            cores.append(set())
            for part in line[2].split(","):
                first, _, last = part.partition("-")
                cores[-1] |= set(range(int(first), int(last or first) + 1))
        return cores

    def test_a_wrong_case_is_told_once(self):
        case = self.write({**CAVITY, "latice": "D2Q9"})
        message = self.refuse(3, "run", case)
        self.assertIn("lattice", message)
        self.assertNotIn("rank", message)
        self.assertIn("No such file", self.refuse(2, "run", case + ".not_there"))

    def test_a_wrong_command_line_is_told_once(self):
        case = self.write(CAVITY)
        done = self.launch(2, "run", case, "--no-such-option", code=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("unrecognized"), 1, done.stderr)
        self.assertIn("no command", self.refuse(2, "jog"))
        self.assertEqual(self.launch(2, "--help").stdout.count("Usage:"), 1)

    def test_commands_for_one_process(self):
        case = self.write(CAVITY)
        for arguments in (["bench", "kernels"], ["compare", case], ["calibrate", case], ["predict", case]):
            with self.subTest(arguments):
                self.assertIn(f"{arguments[0]} works in one process, and 2", self.refuse(2, *arguments))

    def test_what_is_wrong_on_one_rank_names_it(self):
        case = self.write(CAVITY)
        script = self.script(f'exec "{weir_case.program}" run "{case}$OMPI_COMM_WORLD_RANK"')
        for rank in range(2):
            shutil.copy(case, f"{case}{rank}")
        self.assertRegex(self.refuse(3, program=script), r"^weir: rank 2 on \S+: .*No such file")

    def test_a_rank_that_fails_early_ends_the_others(self):
        message = self.refuse(3, "early", code=77, program=failing_ranks)
        self.assertRegex(message, r"^weir: rank 2 on \S+: early$")

    def test_what_is_to_be_the_same_is_compared(self):
        self.assertRegex(self.refuse(3, "same", program=failing_ranks), r"the size: rank 2 on \S+ has another \(1\) than rank 0 on \S+ \(12\)")

    def test_a_launcher_of_another_mpi(self):
        done = subprocess.run([weir_case.program, "info"], env={**os.environ, **SHARED, "PMI_SIZE": "2"}, capture_output=True, text=True,
                              timeout=TIMEOUT)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Aweir: a launcher started 2 processes, and MPI finds this one alone; [^\n]+\n\Z")

    def test_ranks_with_different_cases(self):
        case = self.write(CAVITY)
        script = self.script(f'exec "{weir_case.program}" run "{case}" --steps $((4 + OMPI_COMM_WORLD_RANK / 2))')
        message = self.refuse(3, program=script)
        self.assertIn("case.json", message)
        self.assertRegex(message, r"rank 2 on \S+ has another than rank 0 on \S+;")

    def test_ranks_with_different_commands(self):
        case = self.write(CAVITY)
        script = self.script(f'[ $OMPI_COMM_WORLD_RANK = 0 ] && exec "{weir_case.program}" run "{case}"; exec "{weir_case.program}" check "{case}"')
        self.assertRegex(self.refuse(2, program=script), r"the command: rank 1 on \S+ has another \(check\) than rank 0 on \S+ \(run\)")

    def test_the_grid_of_ranks_is_that_of_the_launcher(self):
        case = self.write(CAVITY)
        self.assertRegex(self.refuse(2, "run", case, "--set", "ranks.grid=[3,1]"), r"ranks\.grid: 3 x 1 x 1 ranks, and 2 were started")

    def mapped(self, *regions):
        """The cavity with a map in a file of its own: regions from the first cell to the last along y, and whose they are."""
        path = self.write({**CAVITY, "blocks": {"cells": [16, 4]}, "ranks": {"map": "map.json"}})
        with open(os.path.join(os.path.dirname(path), "map.json"), "w") as file:
            json.dump({"regions": [{"from": [0, low], "to": [32, high], **owner} for low, high, owner in regions]}, file)
        return path

    def updates(self, run):
        """Of each of two ranks."""
        return [sum(worker["updates"] for worker in run.summary["workers"] if worker["rank"] == rank) for rank in range(2)]

    def test_blocks_are_where_the_map_says(self):
        """By rank, and by host, whose ranks share what is not for one of them; results do not change."""
        host = os.uname().nodename
        alone = self.compute(CAVITY)
        for regions, cells in (([(0, 8, {"rank": 1}), (8, 32, {"rank": 0})], [768, 256]),
                               ([(0, 20, {"host": host.split(".")[0]}), (20, 28, {"rank": 0}), (28, 32, {"host": host})], [640, 384])):
            run = self.compute(self.mapped(*regions), "--set", "placement.policy=static", ranks=2)
            self.assertEqual(self.updates(run), [CAVITY["run"]["steps"] * count for count in cells])
            self.assertEqual(run.summary["digest"], alone.summary["digest"])
            with open(os.path.join(run.folder, "case.json")) as file:
                self.assertEqual([region["from"][1] for region in json.load(file)["ranks"]["map"]["regions"]], [low for low, _, _ in regions])

    def test_ranks_divide_as_one_process_would(self):
        """All look at solids together, and come to the decomposition that one finds alone."""
        case = self.write({**CAVITY, "domain": {"cells": [64, 64]}, "blocks": {"cells": [8, 8]}, "solids": [{"box": {"from": [40, 0], "to": [64, 24]}}, {"formula": "x < 24 && (x - 4*rint(x/4))^2 + (y - 4*rint(y/4))^2 < 1"}]})
        said = subprocess.run([weir_case.program, "check", case, "--ranks", "3"], capture_output=True, text=True, timeout=TIMEOUT)
        blocks = [int(row) for row in re.findall(r"(?m)^ +\d+ +(\d+) +\d+ +\d+ +[\d.]+$", said.stdout)]
        self.assertEqual((len(blocks), sum(blocks)), (3, 64 - 9), said.stdout + said.stderr)
        self.assertGreater(max(blocks), 19)  # cells beside solids, of which the others have many, weigh more
        run = self.compute(case, "--set", "placement.policy=static", ranks=3)
        self.assertEqual(run.summary["rank_blocks"], blocks)

    def test_room_in_memory(self):
        """Ranks share what their host has; weir check of as many says what a run would."""
        case = self.write({**CAVITY, "lattice": "D3Q19", "domain": {"cells": [16384, 16384, 1024]}, "boundaries": {}, "output": [], "blocks": {"cells": [512, 512, 512]}})
        for command in ("check", "run"):
            self.assertRegex(self.launch(2, command, case, code=2).stderr, r"domain\.cells: the domain needs \d+ GiB on this rank, and .* for each of its ranks")

    def test_who_is_not_there(self):
        host = os.uname().nodename
        for regions, words in (([(0, 16, {"rank": 0}), (16, 32, {"rank": 2})], r"map\.json: regions\[1\]\.rank: 2, and there are 2 ranks"),
                               ([(0, 32, {"host": "nowhere"})], rf'map\.json: regions\[0\]\.host: no rank is on "nowhere"; .*{host}'),
                               ([(0, 32, {"host": host, "gpu": 63})], rf"map\.json: regions\[0\]\.gpu: no rank on {host} has GPU 63"),
                               ([(0, 32, {"rank": 1})], r"map\.json: regions: none is for rank 0"),
                               ([(0, 16, {"rank": 0}), (16, 32, {"rank": 1, "part": "team7"})], r'rank 1 on .*map\.json: regions\[1\]\.part: "team7" takes no steps')):
            with self.subTest(words):
                self.assertRegex(self.refuse(2, "run", self.mapped(*regions), "--quiet", "--out", os.path.join(self.folder(), "out")), words)

    def uneven(self, *workers):
        """A program that has so many workers on each rank, however few cores there are: where nothing is measured, these count."""
        counts = " ".join(map(str, workers))
        return self.script(f'set -- {counts} -- "$@"; while [ $OMPI_COMM_WORLD_RANK -gt 0 ]; do shift; OMPI_COMM_WORLD_RANK=$((OMPI_COMM_WORLD_RANK - 1)); done; '
                           f'export STARPU_NCPU=$1; while [ "$1" != -- ]; do shift; done; shift; exec "{weir_case.program}" "$@"')

    def without_blocks(self, ranks, words, *options, program=None):
        """A run in which some ranks have no blocks: told once, and the result is that of one process."""
        out = os.path.join(self.folder(), "out")
        done = self.launch(ranks, "run", self.write(CAVITY), "--out", out, *options, program=program)
        self.assertEqual(done.stderr.count("warning"), 1, done.stderr)
        self.assertRegex(done.stderr, words)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual(summary["digest"], self.compute(CAVITY).summary["digest"])
        self.assertEqual(summary["steps"], CAVITY["run"]["steps"])
        self.assertEqual([f"weir: warning: {warning}" for warning in summary["warnings"]], [line for line in done.stderr.splitlines() if "warning" in line])
        return summary

    def test_more_ranks_than_blocks(self):
        summary = self.without_blocks(6, "warning: ranks 2 and 5 of 6 get none of the 4 blocks, because there are more ranks than blocks")
        self.assertEqual(summary["rank_blocks"], [1, 1, 0, 1, 1, 0])
        said = subprocess.run([weir_case.program, "check", self.write(CAVITY), "--ranks", "6"], capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("warning: ranks 2 and 5 of 6 get none of the 4 blocks", said.stdout)

    def test_a_rank_too_slow_for_a_block(self):
        for workers, idle in (((13, 1), 1), ((1, 13), 0)):
            summary = self.without_blocks(2, f"warning: rank {idle} of 2 gets none of the 4 blocks, because it is too slow", program=self.uneven(*workers))
            self.assertEqual(summary["rank_blocks"], [0, 4] if idle == 0 else [4, 0])

    def test_a_rank_without_blocks_stops_with_the_others(self):
        """Nothing of a step holds it back; it stays beside the others all the same, and an interrupt stops all soon."""
        case = {**CAVITY, "run": {"steps": 4800000, "check_every": 480000}}
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader", **SHARED,
                       "OMPI_MCA_odls_base_sigkill_timeout": "8"}  # the launcher waits as long, twice, whatever ranks do, and then kills; a second is short beside other tests
        for idle, grid in ((1, [32, 32]), (0, None)):
            out = os.path.join(self.folder(), "out")
            program = self.uneven(1, 13) if idle == 0 else weir_case.program
            cells = ["--set", f"blocks.cells={grid}"] if grid else []
            run = subprocess.Popen(["mpirun", "-q", "-np", "2", "--oversubscribe", "--bind-to", "none", program, "run", self.write(case), "--force",
                                    "--out", out, "--set", "placement.policy=static", *cells], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(run.stderr.close)
            for line in run.stderr:
                if "warning" in line:
                    break
            self.assertIn(f"rank {idle} of 2", line)
            limit = time.monotonic() + BEGINNING
            while not os.path.exists(os.path.join(out, "case.json")):
                self.assertLess(time.monotonic(), limit, "it does not begin")
                time.sleep(0.02)
            time.sleep(1)
            start = time.monotonic()
            run.send_signal(signal.SIGINT)
            said = run.communicate(timeout=TIMEOUT)[1]
            self.assertEqual(run.returncode, 1, said)
            self.assertLess(time.monotonic() - start, 60)
            with open(os.path.join(out, "summary.json")) as file:
                summary = json.load(file)
            self.assertEqual(summary["stopped_by"], "interrupt")
            self.assertIn(f"interrupted at step {summary['steps']};", said)
            self.assertLess(summary["steps"], case["run"]["steps"])

    def test_ranks_with_different_maps(self):
        case = self.mapped((0, 16, {"rank": 0}), (16, 32, {"rank": 1}))
        other = self.mapped((0, 12, {"rank": 0}), (12, 32, {"rank": 1}))
        script = self.script(f'[ $OMPI_COMM_WORLD_RANK = 0 ] && cd "{os.path.dirname(case)}" || cd "{os.path.dirname(other)}"; exec "{weir_case.program}" run case.json')
        self.assertRegex(self.refuse(2, program=script), r"case\.json and its map map\.json .*rank 1 on \S+ has another than rank 0")

    def test_check_divides_among_the_ranks_that_are_there(self):
        done = self.launch(3, "check", self.write(CAVITY))
        self.assertIn("ranks         3, all equally fast", done.stdout)
        self.assertEqual(done.stdout.count("domain"), 1)

    @unittest.skipIf(len(allowed()) < 2, "there is one core")
    def test_ranks_have_cores_of_their_own(self):
        done = self.launch(2, "info", variables=BOUND)
        cores = self.map(done.stdout)
        self.assertEqual([len(one) for one in cores], [1, 1])
        self.assertFalse(cores[0] & cores[1])

    @unittest.skipIf(len(allowed()) < 2, "there is one core")
    def test_cores_that_the_launcher_divided_stay_so(self):
        first, last = allowed()
        script = self.script(f'[ $OMPI_COMM_WORLD_RANK = 0 ] && core={last} || core={first}; exec taskset -c $core "{weir_case.program}" info')
        cores = self.map(self.launch(2, program=script, variables=BOUND).stdout)
        self.assertEqual([len(one) for one in cores], [1, 1])
        self.assertGreater(min(cores[0]), max(cores[1]))

    def test_more_ranks_than_cores(self):
        count = len(allowed()) + 1
        self.assertRegex(self.refuse(count, "info", variables=BOUND), rf"{count} ranks on \S+ have {count - 1} core")
        cores = self.map(self.launch(count, "info").stdout)
        self.assertEqual(len(cores), count)

    def test_without_a_launcher_there_is_no_mpi(self):
        """An MPI that cannot start is not noticed."""
        environment = {**os.environ, "OMPI_MCA_pml": "no_such_component"}
        done = subprocess.run([weir_case.program, "run", self.write(CAVITY), "--out", os.path.join(self.folder(), "out")],
                              env={**environment, **SHARED}, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.launch(2, "info", code=1, variables={**SHARED, "OMPI_MCA_pml": "no_such_component"})


if __name__ == "__main__":
    failing_ranks = os.path.abspath(sys.argv.pop(2))
    weir_case.main()
