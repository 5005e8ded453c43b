import type { EngineSampler } from './engine-sampler.js';
import type { EngineServer } from './engine-server.js';

/** What a weight update needs of a sampler and the sampler does not show: its options hold the key. */
export interface EngineHandle<Options> {
  readonly server: EngineServer;
  readonly options: Options;
  /** Why the sampler must not be used any more. */
  retired: string | undefined;
}

const handles = new WeakMap<EngineSampler, EngineHandle<unknown>>();

/** Keeps the handle as long as the sampler. */
export function keepEngineHandle<Options>(sampler: EngineSampler, handle: EngineHandle<Options>): void {
  handles.set(sampler, handle as EngineHandle<unknown>);
}

/** The handle of a sampler that this package made. */
export function engineHandleOf<Options extends object>(sampler: EngineSampler): EngineHandle<Options> | undefined {
  return handles.get(sampler) as EngineHandle<Options> | undefined;
}
