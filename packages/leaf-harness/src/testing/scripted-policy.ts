import type { AssistantMessage, Message, Policy, PolicyResponse, Sampling, ToolDefinition, TurnTokens, Usage } from '@tadpole/contracts';

/** One answer of a scripted policy. */
export interface ScriptedStep {
  /** @default '' */
  readonly content?: string;
  readonly reasoning?: string;
  /** Arguments as a value, or as the raw text that a model wrote. @default none */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string | Readonly<Record<string, unknown>> }[];
  /** @default 10 prompt and 5 completion tokens */
  readonly usage?: Usage;
  readonly tokens?: TurnTokens;
  /** @default 'stop' */
  readonly stopReason?: PolicyResponse['stopReason'];
}

/** What a policy was asked. */
export interface PolicyRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly sampling: Sampling;
  readonly signal?: AbortSignal;
}

/** A policy that plays a script back and keeps what it was asked. */
export interface ScriptedPolicy extends Policy {
  readonly requests: readonly PolicyRequest[];
  /** Throws when steps of the script were not used. */
  assertDone(): void;
}

/**
 * Answers with the given steps in order; a function gets the request and returns a step or throws. Strict: a request
 * after the last step throws, and `assertDone` throws for steps that were never used. Call ids are `call-TURN-INDEX`.
 */
export function scriptedPolicy(
  steps: readonly (ScriptedStep | ((request: PolicyRequest) => ScriptedStep | Promise<ScriptedStep>))[],
): ScriptedPolicy {
  const requests: PolicyRequest[] = [];
  return {
    name: 'scripted',
    requests,
    async respond(request) {
      const turn = requests.length;
      requests.push(request);
      const next = steps[turn];
      if (next === undefined) throw new Error(`The script has ${steps.length} steps; request ${turn + 1} was not expected.`);
      const step = typeof next === 'function' ? await next(request) : next;
      const message: AssistantMessage = {
        role: 'assistant',
        content: step.content ?? '',
        ...(step.reasoning === undefined ? {} : { reasoning: step.reasoning }),
        toolCalls: (step.toolCalls ?? []).map((call, index) => ({
          id: `call-${turn}-${index}`,
          name: call.name,
          arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
        })),
      };
      return {
        message,
        usage: step.usage ?? { promptTokens: 10, completionTokens: 5 },
        tokens: step.tokens,
        stopReason: step.stopReason ?? 'stop',
      };
    },
    assertDone() {
      if (requests.length < steps.length)
        throw new Error(`The script has ${steps.length} steps; ${steps.length - requests.length} were not used.`);
    },
  };
}
