#!/usr/bin/env python3
"""A long run of all targets of fuzzing, one after the other in rounds: what each has done is the table that is printed at the end.

Usage: tests/fuzz/long_run.py [--jobs N] BUILD_FOLDER FOUND_FOLDER SECONDS

A round takes some ten minutes of one process, and targets with more code behind them have more of it. With N processes at once (1) it is cut into N pieces that take as
long, so that a target may be in several; libFuzzer gives each process a seed of its own. An input that shows a defect ends a process: it lies in
FOUND_FOLDER/TARGET-crash-... (or -timeout-, -oom-, -leak-), and the target goes on for what is left of its time. New inputs are kept in FOUND_FOLDER/TARGET, so that
processes beside it, the next round, or another run, have them. An interrupt or SIGTERM ends it early, with the table of what has been done.
"""
import argparse
import glob
import os
import re
import signal
import subprocess
import sys
import threading
import time

ROUND = {"case": 90, "checkpoint": 60, "expression": 30, "machine": 45, "map": 45, "mesh": 60, "record": 60, "table": 30, "trace": 90, "volume": 90}  # seconds
CORPORA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
LEAST = 5  # seconds: a run shorter than this hardly reads its corpus


class Target:
    def __init__(self, name):
        self.name, self.executions, self.seconds, self.processor, self.coverage, self.findings = name, 0, 0.0, 0.0, 0, 0

    def add(self, text, seconds, processor, failed):
        units = re.findall(r"stat::number_of_executed_units: *(\d+)", text) or re.findall(r"^#(\d+)\t", text, re.M)
        self.executions += int(units[-1]) if units else 0
        self.coverage = max([self.coverage, *map(int, re.findall(r" cov: (\d+) ", text))])
        self.seconds += seconds
        self.processor += processor
        self.findings += failed


class Processes:
    """Those of libFuzzer that run at a time."""

    def __init__(self, build, found):
        self.build, self.found = build, found
        self.lock, self.running, self.begun, self.ended = threading.Lock(), set(), 0, False

    def start(self, name, seconds):
        """A process and its log; none where all are to end."""
        own = os.path.join(self.found, name)
        os.makedirs(own, exist_ok=True)
        with self.lock:
            if self.ended:
                return None, None
            self.begun += 1
            log = os.path.join(self.found, f"{name}-{self.begun}.log")
            program = os.path.join(self.build, "tests", "fuzz", f"fuzz_{name}")
            command = [program, f"-max_total_time={int(seconds)}", "-timeout=60", "-rss_limit_mb=3000", "-malloc_limit_mb=3000", "-print_final_stats=1",
                       f"-artifact_prefix={own}-", own, os.path.join(CORPORA, name)]
            with open(log, "wb") as file:
                process = subprocess.Popen(command, stdout=file, stderr=file)
            self.running.add(process)
        return process, log

    def run(self, target, seconds):
        """What a process does is added up, also where it found something or was ended; the log of one that found something is kept."""
        began = time.monotonic()
        process, log = self.start(target.name, seconds)
        if not process:
            return
        _, status, used = os.wait4(process.pid, 0)  # the processor time of this one alone
        process.returncode = os.waitstatus_to_exitcode(status)
        with open(log, errors="replace") as file:
            text = file.read()
        with self.lock:
            self.running.remove(process)
            failed = process.returncode != 0 and not self.ended
            target.add(text, time.monotonic() - began, used.ru_utime + used.ru_stime, failed)
        if not failed:
            os.unlink(log)

    def take(self, pieces):
        """Targets one after the other, each for so many seconds."""
        for target, seconds in pieces:
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > LEAST and not self.ended:
                self.run(target, left)

    def end(self, *signal_and_frame):
        with self.lock:
            self.ended = True
            for process in self.running:
                process.send_signal(signal.SIGINT)


def cut(targets, jobs, seconds):
    """A round of so many seconds, in the order of the targets, as each of the jobs takes its part of it: targets and seconds."""
    share = jobs * seconds / sum(ROUND.values())
    pieces, begin = [[] for _ in range(jobs)], 0
    for target in targets:
        end = begin + ROUND[target.name] * share
        for job, own in enumerate(pieces):
            part = min(end, (job + 1) * seconds) - max(begin, job * seconds)
            if part > 0:
                own.append((target, part))
        begin = end
    return pieces


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s [--jobs N] BUILD_FOLDER FOUND_FOLDER SECONDS")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("build")
    parser.add_argument("found")
    parser.add_argument("seconds", type=float)
    asked = parser.parse_args()
    targets, processes = [Target(name) for name in ROUND], Processes(asked.build, asked.found)
    rounds = max(1, round(asked.seconds / sum(ROUND.values())))
    signal.signal(signal.SIGTERM, processes.end)
    signal.signal(signal.SIGINT, processes.end)
    for _ in range(rounds):
        jobs = [threading.Thread(target=processes.take, args=(pieces,)) for pieces in cut(targets, asked.jobs, asked.seconds / rounds)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
    print("| target | executions | wall time, s | processor time, s | coverage | runs that ended with a finding |\n|---|---|---|---|---|---|")
    for target in targets:
        print(f"| `{target.name}` | {target.executions:,} | {target.seconds:.0f} | {target.processor:.0f} | {target.coverage} | {target.findings} |")
    print(f"| all | {sum(t.executions for t in targets):,} | {sum(t.seconds for t in targets):.0f} | {sum(t.processor for t in targets):.0f} | | "
          f"{sum(t.findings for t in targets)} |")
    found = glob.escape(asked.found)
    print(f"Inputs: {len(glob.glob(os.path.join(found, '*-crash-*')))} crashes, {len(glob.glob(os.path.join(found, '*-timeout-*')))} timeouts, "
          f"{len(glob.glob(os.path.join(found, '*-oom-*')))} without memory, {len(glob.glob(os.path.join(found, '*-leak-*')))} leaks")
    return 1 if any(target.findings for target in targets) else 0


if __name__ == "__main__":
    sys.exit(main())
