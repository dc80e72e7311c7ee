"""Heat in a plate, its history compressed, its decay measured: NumPy code whose arrays are hybrid's tensors."""

import numpy as np

import hybrid


def heat_history(plate, steps, rate=0.2):
    """Let heat spread between neighbours, in place; the border stays cold. The plate after every tenth step, one a row."""
    inside = plate[1:-1, 1:-1]  # a view: what is written into it is in the plate
    history = []
    for step in range(steps):
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        inside += rate * (around - 4 * inside)
        if step % 10 == 0:
            history.append(np.ravel(plate).copy())
    return np.stack(history)


def compress(matrix, rank):
    """The best approximation by ``rank`` products of a column and a row."""
    u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    return (u[:, :rank] * s[:rank]) @ vt[:rank]


def line_through(x, y):
    """Offset and slope of the line with the least squared distance to the points."""
    design = np.stack([np.ones_like(x), x], axis=1)
    return np.linalg.lstsq(design, y, rcond=None)[0]


def main():
    plate = hybrid.asarray(np.zeros((34, 34), dtype="float32"))
    plate[8:20, 10:24] = 100.0
    history = heat_history(plate, steps=600)
    print("history:", history.shape, history.dtype)

    for rank in (1, 2, 4, 8):
        error = np.linalg.norm(history - compress(history, rank)) / np.linalg.norm(history)
        print(f"rank {rank}: relative error {error:.1e}")

    late = history[30:].mean(axis=1)
    offset, slope = line_through(np.arange(late.size, dtype="float32"), np.log(late))
    print(f"late decay: {slope:.4f} per ten steps, from {np.exp(offset):.2f} on average")


if __name__ == "__main__":
    main()
