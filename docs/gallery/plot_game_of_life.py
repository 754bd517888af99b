"""
The game of life
================

Conway's cellular automaton: a cell lives in the next generation if it has three living neighbours,
or two and lives now. Cells are bytes, of which a register of the processor holds up to 64.
"""

import numpy
from side_by_side import compare, figure, show

ROWS, COLUMNS, GENERATIONS = 400, 600, 300

# %%
# Random cells in the middle, and a border of dead ones.


def world(np):
    cells = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
    cells[100:-100, 150:-150] = np.random.default_rng(3).random((ROWS - 200, COLUMNS - 300)) < 0.35
    return (cells,)


# %%
# Neighbours are counted in rows first, and then in columns. The second result is when a cell lived
# last, for the picture.


def live(np, cells):
    cells, last = cells.copy(), np.zeros(cells.shape, dtype=np.uint16)
    for generation in range(1, GENERATIONS + 1):
        rows = cells[:, :-2] + cells[:, 1:-1] + cells[:, 2:]
        middle = cells[1:-1, 1:-1]
        around = rows[:-2] + rows[1:-1] + rows[2:] - middle
        cells[1:-1, 1:-1] = (around == 3) | ((around == 2) & (middle == 1))
        last = np.where(cells == 1, np.uint16(generation), last)
    return cells, last


(cells, last), times = compare(live, world)

# %%
# Living cells are white. The colour of the others says when they lived last.

axes = figure(times, height=4.6)
image = show(axes, numpy.where(last == 0, numpy.nan, last), f"generation {GENERATIONS}")
axes.imshow(numpy.where(cells == 1, 1.0, numpy.nan), cmap="gray", vmin=0, vmax=1)
axes.set(facecolor="black")
axes.figure.colorbar(image, ax=axes, label="last generation in which the cell lived")
