import { TadpoleError } from '@tadpole/contracts';

/** @throws TadpoleError `invalid-input` for a name or value that cannot stand in an environment. */
export function assertEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `expected an environment variable without special characters, got ${JSON.stringify(name)}`,
      });
    }
  }
}
