#!/usr/bin/env python3
"""weir bench as its users meet it: options, tables, the JSON document, and that the task graph keeps up with a bare loop.

Usage: test_bench.py WEIR
"""
import json
import os
import re
import unittest

import command
import weir_case

# What the graph must reach of the bare loop's speed with blocks of 64^3, and how often it may try: others use the machine too.
LEAST_RATIO, TRIES = 0.90, 5

# What a block of which 27 % are solid must reach of an empty one's speed per fluid cell. Any instruction set: with AVX-512 0.6.
LEAST_WITH_SOLIDS = 0.25

SPREAD = {"median", "low_quartile", "high_quartile", "least", "most", "count"}
MACHINE = {"system", "processor", "cores", "numa_nodes", "last_level_cache_bytes", "memory_available_bytes", "instruction_set",
           "instruction_sets", "transparent_huge_pages", "load_average_at_start"}


class BenchTest(command.CommandTest):
    words = ["bench"]
    workers = None

    def measure(self, *arguments):
        """The table and the document."""
        path = os.path.join(self.folder(), "bench.json")
        done = self.call(*arguments, "--device", "cpu", "--quick", "--json", path)
        with open(path) as file:
            document = json.load(file)
        self.assertLessEqual(MACHINE, document["machine"].keys())
        self.assertLessEqual({"weir", "starpu", "compiler"}, document["versions"].keys())
        self.assertEqual(document["benchmark"], arguments[0])
        return done.stdout, document

    def check_spread(self, spread, low, high):
        """All there, in order, and plausible."""
        self.assertLessEqual(SPREAD, spread.keys())
        self.assertGreater(spread["count"], 0)
        order = [spread[key] for key in ("least", "low_quartile", "median", "high_quartile", "most")]
        self.assertEqual(order, sorted(order))
        self.assertGreater(order[0], low)
        self.assertLess(order[-1], high)
        if "values" in spread:
            self.assertEqual(len(spread["values"]), spread["count"])
            self.assertEqual((min(spread["values"]), max(spread["values"])), (spread["least"], spread["most"]))


