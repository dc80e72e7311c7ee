"""Linear algebra: the array API standard's ``linalg``, the rest of ``numpy.linalg``, and what SciPy adds to it."""

from numpy.linalg import LinAlgError

from hybrid.ops.axes import matrix_transpose
from hybrid.ops.linalg import (
    cross,
    det,
    diagonal,
    inv,
    lstsq,
    matrix_power,
    multi_dot,
    outer,
    pinv,
    slogdet,
    solve,
    tensorinv,
    tensorsolve,
    trace,
)
from hybrid.ops.linalg_eigen import eig, eigh, eigvals, eigvalsh
from hybrid.ops.linalg_factor import cho_solve, cholesky, lu, lu_factor, lu_solve, qr, solve_triangular, svd, svdvals
from hybrid.ops.linalg_matrix import block_diag, expm, logm, sqrtm, toeplitz
from hybrid.ops.linalg_norm import cond, matrix_norm, matrix_rank, norm, vector_norm
from hybrid.ops.products import matmul, tensordot, vecdot

__all__ = [
    "LinAlgError", "block_diag", "cho_solve", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh",
    "expm", "inv", "logm", "lstsq", "lu", "lu_factor", "lu_solve", "matmul", "matrix_norm", "matrix_power", "matrix_rank",
    "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve", "solve_triangular", "sqrtm", "svd", "svdvals",
    "tensordot", "tensorinv", "tensorsolve", "toeplitz", "trace", "vecdot", "vector_norm",
]  # fmt: skip
