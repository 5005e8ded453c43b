"""
Every loss of the protocol, loading with the optimizer, asynchronous calls and what is refused, with the official SDK.

argv[1] is a server's address, argv[2] that of one that keeps a single result. Prints what was seen as one line of JSON.
"""

import asyncio
import json
import math
import sys
import time
import warnings

import tinker
from tinker import types
from tinker.lib.api_future_impl import _APIFuture

from sdk_calls import cross_entropy, datum, logprobs_of, settled

warnings.simplefilter("ignore", FutureWarning)
SEQUENCES = [[1 + (7 * i + 3 * j) % 200 for j in range(8)] for i in range(2)]
RATIOS, ADVANTAGES = [1.5, 0.6], [1.0, -2.0]


def error_of(call):
    """Whether the exception is one of the SDK, and what its user reads."""
    try:
        call()
    except Exception as error:
        return [type(error).__module__.startswith("tinker"), type(error).__name__, str(error)]
    return None


def future_of(client, request_id):
    future = types.UntypedAPIFuture(request_id=request_id)
    return _APIFuture(types.OptimStepResponse, client.holder, future, request_start_time=time.time(), request_type="OptimStep")


def clip(value, low, high):
    return min(max(value, low), high)


# The loss of one token by ratio, advantage and log-probability (tinker-protocol.md section 1.5).
LOSSES = {
    "importance_sampling": ({}, lambda r, a, lp: -r * a),
    "ppo": ({"clip_low_threshold": 0.9, "clip_high_threshold": 1.1}, lambda r, a, lp: -min(r * a, clip(r, 0.9, 1.1) * a)),
    "cispo": ({"clip_low_threshold": 0.7, "clip_high_threshold": 1.25}, lambda r, a, lp: -clip(r, 0.7, 1.25) * lp * a),
}


def losses(client, now):
    """How far each loss is from its formula, at rollout log-probabilities that make known ratios."""
    gaps = {}
    for name, (config, token_loss) in LOSSES.items():
        data = [
            datum(ids, logprobs=[lp - math.log(ratio) for lp in row], advantages=[advantage] * len(row))
            for ids, row, ratio, advantage in zip(SEQUENCES, now, RATIOS, ADVANTAGES)
        ]
        given = {"loss_fn_config": config} if config else {}
        got = client.forward_backward(data, name, **given).result().metrics["loss:sum"]
        expected = sum(token_loss(r, a, lp) for row, r, a in zip(now, RATIOS, ADVANTAGES) for lp in row)
        gaps[name] = abs(got - expected)
    return gaps


def custom_loss(client, data, now):
    """A loss of the caller's own: its gradient goes to the server as weights of cross_entropy."""
    import torch

    def squares(_, rows):
        loss = sum(((row - torch.tensor(old) + 1) ** 2).sum() for row, old in zip(rows, now))
        return loss, {"squares": float(loss)}

    count = sum(len(row) for row in now)
    output = client.forward_backward_custom(data, squares).result()
    norm = client.optim_step(types.AdamParams(learning_rate=0.0)).result().metrics["grad_norm:mean"]
    client.forward_backward([datum(ids, weights=[-2.0] * (len(ids) - 1)) for ids in SEQUENCES], "cross_entropy").result()
    same = client.optim_step(types.AdamParams(learning_rate=0.0)).result().metrics["grad_norm:mean"]
    return {"value_gap": abs(output.metrics["squares"] - count), "gradient_gap": abs(norm - same) / same}


async def asynchronous(service, base, data):
    """The same steps through the asynchronous methods; forward and step are under way together."""
    client = await service.create_lora_training_client_async(base_model=base, rank=8)
    passes = [await client.forward_backward_async(data, "cross_entropy") for _ in range(2)]
    step = await client.optim_step_async(types.AdamParams(learning_rate=1e-3))
    before = [(await one).metrics["loss:sum"] for one in passes]
    await step
    after = (await (await client.forward_async(data, "cross_entropy"))).metrics["loss:sum"]
    saved = (await (await client.save_state_async("later"))).path
    restored = await service.create_training_client_from_state_with_optimizer_async(saved)
    again = (await (await restored.forward_async(data, "cross_entropy"))).metrics["loss:sum"]
    sampler = await restored.save_weights_and_get_sampling_client_async()
    prompt = types.ModelInput.from_ints(SEQUENCES[0][:4])
    sample = await sampler.sample_async(prompt=prompt, num_samples=1, sampling_params=types.SamplingParams(max_tokens=2))
    scored = await sampler.compute_logprobs_async(prompt)
    return {
        "before": before,
        "after": after,
        "restored": again == after,
        "lengths": [len(sample.sequences[0].tokens), len(scored)],
    }


