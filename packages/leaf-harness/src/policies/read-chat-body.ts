import { chatCompletionSchema } from './chat-completion.js';
import { type ChatAnswer, type ChatFailure, chatFailure, lostAnswer } from './chat-failure.js';
import { jsonText } from './json-text.js';

/** How an engine ends a choice that it could not finish. */
const BROKEN_FINISHES: readonly unknown[] = ['error', 'abort', 'cancelled'];

/**
 * Reads the body of a response with status 200. Servers and gateways also send with it: an error frame, alone or as an
 * event of a stream that nobody asked for; no choice; a choice that broke off; half a body. Those are failures.
 */
export function readChatBody(text: string): ChatAnswer | ChatFailure {
  const frames = jsonFrames(text);
  if (frames === undefined) return lostAnswer(`Expected a JSON body, received ${text || 'nothing'}`);
  const errorFrame = frames.values.find(isErrorFrame);
  if (errorFrame !== undefined) return frameFailure(errorFrame);
  if (frames.isStream) {
    return chatFailure({ status: 400, text: 'Expected one JSON body, received a stream of events. Switch streaming off at the endpoint.' });
  }
  const parsed = chatCompletionSchema.safeParse(frames.values[0]);
  if (!parsed.success)
    return lostAnswer(`Expected a chat completion with a choice (look at the endpoint's log), received ${text || 'nothing'}`);
  const broken = parsed.data.choices.find((choice) => BROKEN_FINISHES.includes(choice.finish_reason));
  if (broken !== undefined) return lostAnswer(`Expected a finished choice, received the finish reason ${broken.finish_reason}.`);
  return { kind: 'answered', completion: parsed.data };
}

function jsonFrames(text: string): { values: unknown[]; isStream: boolean } | undefined {
  const value = parseJson(text);
  if (value !== undefined) return { values: [value], isStream: false };
  const events = text.split(/\r\n|\r|\n/).flatMap((line) => (line.startsWith('data:') ? [parseJson(line.slice(5))] : []));
  return events.length === 0 ? undefined : { values: events, isStream: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type ErrorFrame = Readonly<Record<string, unknown>>;

/** `{"error": …}`, or vLLM's `{"object": "error", …}`. */
function isErrorFrame(value: unknown): value is ErrorFrame {
  if (typeof value !== 'object' || value === null) return false;
  const frame = value as ErrorFrame;
  return (frame.error !== undefined && frame.error !== null) || frame.object === 'error';
}

function frameFailure(frame: ErrorFrame): ChatFailure {
  const error = frame.error ?? frame;
  const { message, code, type } = (typeof error === 'object' ? error : { message: error }) as Record<string, unknown>;
  return chatFailure({
    status: frameStatus(`${code}`, `${code} ${type}`),
    text: typeof message === 'string' ? message : jsonText(frame),
    body: frame,
  });
}

/** The status that the endpoint meant; 500 where the frame does not say. */
function frameStatus(code: string, names: string): number {
  if (/^[45]\d\d$/.test(code)) return Number(code);
  if (/rate.?limit/i.test(names)) return 429;
  return /invalid|authentication|permission|not.?found/i.test(names) ? 400 : 500;
}
