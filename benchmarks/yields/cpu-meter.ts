import type { SandboxProvider } from '@tadpole/contracts';

/** A provider whose sandboxes' commands are counted. */
export interface CpuMeter {
  readonly provider: SandboxProvider;
  /** User and system time of every command that has ended, descendants that it waited for included. */
  seconds(): number;
}

const record = '/tmp/.cpu-times';

/**
 * Counts the processor time of commands: the shell around each one writes down what its children used. For a command that is
 * ended from outside, which cannot write, its wall time counts.
 */
export function createCpuMeter(provider: SandboxProvider): CpuMeter {
  let total = 0;
  return {
    seconds: () => total,
    provider: {
      describe: () => provider.describe(),
      async open(options) {
        const sandbox = await provider.open(options);
        return {
          ...sandbox,
          async run(request) {
            const command = `( ${request.command}\n)\nended=$?\ntimes >${record}\nexit $ended`;
            const result = await sandbox.run({ ...request, command });
            const written = result.timedOut ? null : await sandbox.readFile(record);
            total += written === null ? result.durationMs / 1000 : childSeconds(new TextDecoder().decode(written));
            return result;
          },
        };
      },
    },
  };
}

/** What `times` says of children: the second line, user and system time. */
function childSeconds(text: string): number {
  const parts = text.split('\n')[1]?.match(/(\d+)m([\d.]+)s/g) ?? [];
  return parts.reduce((sum, part) => {
    const [minutes = '0', seconds = '0'] = part.replace('s', '').split('m');
    return sum + 60 * Number(minutes) + Number(seconds);
  }, 0);
}
