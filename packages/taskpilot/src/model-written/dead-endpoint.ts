import { TadpoleError } from '@tadpole/contracts';
import type { ReadyEndpoint } from './model-endpoint.js';

/** The error that ends the talk with an endpoint, with the head of what it last said. The key is replaced before the text is cut, or a part of it would stay. */
export function deadEndpoint(options: { endpoint: ReadyEndpoint; failures: number; text: string }): TadpoleError {
  const { endpoint, failures, text } = options;
  const { origin, pathname } = new URL(endpoint.baseURL);
  const spellings = [endpoint.apiKey, JSON.stringify(endpoint.apiKey).slice(1, -1)].filter((key) => key !== 'none');
  const said = spellings.reduce((rest, key) => rest.replaceAll(key, '[api key]'), text).slice(0, 1000);
  return new TadpoleError({
    code: 'policy',
    message: `Model ${endpoint.model} at ${origin}${pathname}: expected an answer, got none to ${failures} questions in a row; last: ${said} Look at the address, the key and the endpoint's log.`,
  });
}
