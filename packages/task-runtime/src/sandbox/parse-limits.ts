import { type SandboxLimits, sandboxLimitsSchema, TadpoleError } from '@tadpole/contracts';

/** Checks the limits of a sandbox to be opened. @throws TadpoleError `invalid-input` when one is missing or no positive number. */
export function parseLimits(given: SandboxLimits): SandboxLimits {
  const parsed = sandboxLimitsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const message = `expected complete sandbox limits, got: ${parsed.error.message}`;
  throw new TadpoleError({ code: 'invalid-input', message, cause: parsed.error });
}
