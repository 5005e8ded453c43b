"""Trains and samples with the official SDK against a server whose address is argv[1]; prints what was seen as one line of JSON."""

import json
import sys

import tinker
from tinker import types

from sdk_calls import cross_entropy, datum, logprobs_of, settled


def main(url):
    service = tinker.ServiceClient(base_url=url, api_key="tml-any")
    [supported] = service.get_server_capabilities().supported_models
    client = settled(service.create_lora_training_client(base_model=supported.model_name, rank=8))
    seen = {"model": supported.model_name, "info": client.get_info().model_data.model_name}

    sequences = [[1 + (7 * i + 3 * j) % 200 for j in range(12)] for i in range(4)]
    data = [cross_entropy(ids) for ids in sequences]
    losses = []
    for _ in range(8):
        backward = client.forward_backward(data, "cross_entropy")
        step = client.optim_step(types.AdamParams(learning_rate=1e-3, beta1=0.9, beta2=0.98, weight_decay=0.1))
        losses.append(backward.result().metrics["loss:sum"])
        step.result()
    seen["losses"] = losses

    before = logprobs_of(client.forward(data, "cross_entropy").result())
    sampler = settled(client.save_weights_and_get_sampling_client())
    params = types.SamplingParams(max_tokens=8, temperature=1.0, seed=5, stop=[0])
    prompt = types.ModelInput.from_ints(sequences[0][:4])
    samples = sampler.sample(prompt=prompt, num_samples=2, sampling_params=params).result().sequences
    again = sampler.sample(prompt=prompt, num_samples=2, sampling_params=params).result().sequences
    seen["sample"] = {"tokens": [list(one.tokens) for one in samples], "reasons": [one.stop_reason for one in samples]}
    seen["repeats"] = [list(one.tokens) for one in again] == seen["sample"]["tokens"]
    whole = sequences[0][:4] + list(samples[0].tokens)
    scored = logprobs_of(client.forward([cross_entropy(whole)], "cross_entropy").result())[0][3:]
    seen["sampler_gap"] = max(abs(a - b) for a, b in zip(samples[0].logprobs, scored))
    prompt_logprobs = sampler.compute_logprobs(types.ModelInput.from_ints(sequences[0])).result()
    seen["first_prompt_logprob"] = prompt_logprobs[0]
    seen["prompt_gap"] = max(abs(a - b) for a, b in zip(prompt_logprobs[1:], before[0]))

    saved = client.save_state("kept").result().path
    policy = [
        datum(ids, logprobs=row, advantages=[(-1.0) ** i] * (len(ids) - 1)) for i, (ids, row) in enumerate(zip(sequences, before))
    ]
    for loss in ["importance_sampling", "ppo"]:
        client.forward_backward(policy, loss).result()
        client.optim_step(types.AdamParams(learning_rate=1e-3)).result()
    after = logprobs_of(client.forward(data, "cross_entropy").result())
    seen["rewarded"] = sum(after[0]) - sum(before[0])
    seen["punished"] = sum(after[1]) - sum(before[1])

    restored = settled(service.create_training_client_from_state(saved))
    back = logprobs_of(restored.forward(data, "cross_entropy").result())
    seen["restore_gap"] = max(abs(a - b) for one, other in zip(back, before) for a, b in zip(one, other))
    rest = service.create_rest_client()
    seen["run"] = rest.get_training_run(client.model_id).result().training_run_id == client.model_id
    seen["checkpoints"] = [one.checkpoint_type for one in rest.list_checkpoints(client.model_id).result().checkpoints]
    if hasattr(service, "close"):
        service.close("success").result()
    print(json.dumps(seen))


main(sys.argv[1])
