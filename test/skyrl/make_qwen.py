"""Writes a random Qwen3 with its own tokenizer and chat template to the folder argv[1].

argv[2] is JSON: `config` holds fields of Qwen3Config over those of a model of about 0.14 M parameters; `tokens` is the size of the
tokenizer, which learns from the file of demonstrations argv[3] where one is given.
"""

import json
import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

# As Qwen3's own, but for the tools, of which it gives the names alone: their descriptions would be most of a short prompt.
TEMPLATE = (
    "{% for message in messages %}"
    "{% if message.role == 'tool' %}{{ '<|im_start|>user\n<tool_response>\n' + message.content + '\n</tool_response><|im_end|>\n' }}"
    "{% elif message.role == 'assistant' %}{{ '<|im_start|>assistant\n' + message.content }}"
    "{% for call in message.tool_calls or [] %}"
    "{{ '<tool_call>\n{\"name\": \"' + call.function.name + '\", \"arguments\": ' + (call.function.arguments | tojson) + '}\n</tool_call>' }}"
    "{% endfor %}{{ '<|im_end|>\n' }}"
    "{% else %}{{ '<|im_start|>' + message.role + '\n' + message.content }}"
    "{% if message.role == 'system' and tools %}{{ '\nTools:' }}"
    "{% for tool in tools %}{{ ' ' + tool.function.name }}{% endfor %}{% endif %}{{ '<|im_end|>\n' }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
SAMPLES = ["function add(a, b) { return a + b; }", "if (low < high) return low;"] * 20


def make_tokenizer(size, texts):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=TEMPLATE
    )


def texts_of(file):
    with open(file) as stream:
        conversations = json.load(stream)["conversations"]
    for message in (message for conversation in conversations for message in conversation):
        calls = [call["function"] for call in message.get("tool_calls", [])]
        yield message["content"]
        yield from (f'<tool_call>\n{{"name": "{call["name"]}", "arguments": {json.dumps(call["arguments"])}}}\n</tool_call>' for call in calls)


def main(folder, shape, demonstrations=None):
    shape = json.loads(shape)
    tokenizer = make_tokenizer(shape.get("tokens", 512), SAMPLES if demonstrations is None else texts_of(demonstrations))
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    small = {
        **{"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4},
        **{"num_key_value_heads": 2, "head_dim": 16, "vocab_size": 512, "max_position_embeddings": 512},
        **{"tie_word_embeddings": False, "dtype": "float32"},
    }
    config = Qwen3Config(
        **{**small, **shape.get("config", {})}, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
    )
    model = Qwen3ForCausalLM(config).to(config.dtype)
    model.save_pretrained(folder)
    print(json.dumps({"parameters": sum(parameter.numel() for parameter in model.parameters())}))


main(*sys.argv[1:])
