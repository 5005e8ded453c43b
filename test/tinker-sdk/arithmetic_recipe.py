"""
Runs tinker-cookbook's recipe `math_rl` (environment `arithmetic`, which needs no data of a hub) against a server.

argv: the server's address, the base's tokenizer.json, a folder for the recipe's log. Prints the log's last line as one line of JSON.
"""

import asyncio
import json
import os
import sys

from tadpole_renderer import TadpoleRenderer, TadpoleTokenizer
from tinker_cookbook.recipes.math_rl.train import CLIConfig, cli_main
from tinker_cookbook.renderers import register_renderer
from tinker_cookbook.tokenizer_utils import register_tokenizer

MODEL = "tadpole/embedded"


def main(url, tokenizer, log_path):
    os.environ["TINKER_API_KEY"] = "tml-any"
    register_tokenizer(MODEL, lambda: TadpoleTokenizer(tokenizer))
    register_renderer("tadpole", lambda tokenizer, _: TadpoleRenderer(tokenizer))
    config = CLIConfig(
        base_url=url,
        model_name=MODEL,
        renderer_name="tadpole",
        env="arithmetic",
        loss_fn="importance_sampling",
        group_size=8,
        groups_per_batch=4,
        max_tokens=40,
        temperature=1.5,
        learning_rate=1e-3,
        max_steps=2,
        eval_every=0,
        save_every=0,
        log_path=log_path,
        behavior_if_log_dir_exists="delete",
    )
    asyncio.run(cli_main(config))
    with open(os.path.join(log_path, "metrics.jsonl"), encoding="utf-8") as file:
        print(json.dumps([json.loads(line) for line in file]))


main(*sys.argv[1:])
