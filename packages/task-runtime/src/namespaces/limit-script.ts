import type { SandboxLimits } from '@tadpole/contracts';

/** Resource limits of every process inside, set by the first shell before anything else runs. */
export function limitScript(options: {
  limits: SandboxLimits;
  /** True where no control group bounds the memory of all processes together. */
  limitProcessMemory: boolean;
}): string {
  const { limits } = options;
  return [
    'umask 022',
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`,
    'ulimit -n 1024',
    `ulimit -t ${limits.cpuSeconds}`,
    ...(options.limitProcessMemory ? [`ulimit -d ${Math.ceil(limits.memoryBytes / 1024)}`] : []),
    // dash calls it p, bash u.
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes}`,
  ]
    .map((line) => `${line} || exit 125`)
    .join('\n');
}
