import { type SandboxEnvironment, type SandboxLimits, sandboxLimitsSchema, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

const mountsSchema = z.array(z.strictObject({ source: z.string().min(1), target: z.string().min(1) })).optional();

const environmentSchema = z.strictObject({
  image: z.string().min(1).optional(),
  workspace: z.string().min(1),
  workspaceKey: z.string().min(1).optional(),
  workspacePath: z.string().optional(),
  readOnlyMounts: mountsSchema,
  writableMounts: mountsSchema,
  env: z.record(z.string(), z.string()).optional(),
});

const requestSchema = z.object({ environment: environmentSchema, limits: sandboxLimitsSchema });

/** Checks what a sandbox is to be opened with. @throws TadpoleError `invalid-input` that names what is missing, unknown or ill-typed. */
export function parseOpenRequest(request: { environment: SandboxEnvironment; limits: SandboxLimits }): {
  environment: SandboxEnvironment;
  limits: SandboxLimits;
} {
  const parsed = requestSchema.safeParse(request);
  if (parsed.success) return parsed.data;
  const message = `expected an environment and complete limits of a sandbox, got:\n${z.prettifyError(parsed.error)}`;
  throw new TadpoleError({ code: 'invalid-input', message, cause: parsed.error });
}
