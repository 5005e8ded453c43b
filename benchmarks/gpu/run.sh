#!/usr/bin/env bash
# run.sh PYTHON [--dry-run]: the benchmark on one GPU, in under 8 minutes and without a network. PYTHON is an interpreter with SkyRL
# and JAX for CUDA, as `test/skyrl/install-skyrl.sh DIRECTORY cuda12` makes one; --dry-run takes one for the CPU.
set -eu
if [ $# -lt 1 ] || ! [ -x "$1" ]; then
  echo "run.sh: expected the path of a Python interpreter, got ${1:-nothing}; test/skyrl/install-skyrl.sh DIRECTORY cuda12 makes one" >&2
  exit 2
fi
TADPOLE_SKYRL_PYTHON=$(realpath -s "$1")
export TADPOLE_SKYRL_PYTHON
shift
cd "$(dirname "$0")/../.."
limit=470
[ "${1:-}" = --dry-run ] && limit=900
exec timeout --kill-after=10 "$limit" node_modules/.bin/tsx --conditions=@tadpole/source benchmarks/bench.ts gpu "$@"
