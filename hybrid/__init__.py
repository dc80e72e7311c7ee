"""Write NumPy, run it eagerly, make what is hot native."""

from hybrid import errors, ops
from hybrid.config import config
from hybrid.core.convert import asarray, constant, from_dlpack
from hybrid.core.spec import TensorSpec
from hybrid.core.tensor import Tensor
from hybrid.core.variable import Variable

__all__ = ["Tensor", "TensorSpec", "Variable", "asarray", "config", "constant", "errors", "from_dlpack", "ops"]
