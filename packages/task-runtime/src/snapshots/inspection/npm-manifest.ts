import { z } from 'zod';

const names = z.record(z.string(), z.string()).catch({});

const manifestSchema = z.object({
  name: z.string().min(1).optional().catch(undefined),
  version: z.string().min(1).optional().catch(undefined),
  license: z
    .union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])
    .optional()
    .catch(undefined),
  licenses: z
    .array(z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]))
    .optional()
    .catch(undefined),
  main: z.string().optional().catch(undefined),
  exports: z.unknown().optional(),
  imports: z.unknown().optional(),
  scripts: names,
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  workspaces: z
    .union([z.array(z.string()), z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages)])
    .optional()
    .catch(undefined),
});

/** What an inspection uses of a `package.json`. */
export type NpmManifest = z.infer<typeof manifestSchema>;

/**
 * Reads a `package.json` that somebody else wrote: a member of the wrong type counts as absent.
 *
 * @returns `undefined` for text that is no JSON object.
 */
export function parseNpmManifest(text: string | undefined): NpmManifest | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(text.replace(/^\ufeff/, '')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
