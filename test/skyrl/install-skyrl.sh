#!/usr/bin/env bash
# install-skyrl.sh DIRECTORY [cuda12]: makes a virtual environment with SkyRL and its JAX backend, for the CPU or for CUDA 12, and
# prints its interpreter.
set -eu
case "${2:-cpu}" in
  cpu) jax=(jax==0.10.2 jaxlib==0.10.2) ;;
  cuda12) jax=('jax[cuda12]==0.10.2' jaxlib==0.10.2) ;;
  *) echo "install-skyrl.sh: expected cuda12 or nothing, got $2" >&2 && exit 2 ;;
esac
python3 -m venv "$1" >&2
pip() { "$1/bin/pip" install --disable-pip-version-check --no-compile --quiet "${@:2}" >&2; }
# PyTorch first, so that nothing later asks for a larger build of it.
pip "$1" torch==2.13.0
pip "$1" 'skyrl[tinker,jax]==0.3.0' transformers==5.8.0 peft==0.18.1 "${jax[@]}" 'flax>=0.12.2,<0.13' optax==0.2.8 psutil
echo "$1/bin/python"
