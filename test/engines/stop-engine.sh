#!/usr/bin/env bash
# Stops the engine that was started in DIRECTORY with every container that is left, and removes the folder.
set -u
directory=$1
pid=$(cat "$directory/engine.pid")
if [ -S "$directory/podman.sock" ]; then
  # Containers of podman outlive its service.
  CONTAINERS_CONF="$directory/containers.conf" podman --root "$directory/root" --runroot "$directory/run" --storage-driver=overlay rm --all --force --time 0
fi
kill "$pid" 2>/dev/null
for _ in $(seq 200); do
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.1
done
kill -9 "$pid" 2>/dev/null
awk -v below="$directory/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount"; done
rm -rf "$directory"
[ ! -e "$directory" ]
