#!/usr/bin/env python3
"""What it costs to store populations in 16 bits: errors of three flows in half, single and double, side by side, and that those of
half stay within what the user guide says of it.

Usage: half_storage.py WEIR
"""
import cavity_ghia
import poiseuille
import taylor_green
import weir_case

PRECISIONS = ["double", "single", "half"]

# What half may cost: mean error of the cavity's profiles, of the lid's speed; greatest error of Poiseuille flow, of its greatest
# velocity, by the number of cells between the plates (a force that is weak is lost in rounding); root mean square error of
# Taylor-Green vortices, relative.
CAVITY, POISEUILLE, TAYLOR_GREEN = 0.005, {12: 0.03, 24: 0.1}, 0.02


def show(flow, precision, error):
    print(f"{flow}, {precision}: {100 * error:.4f} %", flush=True)


class HalfCavity(cavity_ghia.Cavity):
    def test_cavity(self):
        for precision in PRECISIONS:
            errors = self.errors(100, 64, precision=precision, steady=1e-3)
            error = max(errors.values())
            show("cavity 64 x 64, Re 100", precision, error)
            self.assertLessEqual(error, CAVITY)


class HalfPoiseuille(poiseuille.Plates):
    def test_poiseuille(self):
        for height, greatest in POISEUILLE.items():
            for precision in PRECISIONS:
                error, _ = self.errors("D3Q19", "trt", precision, 0.8, height=height)
                show(f"Poiseuille, {height} cells", precision, error)
                self.assertLessEqual(error, greatest)


class HalfTaylorGreen(taylor_green.Vortices):
    def test_taylor_green(self):
        for n in [16, 32, 64]:
            for precision in PRECISIONS:
                error = self.error("D3Q19", "trt", n, precision=precision)
                show(f"Taylor-Green, {n} x {n}", precision, error)
                self.assertLessEqual(error, TAYLOR_GREEN)


if __name__ == "__main__":
    weir_case.main()
