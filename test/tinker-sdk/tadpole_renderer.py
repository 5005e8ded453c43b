"""
The tokenizer and the renderer of the embedded policy's base for tinker-cookbook.

The tokenizer has no form as a Hugging Face `tokenizer.json`: there a text names one id, and here "7" is the integer's id within a line
and the byte's id within a longer number.
"""

import json

import regex
import tinker
from tinker_cookbook.renderers.base import Message, RenderedMessage, Renderer, ensure_text, parse_response_for_stop_token

INTEGERS = 1000
OPERATORS = (
    ">>>= ... === !== >>> **= <<= >>= &&= ||= ??= /** == != <= >= && || ?? ?. => ++ -- += -= *= /= %= &= |= ^= << >> ** // /* */".split()
)
PIECE = regex.compile(
    "|".join(
        [
            r"(?<=^[1-9][0-9]{0,2})\. ",
            r"[0-9]+",
            r"[ .]?[A-Za-z_$]+",
            r"\n",
            " ?(?:" + "|".join(regex.escape(operator) for operator in OPERATORS) + ")",
            r" ?[()\[\]{};,]+",
            r"[^\x00-\x7f]+",
            r" {2,}",
            r"\t+",
            r" ?[!-/:-@\[-`{-~]",
            r"[\s\S]",
        ]
    ),
    regex.MULTILINE,
)


class TadpoleTokenizer:
    """Text to ids and back, as `packages/embedded-policy/src/tokenizer` does it."""

    bos_token = None
    eos_token_id = None
    name_or_path = "tadpole/embedded"

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.special = data["specialTokens"]
        self.first_byte = len(self.special) + INTEGERS
        self.ranks = {tuple(pair): rank for rank, pair in enumerate(data["merges"])}
        self.texts = [f"<{name}>".encode() for name in self.special] + [str(n).encode() for n in range(INTEGERS)]
        self.texts += [bytes([byte]) for byte in range(256)]
        for left, right in data["merges"]:
            self.texts.append(self.texts[left] + self.texts[right])

    def encode(self, text, add_special_tokens=False, **_):
        return [token for piece in PIECE.findall(text) for token in self._piece(piece)]

    def _piece(self, piece):
        if regex.fullmatch("0|[1-9][0-9]{0,2}", piece):
            return [len(self.special) + int(piece)]
        ids = [self.first_byte + byte for byte in piece.encode()]
        while len(ids) > 1:
            rank, at = min((self.ranks.get(pair, len(self.ranks)), at) for at, pair in enumerate(zip(ids, ids[1:])))
            if rank == len(self.ranks):
                break
            ids[at : at + 2] = [self.first_byte + 256 + rank]
        return ids

    def decode(self, ids, **_):
        ids = [ids] if isinstance(ids, int) else ids
        return b"".join(self.texts[token] for token in ids).decode("utf-8", errors="replace")


class TadpoleRenderer(Renderer):
    """`<begin><user>text<end><assistant>text<end>`."""

    @property
    def has_extension_property(self):
        return True

    @property
    def _bos_tokens(self):
        return [self.tokenizer.special.index("begin")]

    def get_stop_sequences(self):
        return [self.tokenizer.special.index("end")]

    def render_message(self, message, ctx):
        header = [self.tokenizer.special.index(message["role"])]
        output = [*self.tokenizer.encode(ensure_text(message["content"])), *self.get_stop_sequences()]
        return RenderedMessage(
            header=tinker.EncodedTextChunk(tokens=header), output=[tinker.EncodedTextChunk(tokens=output)]
        )

    def parse_response(self, response) -> tuple[Message, object]:
        return parse_response_for_stop_token(response, self.tokenizer, self.get_stop_sequences()[0])
