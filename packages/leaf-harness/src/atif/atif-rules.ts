import type { AtifStep } from './atif-document.js';

/** What breaks a rule of the format. */
interface AtifIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

const agentOnly = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics', 'llm_call_count'] as const;

/**
 * The rules that reach over members (formats.md section 3.2): steps are numbered 1, 2, 3, …; what belongs to an agent
 * stands on its steps alone; a call's id is unique in its step; a result that names a call names one of its own step.
 */
export function stepIssues(steps: readonly AtifStep[]): AtifIssue[] {
  return steps.flatMap((step, index) => {
    const found: AtifIssue[] = [];
    if (step.step_id !== index + 1) found.push({ path: ['step_id'], message: `expected step_id ${index + 1}, received ${step.step_id}` });
    found.push(...misplaced(step), ...wrongIds(step));
    return found.map(({ path, message }) => ({ path: ['steps', index, ...path], message }));
  });
}

function misplaced(step: AtifStep): AtifIssue[] {
  if (step.source === 'agent') return [];
  return agentOnly
    .filter((name) => step[name] !== undefined)
    .map((name) => ({ path: [name], message: `expected ${name} on agent steps only, received it on a ${step.source} step` }));
}

function wrongIds(step: AtifStep): AtifIssue[] {
  const calls = new Set<string>();
  const repeated = (step.tool_calls ?? []).flatMap(({ tool_call_id: id }) => (calls.size === calls.add(id).size ? [id] : []));
  const named = (step.observation?.results ?? []).flatMap(({ source_call_id: id }) => (typeof id === 'string' ? [id] : []));
  return [
    ...repeated.map((id) => ({ path: ['tool_calls'], message: `expected every tool_call_id once, received ${id} again` })),
    ...named
      .filter((id) => !calls.has(id))
      .map((id) => ({ path: ['observation'], message: `expected source_call_id to name a call of its step, received ${id}` })),
  ];
}
