#!/usr/bin/env bash
# Stops the engine that was started in DIRECTORY with every container that is left, and removes the folder.
set -u
directory=$1
pid=$(cat "$directory/engine.pid" 2>/dev/null || echo 0)
if [ -S "$directory/podman.sock" ]; then
  # Containers of podman outlive its service.
  CONTAINERS_CONF="$directory/containers.conf" podman --root "$directory/root" --runroot "$directory/run" --storage-driver=overlay rm --all --force --time 0
  # Of each ended exec, a monitor stays for five minutes.
  pgrep -f "^/usr/bin/conmon .*$directory/" | while read -r monitor; do kill -9 "$monitor" 2>/dev/null; done
fi
[ "$pid" -gt 0 ] && kill "$pid" 2>/dev/null
for _ in $(seq 200); do
  [ "$pid" -gt 0 ] && kill -0 "$pid" 2>/dev/null || break
  sleep 0.1
done
[ "$pid" -gt 0 ] && kill -9 "$pid" 2>/dev/null
# What an engine that was killed left of its containers.
pkill -9 -f "^/usr/bin/containerd-shim.* $directory/"
awk -v below="$directory/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount"; done
rm -rf --one-file-system "$directory"
[ ! -e "$directory" ]
