#!/usr/bin/env bash
# install-cookbook.sh DIRECTORY: makes a virtual environment with the official SDK, tinker-cookbook and PyTorch, and prints its interpreter.
set -eu
python3 -m venv "$1" >&2
pip() { "$1/bin/pip" install --disable-pip-version-check --no-compile --quiet "${@:2}" >&2; }
# PyTorch first, so that nothing later asks for a larger build of it.
pip "$1" torch==2.13.0
pip "$1" tinker==0.38.0 transformers==5.24.0 numpy==2.4.6 aiohttp blobfile chz cloudpickle datasets pillow pyrage rich safetensors termcolor tiktoken tqdm sympy pylatexenc math-verify
# Without its dependencies: of these, tml-renderers has no release for Python 3.11 in the asked range, and is loaded for the Inkling models alone.
pip "$1" --no-deps tinker-cookbook==0.6.1
echo "$1/bin/python"
