import { describe, expect, it } from 'vitest';
import { subjectOfPrediction } from '../src/index.js';

const instance = { instance_id: 'a__b-1', problem_statement: 'Broken.', patch: 'gold', files: { 'src/a.py': 'x' }, repo: 'a/b' };
const prediction = { instance_id: 'a__b-1', model_patch: 'mine', model_name_or_path: 'm' };
const messages = [
  { role: 'system', content: 'You fix bugs.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{"command":"cat /testbed/src/a.py"}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }] },
  { role: 'assistant', content: 'Done.' },
];

describe('a SWE-bench prediction as a subject', () => {
  it('keeps what the policy wrote and was answered', () => {
    const subject = subjectOfPrediction({ instance, prediction, messages });
    expect(subject).toMatchObject({ id: 'a__b-1', patch: 'mine', task: { goldPatch: 'gold', workspacePath: '/testbed' } });
    expect(subject.turns.map(({ text }) => text)).toEqual(['', 'Done.']);
    expect(subject.turns[0]?.calls[0]).toMatchObject({ name: 'bash', observation: 'x' });
  });

  it('takes a prediction without a patch as an empty one', () => {
    expect(subjectOfPrediction({ instance, prediction: { ...prediction, model_patch: null } }).patch).toBe('');
  });

  it('names what is wrong', () => {
    expect(() => subjectOfPrediction({ instance, prediction: { ...prediction, instance_id: 'other' } })).toThrow(
      /for a__b-1, got one for other/,
    );
    expect(() => subjectOfPrediction({ instance, prediction, messages: [{ role: 'robot' }] })).toThrow(/messages.*0\.role/);
    expect(() => subjectOfPrediction({ instance: null, prediction })).toThrow(/instance/);
  });
});
