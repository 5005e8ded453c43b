import { TadpoleError } from '@tadpole/contracts';

/** A third of what the kernel takes for all of them. */
const valueBytes = 65_536;

/** @throws TadpoleError `invalid-input` for a name or value that cannot stand in an environment. */
export function assertEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0') || Buffer.byteLength(value) > valueBytes) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `expected an environment variable without special characters and of at most ${valueBytes} bytes, got ${JSON.stringify(name.slice(0, 100))}`,
      });
    }
  }
}
