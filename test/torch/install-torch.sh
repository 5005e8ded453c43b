#!/usr/bin/env bash
# install-torch.sh DIRECTORY: makes a virtual environment with the PyTorch that the engine is compared with, and prints its interpreter.
set -eu
python3 -m venv "$1" >&2
"$1/bin/pip" install --disable-pip-version-check --no-compile --quiet torch==2.13.0 numpy==2.4.6 >&2
echo "$1/bin/python"
