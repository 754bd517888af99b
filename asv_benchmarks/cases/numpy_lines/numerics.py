"""What numerical programs compute, by their subject."""

from .lines import lines

LINES = [
    *lines(
        "linear algebra",
        """
        np.dot(a.T, a)
        a.T @ b
        s @ v
        s.T @ v
        v @ s @ v
        s @ s
        np.dot(s, v) + v
        np.outer(v, v)
        np.inner(v, v)
        np.trace(s)
        np.linalg.norm(s)
        np.linalg.solve(d, v)
        np.linalg.inv(d)
        np.linalg.det(d / side)
        np.linalg.slogdet(d)
        np.linalg.cholesky(s @ s.T + side * np.eye(side))
        np.kron(np.eye(2), s)
        np.cross(x[: 3 * (n // 3)].reshape(-1, 3), y[: 3 * (n // 3)].reshape(-1, 3))
        np.einsum("ij,j->i", s, v)
        np.einsum("ij,jk->ik", s, s)
        np.einsum("i,i->", x, y)
        np.tensordot(s, s, axes=1)
        np.matmul(s, v[:, None])
        0.5 * (s + s.T)
        np.allclose(s, s.T)
        np.diag(1.0 / r) @ s
        s * r[:, None]
        np.linalg.matrix_power(d / side, 3)
        np.multiply.outer(v, v)
        np.sum((a @ a.T) * (b @ b.T))
        np.linalg.lstsq(a[:, :5], a[:, 5], rcond=None)[0]
        np.abs(np.linalg.qr(a[:, :8])[1])
        np.linalg.svd(a[:, :8], compute_uv=False)
        np.linalg.eigvalsh(a[:, :8].T @ a[:, :8])
        np.abs(np.linalg.eigh(np.cov(a[:, :6].T))[1])
        np.linalg.pinv(a[:, :6])
        """,
    ),
    *lines(
        "distances",
        """
        v[:, None] - v[None, :]
        np.abs(v[:, None] - v)
        (v[:, None] - v) ** 2
        np.exp(-0.5 * (v[:, None] - v) ** 2)
        np.sqrt(((p - p[0]) ** 2).sum(axis=1))
        np.linalg.norm(p - p.mean(axis=0), axis=1)
        np.hypot(p[:, 0], p[:, 1])
        np.sum(a ** 2, axis=1)[:, None] + np.sum(a ** 2, axis=1) - 2 * a @ a.T
        np.argmin(np.abs(v[:, None] - v[:5]), axis=1)
        p[np.argmin(((p - p[3]) ** 2).sum(1))]
        np.cumsum(np.hypot(*np.diff(p, axis=0).T))
        (p[:, None, :] - p[None, :5, :]).sum(axis=-1)
        np.sum(p[:-1, 0] * p[1:, 1] - p[1:, 0] * p[:-1, 1]) / 2
        p @ np.array([[0.8, -0.6], [0.6, 0.8]])
        """,
    ),
    *lines(
        "machine learning",
        """
        np.maximum(0, a @ a[:10].T)
        np.exp(a) / np.exp(a).sum(axis=1, keepdims=True)
        1 / (1 + np.exp(-(a @ np.ones(a.shape[1]))))
        np.eye(10)[j]
        np.mean(np.argmax(a, axis=1) == np.argmin(b, axis=1))
        -np.mean(u * np.log(u + 1e-12) + (1 - u) * np.log(1 - u + 1e-12))
        0.9 * x + 0.1 * y ** 2
        x - 0.01 * y / (np.sqrt(w) + 1e-8)
        (x > 0).astype(np.float64)
        a.T @ (a @ np.ones(a.shape[1]) - 1.0) / len(a)
        np.sign(x) * np.maximum(np.abs(x) - 0.1, 0)
        np.tanh(a @ np.ones((a.shape[1], 8)) + 0.5)
        np.array([np.sum((k == label) & m) for label in range(5)])
        np.log(np.clip(u, 1e-10, 1 - 1e-10))
        np.where(x * y < 1, 1 - x * y, 0).mean()
        x / max(np.linalg.norm(x), 1e-12)
        (a - a.min(axis=0)) / (a.max(axis=0) - a.min(axis=0))
        np.c_[np.ones(len(a)), a]
        """,
    ),
    *lines(
        "histograms and binning",
        """
        np.histogram(x, bins=20)
        np.histogram(x, bins=50, range=(-3, 3))[0]
        np.histogram(u, bins=np.linspace(0, 1, 11), density=True)[0]
        np.histogram(x, weights=w)[0]
        np.histogram2d(x, y, bins=20)[0]
        np.histogram(q, bins=256, range=(0, 256))[0]
        np.bincount(q.ravel(), minlength=256)
        np.floor((x - x.min()) / 0.1).astype(int)
        np.bincount((u * 10).astype(int), weights=x, minlength=10)
        np.digitize(u, [0.25, 0.5, 0.75])
        np.histogram_bin_edges(x, bins="sturges")
        np.cumsum(np.bincount(c)) / n
        """,
    ),
    *lines(
        "polynomials and interpolation",
        """
        np.polyval([1.0, -2.0, 3.0, 0.5], x)
        np.polyfit(u, y, 2)
        np.interp(x, np.linspace(-3, 3, 50), np.linspace(0, 1, 50))
        np.interp(u * side, np.arange(side), v)
        np.polynomial.polynomial.polyval(u, [1.0, 2.0, 3.0])
        np.polynomial.chebyshev.chebval(u, [1.0, 0.5, 0.25])
        np.poly1d([1.0, 0.0, -2.0])(x)
        ((2.0 * x - 3.0) * x + 1.0) * x - 5.0
        np.roots([1.0, -3.0, 2.0])
        np.polymul([1.0, 2.0], [1.0, -1.0])
        np.polyder([3.0, 2.0, 1.0])
        """,
    ),
    *lines(
        "cumulative and differences",
        """
        np.cumsum(x)
        np.cumprod(1 + x * 1e-4)
        np.diff(x)
        np.diff(x, n=2)
        np.diff(t) > 0.01
        x[1:] - x[:-1]
        x[1:] / (np.abs(x[:-1]) + 1)
        np.cumsum(x) / np.arange(1, n + 1)
        np.maximum.accumulate(x)
        np.minimum.accumulate(x)
        np.cumsum(m)
        np.cumsum(k)
        np.gradient(x)
        np.gradient(s)
        np.gradient(x, 0.1)
        np.trapezoid(x, dx=0.1)
        np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(t))
        np.ediff1d(x)
        np.add.reduceat(x, np.arange(0, n, 10))
        np.diff(a, axis=1)
        np.diff(np.concatenate(([0], np.nonzero(m)[0])))
        (np.cumsum(x)[5:] - np.cumsum(x)[:-5]) / 5
        np.unwrap(x)
        1 - np.maximum.accumulate(w) / w
        """,
    ),
    *lines(
        "windows and signals",
        """
        np.lib.stride_tricks.sliding_window_view(x, 5).mean(axis=1)
        np.lib.stride_tricks.sliding_window_view(x, 3).max(axis=-1)
        np.convolve(x, np.ones(5) / 5, mode="valid")
        np.convolve(x, [1.0, -1.0])
        np.convolve(v, v)
        np.correlate(v, v, mode="full")
        np.fft.fft(x)
        np.abs(np.fft.rfft(x)) ** 2
        np.fft.ifft(np.fft.fft(x) * np.fft.fft(y)).real
        np.fft.fftshift(np.fft.fftfreq(n))
        np.fft.fft2(s)
        np.sin(2 * np.pi * 5 * np.arange(n) / n)
        x * np.hanning(n)
        np.abs(z) ** 2
        np.angle(z)
        z.real * z.imag
        np.conj(z) * z
        np.exp(1j * x)
        z * np.exp(-2j * np.pi * 0.1)
        10 * np.log10(w)
        (x[:-2] + x[1:-1] + x[2:]) / 3
        x[2:] - 2 * x[1:-1] + x[:-2]
        s[2:, 1:-1] + s[:-2, 1:-1] + s[1:-1, 2:] + s[1:-1, :-2] - 4 * s[1:-1, 1:-1]
        np.sqrt(np.gradient(s)[0] ** 2 + np.gradient(s)[1] ** 2)
        np.sinc(x)
        np.angle(z) % (2 * np.pi)
        """,
    ),
    *lines(
        "images",
        """
        255 - q
        q.astype(np.float32) / 255
        (q > 128).astype(np.uint8)
        (q > 128).astype(np.uint8) * 255
        np.clip(q * 1.5, 0, 255).astype(np.uint8)
        q[:, ::-1].copy()
        np.stack([q, q, q], axis=-1)
        np.dstack([q, q, q]).mean(axis=2)
        (0.3 * q + 0.6 * q + 0.1 * q).astype(np.uint8)
        q.mean()
        q.astype(np.int16) - q.T
        q.max(axis=0)
        np.bitwise_and(q, 15)
        q.reshape(side // 2, 2, side // 2, 2).mean(axis=(1, 3))
        np.abs(q.astype(int) - 128).sum()
        np.where(q > 100, q, 0)
        ((q - q.min()) / (q.max() - q.min()))
        q[q > 200]
        np.take(np.arange(256)[::-1], q)
        """,
    ),
    *lines(
        "integers and bits",
        """
        k & 7
        k ^ (k >> 3)
        (k << 2) | 1
        ~k
        k % 7
        k // 3
        np.abs(k) % 2 == 1
        (k * 31 + 7) % 1000
        np.bitwise_count(c)
        np.gcd(k, c)
        np.divmod(k, 7)
        np.packbits(m)
        np.unpackbits(q.ravel())
        ((c[:, None] & (1 << np.arange(8))) > 0).astype(int)
        k.astype(np.uint8)
        np.right_shift(c, 1)
        np.floor_divide(k, c)
        k ** 2
        2 ** j
        np.bitwise_xor.reduce(k)
        k / c
        np.mod(x, 1.0)
        m ^ (k > 0)
        """,
    ),
    *lines(
        "rounding and precision",
        """
        np.round(x, 2)
        np.floor(x).astype(int)
        np.ceil(w / 7).astype(np.int64)
        np.rint(x * 10) / 10
        np.trunc(x)
        x.astype(int)
        x - np.floor(x)
        np.modf(x)
        np.around(w)
        np.fix(x)
        np.float32(2.0) * f
        f.astype(np.float64) - x
        x.round(3)
        """,
    ),
    *lines(
        "scalars",
        """
        float(x[0]) + float(x[-1])
        x[0] + x[1] * x[2]
        math.sqrt(x[0] ** 2 + x[1] ** 2)
        x[3] > 0 and x[4] > 0
        s[1, 2] - s[2, 1]
        np.sqrt(w[0])
        np.exp(-x[0] ** 2)
        max(x[0], x[1])
        int(k[0]) % 7
        (k[0] << 3) ^ (k[1] >> 1)
        x[0] / (1e-9 + x[1] * x[1])
        abs(x[5] - x[6])
        np.float64(0.5) * x[2]
        np.array([x[0], x[1], x[2]])
        np.dot(s[0], s[1])
        np.sum(s[0] * s[1])
        s[0] - s[1] * (s[0, 0] / 2.0)
        np.minimum(x[0], x[1])
        np.abs(x[0])
        len(x), x.size, x.ndim, a.shape
        """,
    ),
    *lines(
        "loops",
        """
        [float(e) for e in v]
        sum(e * e for e in v)
        for i in range(1, side): x[i] = 0.5 * (x[i - 1] + y[i])
        for i in range(side): x[i] = max(y[i], 0.0)
        for i in range(side - 1): x[i + 1] = x[i] if y[i] > 0 else y[i + 1]
        for i in range(side): x[i] = s[i, i]
        for i in range(side): x[i] = np.dot(s[i], v)
        for i in range(side): x[i] = s[i, :i] @ v[:i]
        for i in range(side): x[i] = s[i].sum()
        for i, row in enumerate(s): x[i] = row.max()
        x = s.copy(); [x.__setitem__(i, x[i] / (1.0 + abs(x[i, i]))) for i in range(side)]
        x = s.copy(); [np.add(x[i], 1.0, out=x[i]) for i in range(side)]
        x = sum(s[i, i] * v[i] for i in range(side))
        x = sum(int(e) & 3 for e in l)
        x = 0; [x := (x << 1 ^ int(e)) & 255 for e in l]
        x = [np.linalg.norm(s[i] - s[0]) for i in range(side)]
        x = np.array([v[i:].sum() for i in range(0, side, 5)])
        x = np.zeros(side); x[0] = 1; [x.__setitem__(i, x[i - 1] + v[i]) for i in range(1, side)]
        x = {int(e): i for i, e in enumerate(l)}; x = len(x)
        x = [i for i in range(side) if v[i] > 0 and l[i] != 3]
        x = [np.mean(s[l == label]) for label in range(3)]
        x = min(range(side), key=lambda i: v[i])
        x = sorted(v)[:3]
        x = list(zip(v, r))[-1]
        x = max(s[i, (i + 1) % side] for i in range(side))
        """,
    ),
]
