"""
A spectrogram
=============

Which frequencies a sound has, and when: Fourier transforms of short parts of the signal, under a
window. The signal is a chirp, whose frequency grows, with an echo and noise.
"""

from side_by_side import compare, figure

RATE, SECONDS = 44100, 10.0
PART, HOP = 1024, 256  # samples of a part, and from one part to the next

# %%
# A chirp from 200 Hz to 16 kHz, its third harmonic, and white noise.


def signal(np):
    t = np.arange(int(RATE * SECONDS)) / RATE
    phase = 2 * np.pi * (200 * t + (16_000 - 200) / (2 * SECONDS) * t**2)
    noise = np.random.default_rng(0).standard_normal(t.size)
    return (np.sin(phase) + 0.3 * np.sin(3 * phase) + 0.02 * noise,)


def spectrogram(np, x):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(PART) / PART)  # Hann's
    parts = np.lib.stride_tricks.sliding_window_view(x, PART)[::HOP]
    spectrum = np.fft.rfft(parts * window, axis=-1)
    power = spectrum.real**2 + spectrum.imag**2
    return 10 * np.log10(power / np.max(power) + 1e-12)


decibels, times = compare(spectrogram, signal)

# %%
# The harmonic is above half of the sampling rate from 4.5 s on, and comes back mirrored (aliasing).

axes = figure(times, height=3.4)
extent = (0, SECONDS, 0, RATE / 2000)
image = axes.imshow(decibels.T, extent=extent, aspect="auto", origin="lower", vmin=-70)
axes.figure.colorbar(image, ax=axes, label="power in dB")
axes.set(xlabel="time in s", ylabel="frequency in kHz")
