#!/usr/bin/env bash
# Starts a private dockerd in DIRECTORY, without network, registry or effect on another engine of this machine, and prints its socket.
set -eu
[ "$(id -u)" -eq 0 ] || { echo 'expected root, which makes control groups and mounts' >&2; exit 1; }
directory=$1
mkdir -p "$directory"
dockerd -H "unix://$directory/docker.sock" --data-root "$directory/root" --exec-root "$directory/exec" -p "$directory/engine.pid" \
  --bridge=none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false --userland-proxy=false \
  --storage-driver=overlay2 --exec-opt native.cgroupdriver=cgroupfs --log-level=warn >"$directory/log" 2>&1 </dev/null &
for _ in $(seq 300); do
  if curl -sf --unix-socket "$directory/docker.sock" http://engine/_ping >/dev/null; then
    echo "$directory/docker.sock"
    exit 0
  fi
  sleep 0.1
done
tail -n 40 "$directory/log" >&2
echo "dockerd did not answer within 30 s" >&2
exit 1
