#!/usr/bin/env bash
# install-tinker.sh DIRECTORY [VERSION]: makes a virtual environment with a version of the official SDK, and prints its interpreter.
set -eu
python3 -m venv "$1" >&2
"$1/bin/pip" install --disable-pip-version-check --no-compile --quiet "tinker==${2:-0.38.0}" >&2
echo "$1/bin/python"
