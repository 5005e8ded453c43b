"""The PyTorch side of `npm run bench -- engine`: answers JSON lines on stdin with JSON lines on stdout."""

import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "packages/embedded-policy/test/torch"))
from policy import hidden_rows, read_checkpoint, rms_norm, rotary_tables, rotate  # noqa: E402


def compiler_works():
    try:
        return bool(torch.compile(lambda x: x.sin() + 1)(torch.zeros(3)).sum() == 3)
    except Exception:
        return False


def seconds_of(work):
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


class Training:
    """Forward, backward, clipping and fused AdamW with the engine's settings, on `sequences` x `length` tokens."""

    def __init__(self, config, weights, sequences, length):
        self.config = config
        self.parameters = {name: value.clone().requires_grad_() for name, value in weights.items()}
        matrices = [value for value in self.parameters.values() if value.dim() > 1]
        vectors = [value for value in self.parameters.values() if value.dim() == 1]
        groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=1e-4, betas=(0.9, 0.98), eps=1e-8, fused=True)
        self.tables = rotary_tables(config, length)
        generator = torch.Generator().manual_seed(1)
        self.tokens = torch.randint(config["vocabularySize"], (sequences, length + 1), generator=generator)

    def loss(self, tokens):
        rows = hidden_rows(self.config, self.parameters, tokens[:, :-1], self.tables)
        logits = rows.flatten(0, 1) @ self.parameters["embedding"].T
        return F.cross_entropy(logits, tokens[:, 1:].flatten(), reduction="sum") / (self.tokens.shape[0] * (self.tokens.shape[1] - 1))

    def step(self, loss, micro_batch):
        self.optimizer.zero_grad(set_to_none=True)
        for tokens in self.tokens.split(micro_batch):
            loss(tokens).backward()
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), 1.0)
        self.optimizer.step()

    def variants(self, with_compiler):
        """Every way tried: eager or compiled, the whole batch at once or parts that stay in the cache."""
        losses = {"eager": self.loss}
        if with_compiler:
            losses["compiled"] = torch.compile(self.loss, dynamic=False)
        parts = sorted({self.tokens.shape[0], min(4, self.tokens.shape[0])})
        return {f"{name}, {part} sequences a pass": (loss, part) for name, loss in losses.items() for part in parts}


