#!/usr/bin/env python3
"""The cases in configs/ and all variants have the digests that tests/data/digests.json keeps.

Usage: test_known_digests.py WEIR [KnownDigests]
"""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
import known_digests
import weir_case

STEPS = 21  # an odd number of few

MEND = "run python3 tests/cases/known_digests.py WEIR, which tells all; with --write only where numerics are meant to change"


class KnownDigests(weir_case.CaseTest):
    def test_configs(self):
        kept = known_digests.KNOWN["configs"]
        cases = {os.path.basename(path) for path in glob.glob(known_digests.config_path("*.json"))} - {"schema.json"}
        self.assertEqual(set(kept), cases, "a case without a digest, or the reverse: add it to tests/data/digests.json with its options")
        version = subprocess.run([weir_case.program, "--version"], capture_output=True, text=True, check=True).stdout
        for name, row in kept.items():
            if row.get("needs", "") not in version:
                continue  # a build without a library
            with self.subTest(name):
                run = self.compute(known_digests.config_path(name), *row["options"].split(), workers=None)
                self.assertEqual(run.summary["digest"], row["digest"], MEND)

    def test_variants(self):
        """All in the suite "variants"; otherwise, of BGK and TRT with each kind of ends, those with the precision that other daily tests
        have for a lattice and collision: most of the time goes to compilers."""
        for variant in known_digests.VARIANTS:
            if variant[1] in weir_case.COLLISIONS and variant[3] in ("periodic", "walls", "open") and variant[:3] not in weir_case.VARIANTS + weir_case.HALF_VARIANTS:
                continue
            with self.subTest(known_digests.variant_name(*variant)):
                run = self.compute(known_digests.variant_case(*variant, STEPS))
                self.assertEqual(run.summary["digest"], known_digests.variant_digest(STEPS, *variant), MEND)


if __name__ == "__main__":
    weir_case.main()