class CommandLine(BenchTest):
    def test_wrong_usage(self):
        self.check_wrong_usage((
            ([], ["weir bench kernels"]),
            (["kernel"], ['"kernel"', '"kernels"']),
            (["frobnicate"], ['"frobnicate"', "kernels, graph, ranks or layouts"]),
            (["ranks", "--ranks", "8,8"], ["--ranks", "twice"]),
            (["ranks", "--blocks", "0"], ["--blocks", '"0"']),
            (["kernels", "graph"], ['"graph"', "one benchmark"]),
            (["kernels", "--cells", "12y"], ["--cells", "12y"]),
            (["kernels", "--cells", "64x64"], ["64x64x64"]),
            (["kernels", "--cells", "64,,32"], ["--cells"]),
            (["kernels", "--cells", "0"], ["--cells"]),
            (["kernels", "--cells", "1e3"], ["--cells"]),
            (["kernels", "--cells", "100000"], ["too large"]),
            (["kernels", "--cells", "64x64x2", "--lattice", "D2Q9"], ["flat"]),
            (["kernels", "--lattice", "D3Q18"], ["D3Q18", "D3Q15"]),
            (["kernels", "--precision", "quad"], ["quad", "double"]),
            (["kernels", "--collision", "trt,mtr"], ["mtr", "mrt"]),
            (["kernels", "--walls", "some"], ["some", "both"]),
            (["kernels", "--solids", "1"], ["--solids", '"1"', "0.27"]),
            (["kernels", "--solids", "0.1,,0.2"], ["--solids", '""']),
            (["graph", "--solids", "0.1"], ["--solids", "kernels"]),
            (["kernels", "--threads", "many"], ["many"]),
            (["kernels", "--threads", "60000"], ["60000", "cores"]),
            (["kernels", "--instruction-set", "mmx"], ["mmx"]),
            (["graph", "--instruction-set", "all"], ["--instruction-set", "kernels"]),
            (["kernels", "--nonsense"], ["--nonsense"]),
            (["layouts", "--cluster", "8,12"], ["--cluster", "12", "power of two"]),
            (["layouts", "--cluster", "1"], ["--cluster", "AoS and SoA"]),
            (["layouts", "--cluster", "many"], ["--cluster", "many"]),
            (["kernels", "--cluster", "8"], ["--cluster", "layouts"]),
            (["layouts", "--device", "cpu", "--cells", "20"], ["--cells", "20", "multiple of 16"]),
            (["layouts", "--device", "cpu", "--cells", "48x16x16", "--cluster", "8,32"], ["--cells", "48", "multiple of 32"]),
            (["layouts", "--precision", "half"], ["half", "single or double"]),
            (["layouts", "--precision", "single_moments"], ["single_moments", "single or double"]),
            (["kernels", "--precision", "double_moments"], ["double_moments", "regularised and recursive"]),
            (["graph", "--precision", "single_moments", "--collision", "recursive", "--scalar", "on"], ["--scalar", "single_moments"]),
            (["kernels", "--precision", "single_moments", "--collision", "recursive", "--kind", "list"], ["--kind list", "bricks"]),
            (["layouts", "--force", "both"], ["--force", "weir bench kernels"]),
            (["layouts", "--walls", "on"], ["--walls", "weir bench kernels"]),
            (["layouts", "--collision", "none"], ["none", "kernels"]),
            (["layouts", "--collision", "hybrid_recursive"], ["hybrid_recursive", "weir bench graph"]),
            (["layouts", "--kind", "list"], ["--kind", "kernels"]),
            (["layouts", "--solids", "0.1"], ["--solids", "kernels"]),
        ))

    def test_help(self):
        said = self.call("--help").stdout
        for word in ("kernels", "graph", "ranks", "layouts", "--cluster", "--cells", "--lattice", "--collision", "--precision", "--force", "--walls", "--device", "--threads",
                     "--quick", "--json", "--all"):
            self.assertIn(word, said)

    def test_blocks_that_do_not_fit(self):
        """Are told before anything is measured, when they were named."""
        done = self.call("kernels", "--device", "cpu", "--cells", "1024,1024x1024x1000", "--lattice", "D3Q27", "--threads", "1", code=1)
        self.assertIn("1024 x 1024 x 1024", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_file_that_cannot_be_written(self):
        """Is told before anything is measured."""
        done = self.call("kernels", "--json", "/nowhere/bench.json", code=1)
        self.assertIn("/nowhere", done.stderr)
        self.assertEqual(done.stdout, "")


class Kernels(BenchTest):
    def test_kernels(self):
        """With two collisions and precisions, as none is named."""
        table, document = self.measure("kernels", "--cells", "32,48x32x16", "--walls", "on")
        cores = document["machine"]["cores"]

        limits = document["cpu_limits"]
        self.assertEqual({limit["threads"] for limit in limits if limit["place"] == "memory"},
                         {2 ** k for k in range(10) if 2 ** k < cores} | {cores})
        for limit in limits:
            for key in ("update_19_streams_single", "update_19_streams_double", "update_1_stream", "copy"):
                self.check_spread(limit[key], 0.05, 1e5)
            for key in ("single", "double"):
                update = limit["update_19_streams_" + key]
                self.assertEqual(update["median"], max(way["median"] for way in update["turns"].values()))

        self.check_peaks(document, {1, cores})

        rows = document["kernels"]
        crews = 1 if cores == 1 else 3
        self.assertEqual(len(rows), 2 * 4 * crews)  # shapes, variants
        self.assertEqual({(row["collision"], row["precision"]) for row in rows},
                         {(collision, precision) for collision in ("bgk", "trt") for precision in ("single", "double")})
        self.check_rows(rows, table, document)

    def check_rows(self, rows, table, document):
        self.assertEqual(len({(tuple(row["cells"]), row["walls"], row["collision"], row["precision"], row["workers"]) for row in rows}),
                         len(rows))
        for row in rows:
            with self.subTest({key: row[key] for key in ("collision", "precision", "workers", "cells", "walls")}):
                self.assertEqual((row["lattice"], row["device"], row["force"]), ("D3Q19", "cpu", False))
                self.assertEqual(row["instruction_set"], document["machine"]["instruction_set"])
                bytes_per_update = {"single": 153, "double": 305}[row["precision"]]
                self.assertEqual(row["bytes_per_update"], bytes_per_update)
                self.check_spread(row["mlups"], 0.1, 1e6)
                self.check_spread(row["limit_gbs"], 0.05, 1e5)
                self.check_spread(row["fraction"], 0.0005, 100)
                self.assertAlmostEqual(row["bandwidth_gbs"] / (row["mlups"]["median"] * bytes_per_update / 1e3), 1, places=6)
                ratios = [speed * bytes_per_update / 1e3 / limit for speed, limit in zip(row["mlups"]["values"], row["limit_gbs"]["values"])]
                self.assertLess(min(ratios), 2 * row["fraction"]["median"])
                self.assertGreater(max(ratios), row["fraction"]["median"] / 2)
                self.assertNotIn("operations_per_update", row)
        self.assertEqual(len(re.findall(r"(?m)^D3Q19 +(bgk|trt) +(single|double)", table)), len(rows))

    def check_peaks(self, document, threads):
        """A vector has half as many doubles; others use the machine, too."""
        self.assertEqual([peak["threads"] for peak in document["cpu_peaks"]], sorted(threads))
        for peak in document["cpu_peaks"]:
            self.assertEqual(peak["instruction_set"], document["machine"]["instruction_set"])
            for precision in ("single", "double"):
                self.check_spread(peak[precision], 0.1, 1e6)
            self.assertGreater(peak["single"]["most"], 1.2 * peak["double"]["least"])

    def test_arithmetic(self):
        """What is computed cannot be more than the peak: a third of the instructions are multiply-adds, which the peak has alone."""
        table, document = self.measure("kernels", "--lattice", "d2q37", "--collision", "thermal_bgk", "--precision", "double", "--cells", "32",
                                       "--force", "both", "--threads", "1")
        self.check_peaks(document, {1})
        rows = document["kernels"]
        self.assertEqual([(row["force"], row["operations_per_update"]) for row in rows], [(False, 565), (True, 571)])
        for row in rows:
            self.assertAlmostEqual(row["gflops"] / (row["mlups"]["median"] * row["operations_per_update"] / 1e3), 1, places=6)
            self.check_spread(row["peak_gflops"], 0.1, 1e6)
            self.check_spread(row["peak_fraction"], 0.0005, 2)
            ratios = [speed * row["operations_per_update"] / 1e3 / peak
                      for speed, peak in zip(row["mlups"]["values"], row["peak_gflops"]["values"])]
            self.assertLess(min(ratios), 2 * row["peak_fraction"]["median"])
            self.assertGreater(max(ratios), row["peak_fraction"]["median"] / 2)
            self.assertLess(row["peak_fraction"]["median"], 1)
            self.assertRegex(table, r"(?m)^D2Q37 +thermal_bgk +double .* %.1f .* %.0f %% +%.1f +$" % (
                row["mlups"]["median"], 100 * row["peak_fraction"]["median"], row["bytes_per_fluid_cell"]))

    def test_flat_lattice_with_force(self):
        _, document = self.measure("kernels", "--lattice", "d2q9", "--collision", "bgk", "--precision", "double", "--cells", "16",
                                   "--force", "on", "--walls", "both", "--threads", "1")
        self.assertEqual([(row["lattice"], row["cells"], row["force"], row["walls"], row["threads"]) for row in document["kernels"]],
                         [("D2Q9", [64, 64, 1], True, walls, 1) for walls in (False, True)])

    def test_moments(self):
        """Read and written once: 10 numbers in space, and 6 in a plane, or 7 and 5 words; of the collisions, by those that keep them."""
        _, document = self.measure("kernels", "--lattice", "d2q9,d3q19", "--collision", "trt,recursive", "--precision", "single_moments,mixed_moments", "--cells", "16", "--threads", "1")
        self.assertEqual([(row["lattice"], row["collision"], row["precision"], row["bytes_per_update"]) for row in document["kernels"]],
                         [("D2Q9", "recursive", "single_moments", 49), ("D2Q9", "recursive", "mixed_moments", 41),
                          ("D3Q19", "recursive", "single_moments", 81), ("D3Q19", "recursive", "mixed_moments", 57)])


class Layouts(BenchTest):
    def test_layouts(self):
        """All of them come to the populations of runs, or the command fails; a row for each operation, layout and kind of stores."""
        table, document = self.measure("layouts", "--lattice", "D2Q37,D3Q19", "--precision", "double", "--cells", "32", "--cluster", "4,8")
        rows = document["layouts"]
        past_caches = any(row["stores"] == "past caches" for row in rows)  # which not all processors have
        layouts = {("AA", 1, "in place"), ("AoS", 1, "plain"), ("SoA", 1, "plain"), ("CAoSoA", 4, "plain"), ("CAoSoA", 8, "plain"),
                   ("CSoA", 4, "plain"), ("CSoA", 8, "plain")}
        if past_caches:  # whole lines, which clusters of 4 that lie together are not
            layouts |= {("SoA", 1, "past caches"), ("CAoSoA", 8, "past caches"), ("CSoA", 4, "past caches"), ("CSoA", 8, "past caches")}
        flows = {("D3Q19", "trt", (32, 32, 32)), ("D2Q37", "thermal_bgk", (176, 176, 1))}
        found = [(row["lattice"], row["collision"], tuple(row["cells"]), row["operation"], row["layout"], row["cluster"], row["stores"])
                 for row in rows]
        self.assertEqual(set(found), {flow + (operation,) + layout for flow in flows for operation in ("propagate", "collide", "fused")
                                      for layout in layouts})
        self.assertEqual(len(found), len(set(found)))
        for row in rows:
            with self.subTest({key: row[key] for key in ("lattice", "operation", "layout", "cluster", "stores")}):
                self.assertEqual((row["precision"], row["device"], row["limit"]), ("double", "cpu", "update of 19 streams"))
                self.assertEqual(row["instruction_set"], document["machine"]["instruction_set"])
                numbers = {"D3Q19": 19, "D2Q37": 37}[row["lattice"]]
                self.assertEqual(row["bytes_per_update"], 16 * numbers + (row["layout"] == "AA"))
                self.check_spread(row["mlups"], 0.1, 1e6)
                self.check_spread(row["limit_gbs"], 0.05, 1e5)
                self.check_spread(row["fraction"], 0.0005, 100)
                self.check_spread(row["of_own"], 0.0005, 1000)
                self.assertAlmostEqual(row["bandwidth_gbs"] / (row["mlups"]["median"] * row["bytes_per_update"] / 1e3), 1, places=6)
        self.assertEqual(len(re.findall(r"(?m)^D[23]Q[137][79] +(trt|thermal_bgk) +double", table)), len(rows))

    def test_domain_that_does_not_fit(self):
        done = self.call("layouts", "--device", "cpu", "--cells", "1024", "--lattice", "D3Q19", "--quick", code=1)
        self.assertIn("--cells: 1024 x 1024 x 1024", done.stderr)


class Graph(BenchTest):
    def test_other_problems(self):
        """Messages, walls and flat blocks: graph and loop must come to the same state, or the command fails."""
        _, document = self.measure("graph", "--cells", "12x10x8", "--walls", "both", "--force", "on", "--collision", "bgk",
                                   "--precision", "double")
        self.assertEqual([row["walls"] for row in document["graph"]], [False, True])
        self.measure("graph", "--lattice", "D2Q9,D3Q27", "--cells", "8")


class Ranks(BenchTest):
    def test_one_of_many(self):
        """A rank in the middle of many has the same neighbours, tasks and memory, however many there are."""
        table, document = self.measure("ranks", "--ranks", "27,1000", "--blocks", "8", "--cells", "8")
        few, many = document["ranks"]
        self.assertEqual([few["ranks"], many["ranks"]], [27, 1000])
        self.assertIn("One rank of many that are not there: 8 blocks of 8 x 8 x 8", table)
        for row in (few, many):
            self.assertEqual(row["neighbours"], 18)
            self.check_spread(row["microseconds_per_task"], 0, 1e5)
        for key in ("messages_per_step", "tasks_per_step", "bytes_per_step"):
            self.assertEqual(few[key], many[key])
        # An int for each block of the domain says whose it is; the rest is what this rank and its neighbours have.
        others = 8 * (many["ranks"] - few["ranks"])
        self.assertLess(many["memory_bytes"] - few["memory_bytes"], 6 * others)


class Speed(BenchTest):
    """Ratios of speeds, while nothing else computes."""

    def test_solids(self):
        """Cells beside walls go with all others in vectors: rows with solids were 14 times slower per fluid cell once."""
        best = 0
        for _ in range(TRIES):
            table, document = self.measure("kernels", "--collision", "trt", "--precision", "single", "--cells", "64", "--threads", "1",
                                           "--solids", "0.27,0.6")
            rows = document["kernels"]
            self.assertEqual(len(rows), 3)
            for row, share in zip(rows, (0, 0.27, 0.6)):
                self.assertAlmostEqual(row["solids"], share, delta=0.05)
                self.assertRegex(table, r"(?m)^D3Q19 .* 64x64x64 +" + (r"\d+ % +" if share else "") + r"%.1f " % row["mlups"]["median"])
            self.assertIsNone(rows[0]["of_empty"])
            for row in rows[1:]:
                self.assertAlmostEqual(row["of_empty"], row["mlups"]["median"] / rows[0]["mlups"]["median"], places=6)
            best = max(best, rows[1]["of_empty"])
            if best > LEAST_WITH_SOLIDS:
                break
        self.assertGreater(best, LEAST_WITH_SOLIDS)

    def test_graph_keeps_up(self):
        best = 0
        for _ in range(TRIES):
            table, document = self.measure("graph", "--cells", "64")
            (row,) = document["graph"]
            best = max(best, row["graph_over_bare"]["median"])
            if best >= LEAST_RATIO:
                break
        self.assertGreaterEqual(best, LEAST_RATIO)

        self.assertEqual((row["lattice"], row["block_cells"], row["device"]), ("D3Q19", [64, 64, 64], "cpu"))
        self.assertGreaterEqual(row["blocks"], 4 * row["workers"])
        self.assertRegex(row["digest"], r"^[0-9a-f]{32}$")
        for key in ("bare_mlups", "graph_mlups"):
            self.check_spread(row[key], 0.1, 1e6)
        self.check_spread(row["graph_over_bare"], 0.01, 10)
        self.check_spread(row["submission_microseconds_per_task"], 0.1, 1e4)
        self.assertRegex(table, r"(?m)^D3Q19 +trt +single .* 64x64x64 ")

        steady = row["steady_state"]
        self.assertGreater(steady["tasks"], 0)
        self.assertGreaterEqual(steady["allocations_to_set_up"], 2 * row["blocks"])  # or there is no count
        self.assertEqual((steady["host_allocations"], steady["device_allocations"], steady["freed"]), (0, 0, 0))
        for node in steady["memory"]:
            self.assertEqual(node["used_bytes_before"], node["used_bytes_after"])


if __name__ == "__main__":
    weir_case.main()
