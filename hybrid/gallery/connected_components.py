"""Connected components (image processing): areas of a black-and-white picture, by union and find.

Source: A. Rosenfeld, J. L. Pfaltz, Sequential operations in digital picture processing, J. ACM 13 (1966), https://doi.org/10.1145/321356.321357;
B. A. Galler, M. J. Fischer, Comm. ACM 7 (1964), https://doi.org/10.1145/364099.364331.
"""

import numpy as np


def connected_components(picture: np.ndarray) -> tuple[np.ndarray, int]:
    """Labels from 1 up in reading order, 0 outside, and the number of areas; neighbours share an edge."""
    rows, columns = picture.shape
    labels = np.zeros((rows, columns), dtype=np.int32)
    parent = [0]
    for i in range(rows):
        for j in range(columns):
            if not picture[i, j]:
                continue
            above = find(parent, labels[i - 1, j]) if i > 0 and picture[i - 1, j] else 0
            left = find(parent, labels[i, j - 1]) if j > 0 and picture[i, j - 1] else 0
            if above == 0 and left == 0:
                parent.append(len(parent))
                labels[i, j] = len(parent) - 1
            else:
                label = min(above, left) if above and left else max(above, left)
                if above and left:
                    parent[max(above, left)] = label
                labels[i, j] = label
    final = np.zeros(len(parent), dtype=np.int32)
    count = 0
    for label in range(1, len(parent)):
        root = find(parent, label)
        if root == label:
            count += 1
            final[label] = count
        else:
            final[label] = final[root]
    return final[labels], count


def find(parent: list[int], label: int) -> int:
    """The root of a label; the way to it is halved."""
    label = int(label)
    while parent[label] != label:
        parent[label] = parent[parent[label]]
        label = parent[label]
    return label


def example() -> tuple[np.ndarray]:
    """Noise near the threshold of percolation."""
    return (np.random.default_rng(1964).random((300, 400)) < 0.58,)
