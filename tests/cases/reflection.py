#!/usr/bin/env python3
"""What boundaries give back of sound that leaves through them: a plane pulse of density runs along x against the face x+,

    rho = 1 + a exp(-((x - x_0) / w)^2),    u = c_s (rho - 1),

and what comes back of it is measured when it is on its way again: R is the greatest change of density then, over that of the pulse before.
Its sign says whether what comes back has the pulse's sign. Viscosity takes little of the pulse on the way, which is divided out by
comparing with a face of velocity zero: that gives back all.

A pulse of the other sign goes the other way, so that the mean density is 1, which some boundaries aim at.

R is a number of the method and does not depend on amplitude or width of the pulse, as long as it is long against a cell.

Usage: reflection.py WEIR
"""
import weir_case

LENGTH, START, OTHER, WIDTH, AMPLITUDE = 600, 400, 260, 20, 1e-4
STEPS = 660  # at c_s = 0.577 the pulse has gone 381 cells then: 200 to the face, and back to x = 419
TAU = 0.52


class Reflection(weir_case.CaseTest):
    def reflected(self, boundary, lattice="D2Q9", width=WIDTH):
        """Density's change at its greatest, with its sign, when what was reflected has come away from the face."""
        pulse, other = (f"{AMPLITUDE} * exp(-((x - {start})/{width})^2)" for start in (START, OTHER))
        flat = lattice == "D2Q9"
        case = {
            "lattice": lattice,
            "precision": "double",
            "collision": {"operator": "bgk"},
            "domain": {"cells": [LENGTH, 2] if flat else [LENGTH, 2, 2], "periodic": [False, True] if flat else [False, True, True]},
            "fluid": {"tau": TAU},
            "boundaries": {"x+": boundary},
            "initial": {"density": f"1 + {pulse} - {other}", "velocity": [f"({pulse} + {other}) / sqrt(3)", 0] + [0] * (not flat)},
            "run": {"steps": STEPS},
            "output": [{"type": "fields"}],
        }
        density = self.compute(case).fields()["density"].reshape(-1, LENGTH)[0] - 1
        density = density[OTHER:]  # the other pulse is below, on its way back from x-
        return max(density.min(), density.max(), key=abs)

    def coefficient(self, boundary, **how):
        return self.reflected(boundary, **how) / self.reflected({"type": "velocity", "velocity": [0, 0, 0]}, **how)

    def check(self, boundary, expected, tolerance):
        for lattice, width in [("D2Q9", WIDTH), ("D2Q9", 2 * WIDTH), ("D3Q19", WIDTH)]:
            with self.subTest(boundary=boundary["type"], lattice=lattice, width=width):
                measured = self.coefficient(boundary, lattice=lattice, width=width)
                print(f"{boundary['type']:22} {lattice} width {width}: R = {measured:.4f}", flush=True)
                self.assertLess(abs(measured - expected), tolerance)

    def test_wall(self):
        self.check({"type": "wall"}, 1, 0.01)

    def test_pressure(self):
        """What keeps the density gives the pulse back with the other sign."""
        self.check({"type": "pressure", "density": 1}, -1, 0.02)

    def test_equilibrium(self):
        """These keep density or velocity, too."""
        self.check({"type": "equilibrium_pressure", "density": 1}, -1, 0.02)
        self.check({"type": "equilibrium_velocity", "velocity": [0, 0, 0]}, 1, 0.02)

    def test_cells_on_the_face(self):
        """So do those that complete the face's cells, half a cell nearer."""
        for kind in "zou_he", "regularised":
            self.check({"type": kind + "_pressure", "density": 1}, -1, 0.02)
            self.check({"type": kind + "_velocity", "velocity": [0, 0, 0]}, 1, 0.02)

    def test_absorbing(self):
        self.check({"type": "absorbing", "velocity": [0, 0, 0]}, 0, 0.01)

    def test_convective(self):
        """Between what keeps the velocity and what keeps the density: short pulses come back with their sign, long ones with the other."""
        for width, expected in [(10, 0.19), (20, -0.2), (40, -0.34)]:
            measured = self.coefficient({"type": "convective", "velocity": [0.05, 0, 0]}, width=width)
            print(f"convective, velocity 0.05, D2Q9 width {width}: R = {measured:.4f}", flush=True)
            self.assertLess(abs(measured - expected), 0.02)


if __name__ == "__main__":
    weir_case.main()
