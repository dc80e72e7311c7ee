"""CRC-32 (coding): the checksum of Ethernet, zip and PNG, by table.

Source: ISO/IEC 13239; D. V. Sarwate, Computation of cyclic redundancy checks via table look-up, Comm. ACM 31 (1988),
https://doi.org/10.1145/63030.63037.
"""

import numpy as np


def crc32(data: np.ndarray) -> int:
    """The checksum of an array of bytes."""
    table = []
    for byte in range(256):
        entry = byte
        for _ in range(8):
            entry = (entry >> 1) ^ 0xEDB88320 if entry & 1 else entry >> 1
        table.append(entry)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ int(byte)) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def example() -> tuple[np.ndarray]:
    """Half a megabyte."""
    return (np.random.default_rng(32).integers(0, 256, 500_000, dtype=np.uint8),)
