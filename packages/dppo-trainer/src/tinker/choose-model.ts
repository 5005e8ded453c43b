import { TadpoleError } from '@tadpole/contracts';
import { serverCapabilitiesSchema } from '@tadpole/contracts/tinker';
import { TinkerFailure } from './tinker-failure.js';
import type { Transport } from './tinker-transport.js';

/** The model that is meant, with the server's own word on its context, where it gives one. @throws TinkerFailure; TadpoleError `invalid-config` */
export async function chooseModel(options: {
  transport: Transport;
  baseModel?: string | undefined;
  signal?: AbortSignal | undefined;
}): Promise<{ readonly baseModel: string; readonly contextTokens: number | undefined }> {
  const answer = await options.transport({ method: 'GET', path: '/get_server_capabilities', signal: options.signal });
  const parsed = serverCapabilitiesSchema.safeParse(answer.json);
  if (!parsed.success)
    throw new TinkerFailure({ kind: 'malformed', message: 'expected the capabilities of a Tinker server, got another form' });
  const models = parsed.data.supported_models;
  const names = models.flatMap(({ model_name }) => model_name ?? []);
  const baseModel = options.baseModel ?? (names.length === 1 ? names[0] : undefined);
  if (baseModel === undefined || !names.includes(baseModel)) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: `createTinkerClient: expected baseModel to be one of ${names.join(', ') || 'no model'}, got ${options.baseModel ?? 'none'}.`,
    });
  }
  const contextTokens = models.find(({ model_name }) => model_name === baseModel)?.max_context_length ?? undefined;
  return { baseModel, contextTokens };
}
