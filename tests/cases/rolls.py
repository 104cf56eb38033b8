"""Steady rolls between a hot plate below and a cold one above, in two dimensions, by Boussinesq's equations: their Nusselt number, by
sines and cosines along the plates, Chebyshev's polynomials across, and Newton's method from roll to roll. For buoyancy.py.

With the height, the time of diffusion and the difference of temperatures 1, u = psi_y, v = -psi_x, zeta = psi_xx + psi_yy:

    Pr (zeta_xx + zeta_yy) - u zeta_x - v zeta_y - Ra Pr theta_x = 0,    theta_xx + theta_yy - u theta_x - v (theta_y - 1) = 0
"""
import math

import numpy


def derivatives(count):
    """Chebyshev's points of [0, 1], and the matrix that differentiates there (Trefethen, Spectral Methods in MATLAB, 2000, chapter 6)."""
    x = numpy.cos(math.pi * numpy.arange(count) / (count - 1))
    weights = numpy.where((numpy.arange(count) == 0) | (numpy.arange(count) == count - 1), 2.0, 1.0) * (-1.0)**numpy.arange(count)
    matrix = numpy.outer(weights, 1 / weights) / (x[:, None] - x[None, :] + numpy.eye(count))
    matrix -= numpy.diag(matrix.sum(axis=1))
    return (1 - x) / 2, -2 * matrix


def nusselt(rayleigh, prandtl, wave_number, modes, points):
    """Of the pair of rolls of that wave number by the height, with so many waves along the plates and points across. The stream function
    psi is a sum of sines, zeta its Laplacian, theta, what the temperature has beyond 1 - y, a sum of cosines."""
    start = min(rayleigh, 3000.0)  # where Newton's method finds rolls from what is begun with, not rest
    y, d = derivatives(points)
    x = (numpy.arange(2 * modes) + 0.5) * math.pi / (2 * modes)  # times the wave number: half a pair of rolls
    m, one = numpy.arange(1, modes + 1), numpy.eye(points)
    n = numpy.arange(modes + 1)
    sines, cosines = numpy.sin(numpy.outer(x, m)), numpy.cos(numpy.outer(x, n))
    to_sines, to_cosines = sines.T / modes, cosines.T / numpy.where(n == 0, 2 * modes, modes)[:, None]

    def laplace(numbers):
        return numpy.kron(numpy.diag(-(wave_number * numbers)**2.0), one) + numpy.kron(numpy.eye(len(numbers)), d @ d)

    zeta, heat = laplace(m), laplace(n)
    slopes = wave_number * m * numpy.cos(numpy.outer(x, m))
    u, v = numpy.kron(sines, d), -numpy.kron(slopes, one)  # from here on what makes values of coefficients
    zeta_x, zeta_y = -v @ zeta, u @ zeta
    theta_x = numpy.kron(-wave_number * n * numpy.sin(numpy.outer(x, n)), one)
    theta_y = numpy.kron(cosines, d)
    project_sines, project_cosines = numpy.kron(to_sines, one), numpy.kron(to_cosines, one)
    split = modes * points

    # Both vanish at the plates, and so does the derivative of psi, which takes the rows beside.
    rows, bounds = [], []
    for mode in range(2 * modes + 1):
        for row, place, what in ((0, 0, one), (points - 1, points - 1, one)) + (((1, 0, d), (points - 2, points - 1, d)) if mode < modes else ()):
            bound = numpy.zeros(split + (modes + 1) * points)
            bound[mode * points:(mode + 1) * points] = what[place]
            rows.append(mode * points + row)
            bounds.append(bound)
    bounds = numpy.array(bounds)

    state = numpy.zeros(split + (modes + 1) * points)
    state[:points] = -8 * numpy.sin(math.pi * y)**2
    state[split + points:split + 2 * points] = 0.3 * numpy.sin(math.pi * y)
    steps = max(1, math.ceil(math.log(rayleigh / start) / math.log(1.5)))
    for number in start * (rayleigh / start)**(numpy.arange(steps + 1) / steps):
        for _ in range(40):
            psi, theta = state[:split], state[split:]
            of_u, of_v, of_zeta_x, of_zeta_y = ((matrix @ psi)[:, None] for matrix in (u, v, zeta_x, zeta_y))
            of_theta_x, of_theta_y = (theta_x @ theta)[:, None], (theta_y @ theta)[:, None] - 1  # this with the line that is conducted
            spin = prandtl * zeta @ (zeta @ psi) - project_sines @ (of_u * of_zeta_x + of_v * of_zeta_y + number * prandtl * of_theta_x)[:, 0]
            warm = heat @ theta - project_cosines @ (of_u * of_theta_x + of_v * of_theta_y)[:, 0]
            residual = numpy.concatenate([spin, warm])
            jacobian = numpy.block([
                [prandtl * zeta @ zeta - project_sines @ (of_zeta_x * u + of_u * zeta_x + of_zeta_y * v + of_v * zeta_y),
                 -number * prandtl * project_sines @ theta_x],
                [-project_cosines @ (of_theta_x * u + of_theta_y * v), heat - project_cosines @ (of_u * theta_x + of_v * theta_y)]])
            jacobian[rows], residual[rows] = bounds, bounds @ state
            change = numpy.linalg.solve(jacobian, residual)
            state -= change
            if abs(change).max() < 1e-6 * abs(state).max():
                break
        else:
            raise ArithmeticError(f"no rolls found at Ra {number}")
    return 1 - (d @ state[split:split + points])[0]
