"""What programs do with arrays of any kind."""

from .lines import lines

LINES = [
    *lines(
        "temporaries",
        """
        np.sqrt(x ** 2 + y ** 2)
        (x - x.mean()) / x.std()
        x * np.exp(-y ** 2 / 2) / np.sqrt(2 * np.pi)
        1.0 / (1.0 + np.exp(-x))
        0.5 * (x + y) - 0.25 * (x - y)
        3.0 * x ** 2 - 2.0 * x + 1.0
        np.log(w) - np.log(w + 1)
        np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)
        w ** 0.5 * y + w ** 1.5
        np.sin(2 * np.pi * x) * np.cos(np.pi * y)
        np.abs(x - y) / (np.abs(x) + np.abs(y) + 1e-12)
        a * b - b * a
        (x - y) ** 2 * w
        np.exp(x) / (1 + np.exp(x)) ** 2
        u * np.log(w) + (1 - u) * np.log(w)
        x + y + w + u
        -x * np.tanh(y)
        np.hypot(x, y) * np.arctan2(y, x)
        1 - np.exp(-w / 10.0)
        x / np.sqrt(1 + x * x)
        np.where(x > 0, x, 0.01 * x)
        x * (1 - x) * 4
        np.square(x) + np.square(y)
        np.power(w, 1 / 3)
        np.deg2rad(x) * 6371.0
        np.floor(w / 3) * 3
        a ** 2 + b ** 2 > 1
        f * 2.0 + 1.0
        """,
    ),
    *lines(
        "in place",
        """
        x *= 0.5; x += 0.25 * y
        x -= x.mean()
        x = y.copy(); x *= w; x -= u
        x = np.zeros_like(y); x += y; x += w
        np.multiply(y, w, out=x)
        np.add(y, 1.0, out=x); np.sqrt(np.abs(x), out=x)
        np.exp(y, out=x); x /= x.sum()
        x[x < 0] = 0.0
        x[m] = 0.0
        x[m] *= -1.0
        x[1:-1] = 0.5 * (x[2:] + x[:-2])
        x[::2] = y[::2]
        x[:] = y[::-1]
        x[i] = y
        x = a.copy(); x -= x.mean(axis=0); x /= x.std(axis=0)
        x = a.copy(); x[:, 0] = 1.0; x[0, :] = 0.0
        x = a.copy(); x -= a.max(axis=1, keepdims=True); np.exp(x, out=x)
        x = s.copy(); x[np.diag_indices_from(x)] += 1.0
        x = s.copy(); np.fill_diagonal(x, 0.0)
        x = s.copy(); x.flat[:: len(x) + 1] = 1.0
        np.clip(y, -1.0, 1.0, out=x)
        x.fill(0.0)
        x = np.empty_like(a); x[:] = v.mean()
        x = np.zeros(n); np.add.at(x, i, y)
        x = np.zeros(10); np.add.at(x, j, y)
        np.copyto(x, y, where=m)
        np.maximum(x, y, out=x)
        x = y.copy(); x[np.isnan(x)] = 0.0
        x = h.copy(); x[np.isnan(x)] = 0.0
        np.put(x, i[:10], 0.0)
        np.divide(y, w, out=x, where=m)
        x = s.copy(); x[1:-1, 1:-1] = 0.5 * (s[:-2, 1:-1] + s[2:, 1:-1]) - s[1:-1, 1:-1]
        """,
    ),
    *lines(
        "comparisons and masks",
        """
        (x > -1) & (x < 1)
        (x < -1) | (x > 1)
        ~m & (x > 0)
        np.logical_and(x > 0, y > 0)
        np.logical_not(m)
        np.all(np.isfinite(x))
        np.any(np.isnan(h))
        np.isclose(x, y)
        np.allclose(x, x + 1e-12)
        np.array_equal(x, y)
        (x > 0).sum()
        np.count_nonzero(k == 3)
        np.abs(x) < 1e-3
        (k % 2 == 0)
        (k >= 0) & (k < 50)
        np.where(m, x, y)
        np.where(k > 0, 1, -1)
        np.where(np.abs(x) > 1, np.sign(x), x)
        np.where(h > 0, h, 0)
        np.select([x < -1, x > 1], [-1.0, 1.0], default=0.0)
        np.choose(j % 2, [x, y])
        np.piecewise(x, [x < 0, x >= 0], [-1.0, 1.0])
        np.clip(x, 0, 1)
        x.clip(-1, 1)
        np.maximum(0, x)
        np.minimum(np.maximum(x, -1), 1)
        np.nan_to_num(h)
        np.sign(x) * np.minimum(np.abs(x), 1)
        np.isin(k, [1, 2, 3])
        np.any(o, axis=1)
        np.all(a > -3, axis=0)
        np.heaviside(x, 0.5)
        """,
    ),
    *lines(
        "indexing",
        """
        x[m]
        x[x > 0]
        y[x > 0].sum()
        x[~m].mean()
        x[i]
        x[i[: n // 2]]
        x[::-1]
        x[::2] + x[1::2]
        np.nonzero(x > 1)[0]
        np.where(x > 1)[0]
        np.flatnonzero(m)
        np.argwhere(o)
        a[:, 1] - a[:, 0]
        a[a[:, 0] > 0]
        a[:, [2, 0, 1]]
        a[:, a.sum(axis=0) > 0]
        s[i2]
        s[:, i2]
        s[np.ix_(i2, i2)]
        s[i2][:, i2]
        s[i2, i2]
        s[np.triu_indices(side, 1)]
        s[np.tril_indices_from(s)]
        s[np.arange(side), l]
        np.take(x, i)
        np.take(a, [0, 2, 4], axis=1)
        np.take_along_axis(a, np.argsort(a, axis=1), axis=1)
        np.compress(m, x)
        np.extract(m, x)
        np.delete(x, [0, 5, 7])
        np.insert(x, 3, 0.0)
        np.diag(s)
        a[..., -1]
        a[:, ::-1]
        a[None, :, :] + 0.0
        x[-5:]
        s[1:-1, 1:-1].copy()
        q[::2, ::2].copy()
        np.unravel_index(i, (n // 10, 10))
        np.ravel_multi_index((l, l), (10, 10))
        """,
    ),
    *lines(
        "reductions",
        """
        x.sum()
        np.sum(x * y)
        np.mean((x - y) ** 2)
        np.sqrt(np.mean(x ** 2))
        np.abs(x - y).max()
        np.sum(np.abs(x))
        x.max() - x.min()
        np.ptp(x)
        np.prod(c[:20] / 50.0)
        np.sum(w * x) / np.sum(w)
        np.average(x, weights=w)
        np.argmax(x)
        x.argmin()
        x.min(), x.max()
        np.linalg.norm(x)
        np.linalg.norm(x - y)
        np.dot(x, y)
        -np.sum(u * np.log(u + 1e-9))
        np.log(np.sum(np.exp(x)))
        np.max(x) + np.log(np.sum(np.exp(x - np.max(x))))
        int(np.sum(k))
        f.sum()
        f.mean()
        m.mean()
        np.sum(x > 0) / len(x)
        np.vdot(x, y)
        float(np.abs(x).max())
        np.add.reduce(x)
        np.logical_or.reduce(o)
        sum(np.abs(v))
        """,
    ),
    *lines(
        "axes",
        """
        a.sum(axis=0)
        a.sum(axis=1)
        a.mean(axis=0)
        a.mean(axis=1, keepdims=True)
        a.max(axis=1)
        a.min(axis=0)
        a.std(axis=0)
        np.var(a, axis=0, ddof=1)
        a / a.sum(axis=1)[:, np.newaxis]
        a - a.mean(axis=0)
        (a - a.mean(axis=0)) / a.std(axis=0)
        np.argmax(a, axis=1)
        np.argmin(a, axis=0)
        np.sqrt((a ** 2).sum(axis=1))
        np.linalg.norm(a, axis=1)
        a / np.linalg.norm(a, axis=1, keepdims=True)
        np.exp(a - a.max(axis=1, keepdims=True))
        np.log(np.sum(np.exp(a - a.max(axis=1)[:, None]), axis=1))
        np.cumsum(a, axis=1)
        np.sort(a, axis=1)
        np.median(a, axis=0)
        np.any(a > 2, axis=0)
        np.sum(a * b, axis=1)
        np.einsum("ij,ij->i", a, b)
        a.T.sum(axis=0)
        np.ptp(a, axis=0)
        a.reshape(-1, 2).sum(axis=1)
        a.reshape(a.shape[0], -1, 5).mean(axis=2)
        np.count_nonzero(o, axis=1)
        np.average(a, axis=0, weights=np.arange(1.0, len(a) + 1))
        np.prod(a.shape) * a.mean(axis=(0, 1))
        np.apply_along_axis(np.sum, 0, s)
        """,
    ),
    *lines(
        "statistics",
        """
        np.std(x, ddof=1)
        np.var(x)
        np.median(x)
        np.percentile(x, 95)
        np.percentile(x, [25, 50, 75])
        np.quantile(x, np.linspace(0, 1, 11))
        np.corrcoef(x, y)[0, 1]
        np.cov(x, y)
        np.cov(a[:, :10], rowvar=False)
        ((x - x.mean()) * (y - y.mean())).mean()
        np.mean((x - np.mean(x)) ** 3) / np.std(x) ** 3
        x[np.abs(x - x.mean()) < 2 * x.std()].mean()
        np.median(np.abs(x - np.median(x)))
        np.subtract(*np.percentile(x, [75, 25]))
        (x - x.min()) / (x.max() - x.min())
        1 - np.sum((y - x) ** 2) / np.sum((y - y.mean()) ** 2)
        np.bincount(j, weights=x) / np.bincount(j)
        np.bincount(j)
        np.bincount(j, minlength=20).argmax()
        x[j == 3].mean()
        np.array([x[j == label].mean() for label in range(10)])
        np.mean(x > y)
        np.std(a, axis=0, ddof=1) / np.sqrt(len(a))
        np.percentile(a, 50, axis=0)
        """,
    ),
    *lines(
        "nan-functions",
        """
        np.nanmean(h)
        np.nansum(h)
        np.nanmax(h)
        np.nanmin(h)
        np.nanstd(h)
        np.nanmedian(h)
        np.nanpercentile(h, 90)
        np.nanargmax(h)
        np.nanvar(h)
        np.nancumsum(h)
        h[~np.isnan(h)]
        np.isnan(h).sum()
        np.where(np.isnan(h), 0.0, h)
        np.isfinite(h)
        np.nanmean(h.reshape(-1, 10), axis=1)
        np.nan_to_num(h, nan=-1.0)
        np.where(np.isnan(h), np.nanmean(h), h)
        """,
    ),
    *lines(
        "sorting and searching",
        """
        np.sort(x)
        np.sort(x)[::-1]
        np.sort(k)
        np.sort(f)
        np.argsort(x)
        np.argsort(-x)
        x[np.argsort(x)]
        np.argsort(j, kind="stable")
        np.argsort(x)[::-1][:10]
        np.argsort(np.argsort(x))
        np.lexsort((x, j))
        np.partition(x, 10)[:10]
        np.argpartition(x, 10)[10]
        np.searchsorted(t, x)
        np.searchsorted(t, 0.5)
        np.searchsorted(t, x, side="right")
        np.digitize(x, np.linspace(-3, 3, 20))
        t[np.searchsorted(t, u) - 1]
        np.argmax(t > 0)
        np.sort(a, axis=0)
        np.sort(c)[len(c) // 2]
        np.argmin(np.abs(x - 0.5))
        np.where(np.diff(np.sign(x)))[0]
        np.nonzero((x[1:-1] > x[:-2]) & (x[1:-1] > x[2:]))[0] + 1
        """,
    ),
    *lines(
        "sets",
        """
        np.unique(k)
        np.unique(x)
        np.unique(k, return_counts=True)
        np.unique(j, return_inverse=True)
        np.unique(k, return_index=True)
        len(np.unique(k))
        np.isin(k, c)
        np.intersect1d(np.unique(k), np.unique(c), assume_unique=True)
        np.intersect1d(k, c)
        np.union1d(k, c)
        np.setdiff1d(k, c)
        np.setxor1d(k, c)
        np.isin(k, c, invert=True)
        np.unique(g[:, :2], axis=0)
        """,
    ),
    *lines(
        "joining and splitting",
        """
        np.concatenate([x, y])
        np.concatenate((x[1:], x[:1]))
        np.concatenate(([0.0], np.cumsum(x)))
        np.hstack([x, y])
        np.vstack([x, y])
        np.vstack((a, b))
        np.hstack((a, b))
        np.column_stack((x, y))
        np.c_[x, y]
        np.r_[x, 0.0, y]
        np.stack([x, y, w])
        np.stack([x, y], axis=-1)
        np.dstack((a, b))
        np.append(x, 1.0)
        np.append(x, y)
        np.split(x, 4)
        np.array_split(x, 3)
        np.hsplit(s, 2)
        np.tile(x, 3)
        np.tile(v, (5, 1))
        np.repeat(x, 2)
        np.repeat(j, c % 3)
        np.repeat(a, 2, axis=0)
        np.block([[s, s], [s, s]])
        np.pad(x, 2)
        np.pad(s, 1, mode="constant")
        np.pad(s, 1, mode="edge")
        np.pad(x, (3, 3), mode="reflect")
        np.roll(x, 1)
        np.roll(s, -1, axis=0)
        np.array([v, v * 2, v * 3])
        np.array([r.sum() for r in s])
        np.insert(a, 0, 1.0, axis=1)
        np.delete(a, 1, axis=1)
        np.trim_zeros(np.concatenate(([0.0], w, [0.0])))
        """,
    ),
    *lines(
        "shapes",
        """
        a.T.copy()
        np.ascontiguousarray(a.T)
        a.ravel()
        a.T.ravel()
        a.T.flatten()
        x.reshape(-1, 1)
        x[:, np.newaxis]
        np.swapaxes(a, 0, 1) + 1
        np.moveaxis(x.reshape(2, 5, -1), 0, -1).copy()
        np.transpose(x.reshape(2, 5, -1), (2, 0, 1)).copy()
        np.expand_dims(x, 0)
        np.squeeze(a[None])
        np.flipud(a) + 0.0
        np.fliplr(s).copy()
        np.rot90(s).copy()
        np.atleast_2d(x)
        np.broadcast_to(v, (side, side)).copy()
        np.broadcast_arrays(v[:, None], v)
        a.flatten()
        a.astype(np.float32)
        k.astype(float)
        np.asarray(a, dtype=np.float32)
        q.astype(np.float64) / 255.0
        (u * 255).astype(np.uint8)
        x.view(np.int64)
        np.shape(a)
        a.shape[0] * a.shape[1]
        np.array(a)
        np.copy(x)
        a.tolist()[0]
        """,
    ),
    *lines(
        "creation",
        """
        np.zeros(n)
        np.zeros((side, side))
        np.ones(n)
        np.empty((side, side)).shape
        np.full(n, np.nan)
        np.arange(n)
        np.arange(0, 1, 1 / n)
        np.linspace(0, 1, n)
        np.logspace(-3, 3, n)
        np.geomspace(1, 1000, n)
        np.eye(side)
        np.identity(side)
        np.diag(v)
        np.zeros_like(a)
        np.ones_like(x, dtype=bool)
        np.full_like(x, 2.5)
        np.meshgrid(v, v)
        np.mgrid[:side, :side]
        np.ogrid[:side, :side]
        np.indices((side, side))
        np.tri(side)
        np.tril(s)
        np.triu(s, 1)
        np.vander(v[:8], 4)
        np.fromfunction(lambda i, j: i + j, (side, side))
        np.array([1.0, 2.0, 3.0])
        np.array([[1, 2], [3, 4]])
        np.array([float(i) for i in range(side)])
        np.fromiter((i * i for i in range(side)), dtype=float)
        np.arange(n).reshape(-1, 10) % 3
        np.hanning(side)
        np.outer(v, np.ones(side))
        """,
    ),
    *lines(
        "random",
        """
        np.random.rand(n)
        np.random.randn(n)
        np.random.randint(0, 10, n)
        np.random.normal(0.0, 1.0, size=n)
        np.random.uniform(-1, 1, (side, side))
        np.random.permutation(side)
        np.random.choice(x, side)
        2 * np.random.random(n) - 1
        (np.random.rand(n) < 0.3).sum()
        x[np.random.randint(0, n, n)].mean()
        """,
        check="shape",
    ),
    *lines(
        "random",
        """
        rng.random(n)
        rng.standard_normal((side, side))
        rng.integers(0, 100, size=n)
        rng.normal(size=n) * 0.1 + x
        rng.permutation(x)
        rng.choice(n, size=side, replace=False)
        rng.exponential(2.0, n).mean()
        rng.uniform(0, 1, n) < 0.5
        """,
    ),
]
