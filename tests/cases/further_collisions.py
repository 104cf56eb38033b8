"""Collisions beside BGK and TRT, with which all is tested, and the lattices that they are used on."""

FURTHER_COLLISIONS = {
    "mrt": ["D2Q9", "D3Q13", "D3Q15", "D3Q19"],
    "regularised": ["D2Q9", "D3Q15", "D3Q19", "D3Q27"],
    "recursive": ["D2Q9", "D3Q19", "D3Q27"],
    "hybrid_recursive": ["D2Q9", "D3Q19", "D3Q27"],
    "cumulant": ["D3Q27"],
}
