import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatBody {
  readonly model: string;
  readonly seed: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

/** A number in [0, 1) that depends on the parts alone. */
export function drawOf(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * A real HTTP server that plays a model behind an OpenAI-compatible endpoint: it reads the file with the tool Read, writes with
 * the tool Write the right text, or in the other rollouts one that is no better, and ends its turn. Whether a rollout is
 * solved is drawn from its seed with the chance that `rateOf` gives for its instruction. Strict: a request of another form is
 * answered with 400 and makes `close` throw.
 */
export async function repairingServer(options: {
  /** The file in which every task's bug lies, and its right text. */
  file: string;
  solution: string;
  model: string;
  /** The chance of a task by its instruction, in [0, 1]. */
  rateOf: (instruction: string) => number;
}) {
  const { file, solution, model, rateOf } = options;
  const problems: string[] = [];
  /** Seeds of the requests that began a rollout. */
  const begun: number[] = [];
  const keys = new Set<string | undefined>();
  let [isDown, isHanging, hung] = [false, false, 0];

  function answer(body: ChatBody): object {
    const { messages, seed } = body;
    const instruction = messages.find(({ role }) => role === 'user')?.content ?? '';
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    if (turn === 0) {
      begun.push(seed);
      const isSolved = drawOf(instruction, seed) < rateOf(instruction);
      return { content: isSolved ? 'I see it.' : 'I guess.', tool_calls: [call('Read', { file_path: file })] };
    }
    if (turn === 2) return { content: 'Done.' };
    const isSolved = messages.some(({ role, content }) => role === 'assistant' && content === 'I see it.');
    return {
      content: '',
      tool_calls: [call('Write', { file_path: file, content: isSolved ? solution : `${solution}\nthrow new Error('?')\n` })],
    };
  }

  function problemOf(url: string | undefined, body: ChatBody): string | undefined {
    if (url !== '/v1/chat/completions') return `the path ${url}`;
    if (body.model !== model) return `the model ${body.model}`;
    if (!Number.isInteger(body.seed)) return `the seed ${body.seed}`;
    const roles = body.messages.map(({ role }) => role).join(' ');
    if (!/^system user( assistant tool){0,2}$/.test(roles)) return `messages of ${roles}`;
    const missing = ['Read', 'Write'].find((name) => !body.tools.some((tool) => tool.function.name === name));
    return missing === undefined ? undefined : `no tool ${missing}`;
  }

  const server = createServer(async (request, response) => {
    if (isDown) {
      request.socket.destroy();
      return;
    }
    if (isHanging) {
      hung += 1;
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatBody;
    keys.add(request.headers.authorization);
    const problem = problemOf(request.url, body);
    if (problem !== undefined) problems.push(problem);
    const message = problem === undefined ? { role: 'assistant', ...answer(body) } : undefined;
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    response.writeHead(problem === undefined ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(problem === undefined ? { choices, usage: tokensOfATurn } : { error: { message: problem } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    begun,
    keys,
    /** From now on connections are closed without an answer, or again not. */
    setDown(down: boolean) {
      isDown = down;
    },
    /** From now on requests are taken and not answered, or again answered. */
    setHanging(hanging: boolean) {
      isHanging = hanging;
    },
    /** Requests that were not answered. */
    hung: () => hung,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (problems.length > 0) throw new Error(`Expected requests of a rollout, received ${[...new Set(problems)].join(', ')}.`);
    },
  };
}

/** What every turn is said to take: with prices of 1 and 10 dollars a million tokens, 0.0004 dollars. */
const tokensOfATurn = { prompt_tokens: 300, completion_tokens: 10 };

function call(name: string, input: object): object {
  return { id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
