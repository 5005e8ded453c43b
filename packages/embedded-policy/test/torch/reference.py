"""Answers one question, JSON on stdin, with one line of JSON: what PyTorch computes from a checkpoint of the engine."""

import json
import sys

import torch

from policy import read_checkpoint, target_logprobs


def logprobs_of(config, weights, sequences):
    """One pass a sequence: no padding that could hide a mistake."""
    for sequence in sequences:
        inputs, targets = torch.tensor([sequence["inputs"]]), torch.tensor([sequence["targets"]])
        yield target_logprobs(config, weights, inputs, targets)[0]


def logprobs(checkpoint, sequences):
    """Log-probabilities [T] of each sequence."""
    config, weights = read_checkpoint(checkpoint)
    with torch.inference_mode():
        return [row.tolist() for row in logprobs_of(config, weights, sequences)]


def gradients(checkpoint, sequences, logprobGradients):
    """The gradient of every weight, flat, from ∂loss/∂logprob [T] of each sequence, by autograd."""
    config, weights = read_checkpoint(checkpoint)
    for value in weights.values():
        value.requires_grad_()
    rows = logprobs_of(config, weights, sequences)
    sum((row * torch.tensor(slopes)).sum() for row, slopes in zip(rows, logprobGradients, strict=True)).backward()
    return {name: value.grad.flatten().tolist() for name, value in weights.items()}


def adamw(checkpoint, steps, learningRate):
    """Every weight, flat, after torch.optim.AdamW and clipping at norm 1 followed the given gradients, one a step."""
    _, weights = read_checkpoint(checkpoint)
    matrices = [value for value in weights.values() if value.dim() > 1]
    vectors = [value for value in weights.values() if value.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=learningRate, betas=(0.9, 0.98), eps=1e-8)
    norms = []
    for step in steps:
        for name, value in weights.items():
            value.grad = torch.tensor(step[name]).reshape(value.shape)
        norms.append(torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0).item())
        optimizer.step()
    return {"norms": norms, "weights": {name: value.flatten().tolist() for name, value in weights.items()}}


if __name__ == "__main__":
    question = json.load(sys.stdin)
    answer = {"logprobs": logprobs, "gradients": gradients, "adamw": adamw}[question.pop("call")](**question)
    print(json.dumps(answer))
