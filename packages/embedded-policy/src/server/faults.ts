/** What goes wrong with a request. `stuck` takes a `retrieve_future` and lets it poll for ever. */
export type Fault = 'drop' | 'half' | 'stuck' | { readonly status: number } | { readonly delayMs: number };

/**
 * Faults to show that a client survives them: asked for every request, with its number from 0 and its path below `/api/v1`;
 * `undefined` lets it be.
 */
export type FaultPlan = (request: { readonly number: number; readonly path: string }) => Fault | undefined;
