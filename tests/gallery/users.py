"""Programs as users of the field write them, with their arguments; each uses Python and NumPy in its own way."""

# ruff: noqa - programs as users may write them

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np

PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = []


def user(*arguments: Any) -> Any:
    """Put a program into the list, with the arguments of a call."""

    def register(function: Any) -> Any:
        PROGRAMS.append((function, arguments))
        return function

    return register


RNG = np.random.default_rng(2024)


@user(RNG.normal(size=12), 20, 1)
def particle_filter(observed, particles, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(0.0, 1.0, particles)
    estimates = np.empty(len(observed))
    for t, y in enumerate(observed):
        x = 0.9 * x + rng.normal(0.0, 0.5, particles)
        weights = np.exp(-0.5 * (y - x) ** 2)
        weights /= weights.sum()
        estimates[t] = np.sum(weights * x)
        positions = (rng.random() + np.arange(particles)) / particles
        indices = np.searchsorted(np.cumsum(weights), positions)
        x = x[np.minimum(indices, particles - 1)]
    return estimates


@user(RNG.normal(size=(6, 4)))
def householder_qr(a):
    m, n = a.shape
    r = a.copy()
    q = np.eye(m)
    for k in range(min(m - 1, n)):
        x = r[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        r[k:, k:] -= 2.0 * np.outer(v, v @ r[k:, k:])
        q[:, k:] -= 2.0 * np.outer(q[:, k:] @ v, v)
    return q, r


@user(np.diag(np.arange(2.0, 8.0)) + 0.5, np.arange(6.0), 1e-10)
def conjugate_gradient(a, b, tol):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for iteration in range(10 * len(b)):
        if math.sqrt(rs) < tol:
            break
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        rs_new = r @ r
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x, iteration


@user([[(1, 4.0), (2, 1.0)], [(3, 1.0)], [(1, 2.0), (3, 5.0)], []], 0)
def dijkstra(graph, source):
    distances = [math.inf] * len(graph)
    distances[source] = 0.0
    heap = [(0.0, source)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > distances[node]:
            continue
        for other, length in graph[node]:
            new = d + length
            if new < distances[other]:
                distances[other] = new
                heapq.heappush(heap, (new, other))
    return distances


@user(RNG.random((7, 7)) * (RNG.random((7, 7)) < 0.5), 0)
def dijkstra_of_a_matrix(weights, source):
    n = len(weights)
    dist = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    dist[source] = 0
    order = []
    for _ in range(n):
        best, u = np.inf, -1
        for v in range(n):
            if not done[v] and dist[v] < best:
                best, u = dist[v], v
        if u < 0:
            break
        done[u] = True
        order.append(u)
        for v in range(n):
            if weights[u, v] > 0 and dist[u] + weights[u, v] < dist[v]:
                dist[v] = dist[u] + weights[u, v]
    return dist, order


@user(RNG.normal(size=(15, 3)), RNG.integers(0, 3, 15), RNG.normal(size=(4, 3)), 3)
def nearest_neighbours(train, labels, test, k):
    out = []
    for point in test:
        d = np.sqrt(((train - point) ** 2).sum(axis=1))
        nearest = np.argsort(d)[:k]
        votes = {}
        for i in nearest:
            label = int(labels[i])
            votes[label] = votes.get(label, 0) + 1
        out.append(max(votes, key=votes.get))
    return np.array(out)


@user(RNG.normal(size=8))
def dft(x):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        total = 0j
        for t in range(n):
            angle = -2 * math.pi * k * t / n
            total += x[t] * complex(math.cos(angle), math.sin(angle))
        out[k] = total
    return out


@user(RNG.normal(size=30), 25, 0.1, 3)
def bootstrap_interval(data, rounds, level, seed):
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(rounds):
        sample = data[rng.integers(0, len(data), len(data))]
        means.append(sample.mean())
    low, high = np.percentile(means, [100 * level / 2, 100 * (1 - level / 2)])
    return low, high, np.std(means)


@user(np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]]), np.array([0, 1, 2, 1]))
def hmm_forward(start, transition, emission, observed):
    alpha = start * emission[:, observed[0]]
    log_likelihood = 0.0
    for symbol in observed[1:]:
        scale = alpha.sum()
        log_likelihood += np.log(scale)
        alpha = (alpha / scale) @ transition * emission[:, symbol]
    return alpha, log_likelihood + np.log(alpha.sum())


@user(np.frombuffer(b"abracadabra abra", dtype=np.uint8).copy(), np.frombuffer(b"abra", dtype=np.uint8).copy())
def string_search(text, pattern):
    found = []
    for i in range(len(text) - len(pattern) + 1):
        for j in range(len(pattern)):
            if text[i + j] != pattern[j]:
                break
        else:
            found.append(i)
    return found


