"""Special functions, those of ``scipy.special`` with its names."""

from hybrid.ops.gamma import beta, betaln, digamma, gamma, gammainc, gammaincc, gammaln, i0, i0e, i1, i1e, polygamma, zeta
from hybrid.ops.special import (
    entr,
    erf,
    erfc,
    erfcinv,
    erfcx,
    erfinv,
    expit,
    kl_div,
    log_expit,
    log_ndtr,
    log_softmax,
    logit,
    logsumexp,
    ndtr,
    ndtri,
    rel_entr,
    softmax,
    xlog1py,
    xlogy,
)

__all__ = [
    "beta", "betaln", "digamma", "entr", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "expit", "gamma", "gammainc", "gammaincc",
    "gammaln", "i0", "i0e", "i1", "i1e", "kl_div", "log_expit", "log_ndtr", "log_softmax", "logit", "logsumexp", "ndtr", "ndtri",
    "polygamma", "rel_entr", "softmax", "xlog1py", "xlogy", "zeta",
]  # fmt: skip