def loading(service, base, data):
    """A step after loading with the optimizer is the step that the saved model would have made."""
    first, second = (settled(service.create_lora_training_client(base_model=base, rank=8)) for _ in range(2))

    def step(client):
        client.forward_backward(data, "cross_entropy").result()
        client.optim_step(types.AdamParams(learning_rate=1e-3)).result()
        return logprobs_of(client.forward(data, "cross_entropy").result())

    step(first)
    path = first.save_state("halfway").result().path
    second.load_state_with_optimizer(path).result()
    return {"same_step": step(first) == step(second), "late": error_of(lambda: second.load_state(path).result())}, first, path


def sampling(service, base):
    sampler = settled(service.create_sampling_client(base_model=base))
    prompt = types.ModelInput.from_ints(SEQUENCES[0])
    params = types.SamplingParams(max_tokens=4, seed=7)
    output = sampler.sample(prompt=prompt, num_samples=3, sampling_params=params, include_prompt_logprobs=True).result()
    scored = sampler.compute_logprobs(prompt).result()
    return sampler, {
        "lengths": [len(one.tokens) == len(one.logprobs) and 1 <= len(one.tokens) <= 4 for one in output.sequences],
        "prompt_gap": max(abs(a - b) for a, b in zip(output.prompt_logprobs[1:], scored[1:])),
        "first": [output.prompt_logprobs[0], scored[0]],
    }


def main(url, forgetful):
    service = tinker.ServiceClient(base_url=url, api_key="tml-any")
    base = service.get_server_capabilities().supported_models[0].model_name
    client = settled(service.create_lora_training_client(base_model=base, rank=8))
    data = [cross_entropy(ids) for ids in SEQUENCES]
    now = logprobs_of(client.forward(data, "cross_entropy").result())
    seen = {"losses": losses(client, now)}
    client.optim_step(types.AdamParams(learning_rate=0.0)).result()
    if "--custom" in sys.argv:
        seen["custom"] = custom_loss(client, data, now)
    seen["asynchronous"] = asyncio.run(asynchronous(service, base, data))
    seen["loading"], saver, _ = loading(service, base, data)
    sampler, seen["sampling"] = sampling(service, base)

    prompt = types.ModelInput.from_ints([1, 2])
    other = tinker.ServiceClient(base_url=forgetful, api_key="tml-any")
    old = settled(other.create_lora_training_client(base_model=base, rank=8))
    for _ in range(2):
        old.forward(data, "cross_entropy").result()
    sample = lambda **params: sampler.sample(prompt=prompt, num_samples=1, sampling_params=types.SamplingParams(**params)).result()
    seen["errors"] = {
        "loss": error_of(lambda: client.forward_backward(data, "gspo").result()),
        "config": error_of(lambda: client.forward_backward(data, "cross_entropy", loss_fn_config={"beta": 1.0}).result()),
        "tokens": error_of(lambda: client.forward([cross_entropy([1, 99999])], "cross_entropy").result()),
        "goes_on": error_of(lambda: client.forward(data, "cross_entropy").result()),
        "taken": error_of(lambda: saver.save_state("halfway").result()),
        "base": error_of(lambda: settled(service.create_lora_training_client(base_model="no/model", rank=8))),
        "path": error_of(lambda: settled(service.create_sampling_client(model_path="tinker://nobody:train:0/sampler_weights/none"))),
        "no_max_tokens": error_of(lambda: sample(temperature=1.0)),
        "stop": error_of(lambda: sample(max_tokens=1, stop=["text"])),
        "unknown_future": error_of(lambda: future_of(client, "no-such-request").result()),
        "expired_future": error_of(lambda: future_of(old, "1").result()),
    }
    print(json.dumps(seen), flush=True)
    for one in [service, other]:
        if hasattr(one, "close"):
            one.close("success").result()


main(sys.argv[1], sys.argv[2])
