#!/usr/bin/env bash
# Starts a private podman service in DIRECTORY and prints its socket.
set -eu
[ "$(id -u)" -eq 0 ] || { echo 'expected root, which makes control groups and mounts' >&2; exit 1; }
mkdir -p "$1/root" "$1/run"
directory=$(realpath "$1")
# The default limits are above what a process without CAP_SYS_RESOURCE may set; runc takes control groups of both versions at once.
cat >"$directory/containers.conf" <<END
[containers]
default_ulimits = ["nofile=20000:20000","nproc=32768:32768"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
END
# Its monitors leave a file where they stand when a container runs out of memory.
cd "$directory"
CONTAINERS_CONF="$directory/containers.conf" podman --root "$directory/root" --runroot "$directory/run" --storage-driver=overlay \
  system service --time=0 "unix://$directory/podman.sock" >"$directory/log" 2>&1 </dev/null &
echo $! >"$directory/engine.pid"
for _ in $(seq 300); do
  if curl -sf --unix-socket "$directory/podman.sock" http://engine/_ping >/dev/null; then
    echo "$directory/podman.sock"
    exit 0
  fi
  sleep 0.1
done
tail -n 40 "$directory/log" >&2
echo "podman did not answer within 30 s" >&2
exit 1
