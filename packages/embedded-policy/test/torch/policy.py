"""The policy of the embedded engine in PyTorch, written from the formulas: reads its checkpoints and computes the same."""

import json
import struct

import torch
import torch.nn.functional as F

DTYPES = {"F32": torch.float32, "F16": torch.float16}
RMS_NORM_EPSILON = 1e-5


def read_checkpoint(path):
    """Sizes of the model and its weights by name, float32; the optimizer's moments are left out."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        body = bytearray(file.read())
    config = json.loads(header.pop("__metadata__")["config"])
    weights = {}
    for name, entry in header.items():
        if name.startswith("optimizer."):
            continue
        dtype = DTYPES[entry["dtype"]]
        start, end = entry["data_offsets"]
        count = (end - start) // dtype.itemsize
        values = torch.frombuffer(body, dtype=dtype, count=count, offset=start)
        weights[name] = values.to(torch.float32).reshape(entry["shape"]).clone()
    return config, weights


def rotary_tables(config, length):
    """Cosine and sine [length, headWidth / 2] of every position."""
    half = config["width"] // config["heads"] // 2
    frequencies = 10000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * frequencies
    return angles.cos().float(), angles.sin().float()


def rotate(x, cosine, sine):
    """Rotates the halves of the last axis against each other."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cosine - second * sine, second * cosine + first * sine), dim=-1)


def rms_norm(x, gain):
    return F.rms_norm(x, gain.shape, gain, RMS_NORM_EPSILON)


def token_shift(x, mix):
    """Mixes each position of x [B, T, width] with the one before it; zero stands before the first."""
    return torch.lerp(x, F.pad(x, (0, 0, 1, -1)), mix)


def hidden_rows(config, weights, tokens, tables, prefix=None):
    """Normed rows [B, T, width] behind the last layer for tokens [B, T]; `prefix` receives keys, values and hidden rows."""
    batch, length = tokens.shape
    cosine, sine = tables

    def to_heads(rows):
        return rows.view(batch, length, config["heads"], -1).transpose(1, 2)

    stream = token_shift(F.embedding(tokens, weights["embedding"]), weights["shift"])
    for layer in range(config["layers"]):
        part = {name: weights[f"layers.{layer}.{name}"] for name in LAYER_WEIGHTS}
        hidden = rms_norm(stream, part["attention.norm"])
        shifted = token_shift(hidden, part["attention.keyShift"])
        query = rotate(to_heads(hidden @ part["attention.query"]), cosine, sine)
        key = rotate(to_heads(shifted @ part["attention.key"]), cosine, sine)
        value = to_heads(hidden @ part["attention.value"])
        if prefix is not None:
            prefix.append((key, value, hidden[:, -1]))
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        stream = stream + attended.transpose(1, 2).reshape(batch, length, -1) @ part["attention.output"]
        hidden = rms_norm(stream, part["feedForward.norm"])
        inner = F.silu(hidden @ part["feedForward.gate"]) * (hidden @ part["feedForward.up"])
        stream = stream + inner @ part["feedForward.down"]
    return rms_norm(stream, weights["norm"])


LAYER_WEIGHTS = (
    *("attention.norm", "attention.keyShift", "attention.query", "attention.key", "attention.value", "attention.output"),
    *("feedForward.norm", "feedForward.gate", "feedForward.up", "feedForward.down"),
)


def target_logprobs(config, weights, inputs, targets):
    """Log-probability [B, T] of each target under the distribution behind each input, in nats."""
    tables = rotary_tables(config, inputs.shape[1])
    logits = hidden_rows(config, weights, inputs, tables) @ weights["embedding"].T
    return -F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
