/** Numbers of the system calls that are refused, by Node's name of the architecture (Linux, `asm/unistd.h`). */
const refusedCalls: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  x64: {
    ...{ modify_ldt: 154, syslog: 103, uselib: 134, pivot_root: 155, adjtimex: 159, acct: 163, settimeofday: 164 },
    ...{ mount: 165, umount2: 166, swapon: 167, swapoff: 168, reboot: 169, sethostname: 170, setdomainname: 171, iopl: 172, ioperm: 173 },
    ...{ init_module: 175, delete_module: 176, quotactl: 179, lookup_dcookie: 212, clock_settime: 227, kexec_load: 246, add_key: 248 },
    ...{ request_key: 249, keyctl: 250, unshare: 272, perf_event_open: 298, fanotify_init: 300, open_by_handle_at: 304 },
    ...{ clock_adjtime: 305, setns: 308, finit_module: 313, kexec_file_load: 320, bpf: 321, userfaultfd: 323 },
  },
  arm64: {
    ...{ syslog: 116, pivot_root: 41, adjtimex: 171, acct: 89, settimeofday: 170, mount: 40, umount2: 39, swapon: 224, swapoff: 225 },
    ...{ reboot: 142, sethostname: 161, setdomainname: 162, init_module: 105, delete_module: 106, quotactl: 60, lookup_dcookie: 18 },
    ...{ clock_settime: 112, kexec_load: 104, add_key: 217, request_key: 218, keyctl: 219, unshare: 97, perf_event_open: 241 },
    ...{ fanotify_init: 262, open_by_handle_at: 265, clock_adjtime: 266, setns: 268, finit_module: 273, kexec_file_load: 294 },
    ...{ bpf: 280, userfaultfd: 282 },
  },
};

/** Calls that make memory which no process has mapped, so that nobody who looks at processes sees it. */
const hiddenMemoryCalls: Readonly<Record<string, readonly number[]>> = {
  // memfd_create, memfd_secret, shmget
  x64: [319, 447, 29],
  arm64: [279, 447, 194],
};

/** Calls that have one number on every architecture. */
const refusedEverywhere = {
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429, fsopen: 430, fsconfig: 431 },
  ...{ fsmount: 432, fspick: 433, mount_setattr: 442, quotactl_fd: 443 },
};

const architectures: Readonly<Record<string, { audit: number; socket: number }>> = {
  x64: { audit: 0xc000003e, socket: 41 },
  arm64: { audit: 0xc00000b7, socket: 198 },
};

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const socketFamilies = [1, 2, 10, 16];

const [loadWord, jumpIfEqual, jumpIfAtLeast, answer] = [0x20, 0x15, 0x35, 0x06];
const [callOffset, architectureOffset, argumentOffset] = [0, 4, 16];
const [allow, notPermitted, noSuchFamily] = [0x7fff0000, 0x00050001, 0x00050061];

/**
 * A seccomp program (classic BPF, as `bwrap --seccomp` reads it) that refuses what code under test never needs and what
 * kernel exploits often begin with: keys, BPF, performance events, io_uring, mounts, namespaces, modules, clocks, the
 * kernel's log, and sockets of other families than Unix, IPv4, IPv6 and netlink. Programs of another architecture than
 * this machine's, 32-bit ones included, find every call refused.
 *
 * @returns `undefined` on an architecture that it does not know.
 */
export function seccompFilter(options: {
  architecture: string;
  /** `refused` where the memory of processes is watched instead of bounded by the kernel. */
  hiddenMemory: 'allowed' | 'refused';
}): Buffer | undefined {
  const architecture = architectures[options.architecture];
  const refused = refusedCalls[options.architecture];
  if (architecture === undefined || refused === undefined) return undefined;
  const hidden = options.hiddenMemory === 'refused' ? (hiddenMemoryCalls[options.architecture] ?? []) : [];
  const numbers = [...Object.values({ ...refused, ...refusedEverywhere }), ...hidden];
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [loadWord, 0, 0, architectureOffset],
    [jumpIfEqual, 1, 0, architecture.audit],
    [answer, 0, 0, notPermitted],
    [loadWord, 0, 0, callOffset],
  ];
  const families = socketFamilies.length;
  // What follows the tests: the socket's test, its families, then the three answers.
  const toRefusal = (position: number) => numbers.length - position + families + 4;
  // The second set of numbers of x86-64, for 32-bit pointers.
  program.push([jumpIfAtLeast, toRefusal(0), 0, 0x40000000]);
  for (const [index, number] of numbers.entries()) program.push([jumpIfEqual, toRefusal(index + 1), 0, number]);
  program.push([jumpIfEqual, 0, families + 2, architecture.socket], [loadWord, 0, 0, argumentOffset]);
  for (const [index, family] of socketFamilies.entries()) program.push([jumpIfEqual, families - index, 0, family]);
  program.push([answer, 0, 0, noSuchFamily], [answer, 0, 0, allow], [answer, 0, 0, notPermitted]);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
