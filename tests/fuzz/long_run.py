#!/usr/bin/env python3
"""A long run of all targets of fuzzing, one after the other in rounds, one process at a time: what each has done is the table that is printed at the end.

Usage: tests/fuzz/long_run.py BUILD_FOLDER FOUND_FOLDER SECONDS

A round takes some ten minutes, and targets with more code behind them have more of it. An input that shows a defect ends a run of libFuzzer: it lies in FOUND_FOLDER/TARGET-crash-... (or
-timeout-, -oom-, -leak-), and the target goes on for what is left of its time. New inputs are kept in FOUND_FOLDER/TARGET, so that the next round, or another run,
begins with them. An interrupt or SIGTERM ends it early, with the table of what has been done.
"""
import glob
import os
import re
import signal
import subprocess
import sys
import time

ROUND = {"case": 90, "checkpoint": 60, "expression": 30, "machine": 45, "map": 45, "mesh": 60, "record": 60, "table": 30, "trace": 90, "volume": 90}  # seconds
CORPORA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
LEAST = 5  # seconds: a run shorter than this hardly reads its corpus


class Ended(Exception):
    pass


def end(number, frame):
    raise Ended


class Target:
    def __init__(self, name):
        self.name, self.executions, self.seconds, self.processor, self.coverage, self.findings = name, 0, 0.0, 0.0, 0, 0

    def run(self, build, found, seconds):
        """One process of libFuzzer; what it did is added up, also where it found something or was ended."""
        own = os.path.join(found, self.name)
        os.makedirs(own, exist_ok=True)
        program = os.path.join(build, "tests", "fuzz", f"fuzz_{self.name}")
        command = [program, f"-max_total_time={int(seconds)}", "-timeout=60", "-rss_limit_mb=3000", "-malloc_limit_mb=3000", "-print_final_stats=1",
                   f"-artifact_prefix={own}-", *(["-detect_leaks=0"] if self.name == "mesh" else []), own, os.path.join(CORPORA, self.name)]
        log = os.path.join(found, f"{self.name}.log")
        began, used = time.monotonic(), os.times().children_user + os.times().children_system
        with open(log, "wb") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file)
            try:
                process.wait()
            except Ended:
                process.send_signal(signal.SIGINT)
                process.wait()
                raise
            finally:
                self.seconds += time.monotonic() - began
                self.processor += os.times().children_user + os.times().children_system - used
                self.add(log)
        if process.returncode != 0:
            self.findings += 1
            os.rename(log, os.path.join(found, f"{self.name}-{self.findings}.log"))

    def add(self, log):
        with open(log, errors="replace") as file:
            text = file.read()
        units = re.findall(r"stat::number_of_executed_units: *(\d+)", text) or re.findall(r"^#(\d+)\t", text, re.M)
        self.executions += int(units[-1]) if units else 0
        self.coverage = max([self.coverage, *map(int, re.findall(r" cov: (\d+) ", text))])


def main():
    build, found, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    targets = [Target(name) for name in ROUND]
    rounds = max(1, round(seconds / sum(ROUND.values())))
    share = seconds / rounds / sum(ROUND.values())
    try:
        for _ in range(rounds):
            for target in targets:
                until = time.monotonic() + ROUND[target.name] * share
                while (left := until - time.monotonic()) > LEAST:
                    target.run(build, found, left)
    except Ended:
        pass
    print("| target | executions | wall time, s | processor time, s | coverage | runs that ended with a finding |\n|---|---|---|---|---|---|")
    for target in targets:
        print(f"| `{target.name}` | {target.executions:,} | {target.seconds:.0f} | {target.processor:.0f} | {target.coverage} | {target.findings} |")
    print(f"| all | {sum(t.executions for t in targets):,} | {sum(t.seconds for t in targets):.0f} | {sum(t.processor for t in targets):.0f} | | "
          f"{sum(t.findings for t in targets)} |")
    print(f"Inputs: {len(glob.glob(os.path.join(glob.escape(found), '*-crash-*')))} crashes, {len(glob.glob(os.path.join(glob.escape(found), '*-timeout-*')))} timeouts, "
          f"{len(glob.glob(os.path.join(glob.escape(found), '*-oom-*')))} without memory, {len(glob.glob(os.path.join(glob.escape(found), '*-leak-*')))} leaks")
    return 1 if any(target.findings for target in targets) else 0


if __name__ == "__main__":
    sys.exit(main())