@user(99.0, 1.0, 0.4, 0.1, 20)
def sir(s, i, beta, gamma, days):
    r, history = 0.0, [(s, i, 0.0)]
    n = s + i + r
    for _ in range(days):
        infected, recovered = beta * s * i / n, gamma * i
        s, i, r = s - infected, i + infected - recovered, r + recovered
        history.append((s, i, r))
    peak = max(range(len(history)), key=lambda day: history[day][1])
    return np.array(history), peak


@user(RNG.normal(size=(12, 4)), 2)
def pca_by_power_iteration(data, count):
    centred = data - data.mean(axis=0)
    covariance = centred.T @ centred / (len(data) - 1)
    components, variances = [], []
    for _ in range(count):
        v = np.ones(covariance.shape[0]) / np.sqrt(covariance.shape[0])
        previous = 0.0
        for _ in range(200):
            w = covariance @ v
            value = np.linalg.norm(w)
            v = w / value
            if abs(value - previous) < 1e-9:
                break
            previous = value
        components.append(v)
        variances.append(value)
        covariance = covariance - value * np.outer(v, v)
    return np.array(components), np.array(variances)


@user(np.array([[0.0, 1.0], [-2.0, -3.0]]))
def matrix_exponential(a):
    squarings = max(0, int(np.ceil(np.log2(max(np.linalg.norm(a, 1), 1e-16)))) + 1)
    scaled = a / 2**squarings
    term = result = np.eye(len(a))
    k = 1
    while np.abs(term).max() > 1e-16:
        term = term @ scaled / k
        result = result + term
        k += 1
    for _ in range(squarings):
        result = result @ result
    return result


@user(RNG.normal(size=(5, 3)))
def gram_schmidt(vectors):
    basis = []
    for v in vectors:
        w = v - sum(np.dot(v, b) * b for b in basis)
        if np.linalg.norm(w) > 1e-10:
            basis.append(w / np.linalg.norm(w))
    return np.array(basis)


@user(np.array([3, 3, 1, 1, 1, 2, 3, 3]))
def run_lengths(x):
    runs, counts = [], {}
    start = 0
    for i in range(1, len(x) + 1):
        if i == len(x) or x[i] != x[start]:
            value = int(x[start])
            runs.append((value, i - start))
            counts[value] = counts.get(value, 0) + i - start
            start = i
    return runs, counts


@user(RNG.integers(-5, 9, 14))
def longest_increasing(x):
    tails: list[int] = []
    for value in x:
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if tails[middle] < value:
                low = middle + 1
            else:
                high = middle
        if low == len(tails):
            tails.append(int(value))
        else:
            tails[low] = int(value)
    return len(tails), tails


@user(RNG.normal(size=40))
def welford(stream):
    count, mean, m2 = 0, 0.0, 0.0
    for x in stream:
        count += 1
        delta = x - mean
        mean += delta / count
        m2 += delta * (x - mean)
    if count < 2:
        raise ValueError("at least two numbers are needed")
    return mean, m2 / (count - 1)


@user(lambda x: x**3 - 2 * x - 5, 2.0, 3.0, 1e-12)
def bisect(f, a, b, tol):
    fa, fb = f(a), f(b)
    assert fa * fb < 0, "no change of sign"
    steps = 0
    while b - a > tol:
        middle = (a + b) / 2
        fm = f(middle)
        if fm == 0:
            return middle, steps
        if fa * fm < 0:
            b, fb = middle, fm
        else:
            a, fa = middle, fm
        steps += 1
    return (a + b) / 2, steps


@user(RNG.random((5, 6)), np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]]))
def convolve2d(image, kernel):
    kh, kw = kernel.shape
    padded = np.pad(image, ((kh // 2, kh // 2), (kw // 2, kw // 2)), mode="edge")
    out = np.zeros_like(image)
    for dy in range(kh):
        for dx in range(kw):
            out += kernel[dy, dx] * padded[dy : dy + image.shape[0], dx : dx + image.shape[1]]
    return out


@user(RNG.random((9, 9)) < 0.6, (0, 0))
def flood_fill(free, start):
    rows, columns = free.shape
    distance = -np.ones(free.shape, dtype=int)
    queue = [start]
    distance[start] = 0
    head = 0
    while head < len(queue):
        y, x = queue[head]
        head += 1
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            v, u = y + dy, x + dx
            if 0 <= v < rows and 0 <= u < columns and free[v, u] and distance[v, u] < 0:
                distance[v, u] = distance[y, x] + 1
                queue.append((v, u))
    return distance, len(queue)
