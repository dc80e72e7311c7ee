"""Write NumPy, run it eagerly, make what is hot native."""

from hybrid.core.convert import asarray, constant, from_dlpack
from hybrid.core.spec import TensorSpec
from hybrid.core.tensor import Tensor
from hybrid.core.variable import Variable
from hybrid import ops

__all__ = ["Tensor", "TensorSpec", "Variable", "asarray", "constant", "from_dlpack", "ops"]
