"""Teaches the model in the folder argv[1] the demonstrations in the file argv[2] by heart, in argv[3] steps, and writes it back."""

import json
import math
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

BATCH = 8
RATE = 3e-3
END = "<|im_end|>"


def sequence_of(tokenizer, conversation, tools):
    """Ids, and labels that leave out what the model does not write. Its turns are tokenised by themselves, as it samples them."""
    ids, labels, done = [], [], ""

    def add(text, is_own):
        new = tokenizer.encode(text, add_special_tokens=False)
        ids.extend(new)
        labels.extend(new if is_own else [-100] * len(new))

    for index, message in enumerate(conversation):
        if message["role"] != "assistant":
            continue
        render = {"tools": tools, "tokenize": False}
        prompt = tokenizer.apply_chat_template(conversation[:index], add_generation_prompt=True, **render)
        whole = tokenizer.apply_chat_template(conversation[: index + 1], **render)
        own = whole[len(prompt) : whole.index(END, len(prompt)) + len(END)]
        assert prompt.startswith(done) and whole.startswith(prompt)
        add(prompt[len(done) :], False)
        add(own, True)
        done = prompt + own
    return ids, labels


def batch_of(sequences, pad):
    length = max(len(ids) for ids, _ in sequences)
    ids = torch.tensor([ids + [pad] * (length - len(ids)) for ids, _ in sequences])
    labels = torch.tensor([labels + [-100] * (length - len(labels)) for _, labels in sequences])
    return ids, labels


def main(folder, file, steps):
    # A second thread waits for the first more than it computes at this size, above all on a busy machine.
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    with open(file) as stream:
        given = json.load(stream)
    sequences = [sequence_of(tokenizer, conversation, given["tools"]) for conversation in given["conversations"]]
    steps = int(steps)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    ramp = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 20) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * step / steps)))
    )
    torch.manual_seed(2)
    order = []
    for _ in range(steps):
        if len(order) < BATCH:
            order = torch.randperm(len(sequences)).tolist()
        ids, labels = batch_of([sequences[order.pop()] for _ in range(BATCH)], tokenizer.pad_token_id)
        logits = model(ids).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        ramp.step()
    model.save_pretrained(folder)
    longest = max(len(ids) for ids, _ in sequences)
    print(json.dumps({"sequences": len(sequences), "longest": longest, "loss": round(loss.item(), 4)}))


main(*sys.argv[1:])