class Sampling:
    """Samples a group of `batch` continuations of one prompt: one prefill, its cache fanned out, then cached steps."""

    def __init__(self, config, weights, batch, prompt, new_tokens):
        self.config, self.weights, self.batch, self.new_tokens = config, weights, batch, new_tokens
        self.prompt = torch.tensor([prompt])
        length = len(prompt) - 1 + new_tokens
        shape = (batch, config["heads"], length, config["width"] // config["heads"])
        self.keys = [torch.zeros(shape) for _ in range(config["layers"])]
        self.values = [torch.zeros(shape) for _ in range(config["layers"])]
        self.tables = rotary_tables(config, length)
        self.layers = [self.fused(layer) for layer in range(config["layers"])]
        self.output = weights["embedding"].T.contiguous()

    def fused(self, layer):
        part = {name.split(".", 2)[2]: value for name, value in self.weights.items() if name.startswith(f"layers.{layer}.")}
        return {
            **part,
            "query_value": torch.cat((part["attention.query"], part["attention.value"]), dim=1),
            "gate_up": torch.cat((part["feedForward.gate"], part["feedForward.up"]), dim=1),
        }

    def prefill(self):
        tokens = self.prompt[:, :-1]
        prefix = []
        hidden_rows(self.config, self.weights, tokens, [table[: tokens.shape[1]] for table in self.tables], prefix)
        for layer, (key, value, _) in enumerate(prefix):
            self.keys[layer][:, :, : tokens.shape[1]] = key
            self.values[layer][:, :, : tokens.shape[1]] = value
        return [hidden.expand(self.batch, -1).contiguous() for _, _, hidden in prefix]

    def step(self, token, before, previous, position, cosine, sine):
        """Log-probabilities [B, V] behind one token a sequence, and the hidden rows for the next step."""
        width, heads = self.config["width"], self.config["heads"]

        def to_heads(rows):
            return rows.view(-1, heads, 1, width // heads)

        stream = torch.lerp(token, before, self.weights["shift"])
        rows = []
        for layer, part in enumerate(self.layers):
            hidden = rms_norm(stream, part["attention.norm"])
            shifted = torch.lerp(hidden, previous[layer], part["attention.keyShift"])
            query, value = (hidden @ part["query_value"]).chunk(2, dim=-1)
            self.keys[layer][:, :, position : position + 1] = rotate(to_heads(shifted @ part["attention.key"]), cosine, sine)
            self.values[layer][:, :, position : position + 1] = value.reshape(-1, heads, 1, width // heads)
            attended = F.scaled_dot_product_attention(
                rotate(query.reshape(-1, heads, 1, width // heads), cosine, sine),
                self.keys[layer][:, :, : position + 1],
                self.values[layer][:, :, : position + 1],
            )
            stream = torch.addmm(stream, attended.view(-1, width), part["attention.output"])
            normed = rms_norm(stream, part["feedForward.norm"])
            gate, up = (normed @ part["gate_up"]).chunk(2, dim=-1)
            stream = torch.addmm(stream, F.silu(gate) * up, part["feedForward.down"])
            rows.append(hidden)
        logprobs = F.log_softmax(rms_norm(stream, self.weights["norm"]) @ self.output, dim=-1)
        return logprobs, rows

    @torch.inference_mode()
    def run(self, step):
        embedding = self.weights["embedding"]
        previous = self.prefill()
        token = embedding[self.prompt[0, -1:].expand(self.batch)]
        before = embedding[self.prompt[0, -2:-1].expand(self.batch)]
        start = self.prompt.shape[1] - 1
        ids = torch.empty((self.new_tokens, self.batch, 1), dtype=torch.int64)
        chosen = torch.empty((self.new_tokens, self.batch, 1))
        for index in range(self.new_tokens):
            position = start + index
            cosine, sine = (table[position] for table in self.tables)
            logprobs, previous = step(token, before, previous, position, cosine, sine)
            torch.multinomial(logprobs.exp(), 1, out=ids[index])
            torch.gather(logprobs, 1, ids[index], out=chosen[index])
            before, token = token, embedding[ids[index, :, 0]]
        return ids, chosen

    def variants(self, with_compiler):
        return {"eager": self.step, **({"compiled": torch.compile(self.step, dynamic=True)} if with_compiler else {})}


class Bench:
    def __init__(self):
        self.with_compiler = None
        self.ready = {}

    def versions(self, compiler):
        self.with_compiler = compiler and compiler_works()
        return {"torch": torch.__version__, "compiler": self.with_compiler}

    def matmul(self, rows, inner, columns, threads):
        torch.set_num_threads(threads)
        left, right, out = torch.rand(rows, inner), torch.rand(inner, columns), torch.empty(rows, columns)
        repeats = max(1, round(4e9 / (2 * rows * inner * columns)))

        def work():
            for _ in range(repeats):
                torch.mm(left, right, out=out)

        work()
        return {"gflops": max(2e-9 * repeats * rows * inner * columns / seconds_of(work) for _ in range(3))}

    def best(self, variants, work):
        """The fastest of the variants by the better of two runs after a warm-up, and what each took."""
        # What was compiled for earlier sizes counts against the compiler's limit for the same function.
        torch._dynamo.reset()
        taken = {}
        for name, variant in variants.items():
            work(variant)
            taken[name] = min(seconds_of(lambda: work(variant)) for _ in range(2))
        name = min(taken, key=taken.get)
        return variants[name], {"variant": name, "tried": taken}

    def prepare_training(self, path, sequences, length, threads):
        torch.set_num_threads(threads)
        training = Training(*read_checkpoint(path), sequences, length)
        (loss, part), answer = self.best(training.variants(self.with_compiler), lambda variant: training.step(*variant))
        self.ready["training"] = (threads, lambda: training.step(loss, part))
        return answer

    def prepare_sampling(self, path, batch, prompt, new_tokens, threads):
        torch.set_num_threads(threads)
        sampling = Sampling(*read_checkpoint(path), batch, prompt, new_tokens)
        step, answer = self.best(sampling.variants(self.with_compiler), sampling.run)
        self.ready["sampling"] = (threads, lambda: sampling.run(step))
        return answer

    def measure(self, what):
        threads, work = self.ready[what]
        torch.set_num_threads(threads)
        return {"seconds": seconds_of(work)}


def main():
    bench = Bench()
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(getattr(bench, request.pop("call"))(**request)), flush=True)


if __name__ == "__main__":
    main()
