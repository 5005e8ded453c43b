import { TadpoleError } from '@tadpole/contracts';
import type { Contract } from './contract/read-contract.js';
import type { FailingExample } from './example/failing-example.js';

/** Rungs that are written in prose, from less to more information. */
export type ProseRung = 'contract' | 'function' | 'example';

/** What prose is written from. */
export interface ProseFacts {
  readonly file: string;
  /** Function that holds the bug, as `name` or `Class.name`. */
  readonly functionName?: string;
  readonly contract?: Contract;
  readonly example?: FailingExample;
}

/** Longest code and value that stand inside a sentence, in UTF-16 units. */
const longestInline = 60;
/** Longest printed value, in characters, the ellipsis included. */
const longestObserved = 300;

/** The rungs whose facts are there; see `writeProse`. */
export function proseRungs({ example, contract, functionName }: ProseFacts): ProseRung[] {
  if (example === undefined) return [];
  return [
    ...(contract === undefined ? [] : (['contract'] as const)),
    ...(functionName === undefined ? [] : (['function'] as const)),
    'example',
  ];
}

/**
 * Writes a statement as a maintainer would: a title, what happens, what should happen, code that shows both, and what
 * must stay. `contract` says what the entry point owes and not where the bug is; `function` says where and not what is owed
 * beside the example; `example` says all that is known.
 *
 * @throws TadpoleError `invalid-input` for a rung whose facts are absent.
 */
export function writeProse(options: ProseFacts & { rung: ProseRung }): string {
  const { rung, file, functionName, contract, example } = options;
  if (example === undefined || !proseRungs(options).includes(rung)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `writeStatement: the ${rung} rung needs an example${rung === 'example' ? '' : ` and a ${rung}`}; choose one of availableRungs(facts).`,
    });
  }
  const place = functionName === undefined ? `The fault is in \`${file}\`.` : `The fault is in \`${functionName}\` of \`${file}\`.`;
  const origin = rung === 'example' || example.moduleName !== undefined ? [originOf(example)] : [];
  return [
    titleOf(example),
    ...(rung === 'contract' ? origin : [[...origin, place].join(' ')]),
    ...(rung === 'function' || contract === undefined ? [] : describeContract(contract, example)),
    symptomOf(example),
    codeOf(example),
    'Existing behaviour must not change.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function titleOf({ entryPoint, outcome }: FailingExample): string {
  const says = {
    value: 'gives a wrong result',
    type: 'gives a result of the wrong type',
    error: 'fails where it should give a result',
    'no-error': 'accepts what it should refuse',
    'other-error': 'fails with the wrong error',
    hang: 'does not finish',
  };
  return `${code(entryPoint)} ${says[outcome]}`;
}

/** Where the code's names come from. */
function originOf({ entryPoint, module, moduleName }: FailingExample): string {
  const from = module === '' ? 'the package' : code(module);
  return moduleName === undefined ? `${code(entryPoint)} comes from ${from}.` : `${code(moduleName)} is what ${from} exports.`;
}

function describeContract({ signature, doc, examples }: Contract, { fence }: FailingExample): string[] {
  const head = signature === undefined ? [] : [`Its signature is ${code(signature)}.`];
  if (doc !== undefined)
    return [
      ...head,
      `Its contract:\n\n${doc
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')}`,
    ];
  const lines = examples.map(({ input, value }) => `${input} ${comment(fence)} ${value}`);
  return [...head, `It already holds that:\n\n${fenced(lines.join('\n'), fence)}`];
}

function symptomOf(example: FailingExample): string {
  const { call, setup, expected, outcome } = example;
  const [subject, given] = [setup === '' && isShort(call) ? code(call) : 'The last expression below', observedOf(example)];
  const value = isShort(expected) ? code(expected) : 'the expected value below';
  const seen = given !== undefined && isShort(given) ? code(given) : 'another value';
  const owed = `It should give ${value}`;
  const error = expected === 'an error' ? 'an error' : `an error that fits ${value}`;
  const failure = given !== undefined && isShort(given) ? `fails with ${code(given)}` : 'fails';
  switch (outcome) {
    case 'value':
      return `${subject} gives ${seen}. ${owed}.`;
    case 'type':
      return `${subject} gives ${seen}. ${owed}, ${isString(expected) ? 'a string' : 'not a string'}.`;
    case 'error':
      return `${subject} ${failure}. ${owed}.`;
    case 'no-error':
      return `${subject} runs without an error. It should fail with ${error}.`;
    case 'other-error':
      return `${subject} ${failure}. It should fail with ${error}.`;
    case 'hang':
      return `${subject} does not finish. ${owed}.`;
  }
}

/** The code, and below it what it gives and what it should give. */
function codeOf(example: FailingExample): string {
  const { setup, call, expected, fence, outcome } = example;
  const mark = comment(fence);
  const seen = { value: '', type: '', error: 'fails: ', 'other-error': 'fails: ', 'no-error': 'no error', hang: 'no end' }[outcome];
  const isThrown = outcome === 'no-error' || outcome === 'other-error';
  const remarks = [
    `observed: ${seen}${observedOf(example) ?? ''}`,
    `expected: ${isThrown && expected !== 'an error' ? 'fails: ' : ''}${expected}`,
  ];
  const lines = remarks.flatMap((remark) => remark.split('\n').map((line, index) => `${mark} ${index === 0 ? '' : '  '}${line}`));
  return fenced([...(setup === '' ? [] : [setup]), call, ...lines].join('\n'), fence);
}

function observedOf({ observed }: FailingExample): string | undefined {
  const characters = observed === undefined ? [] : [...observed];
  return characters.length <= longestObserved ? observed : `${characters.slice(0, longestObserved - 1).join('')}…`;
}

/** True for code that begins and ends as a string literal. */
export function isString(code: string): boolean {
  return /^(['"`])[\s\S]*\1$/.test(code);
}

function isShort(text: string): boolean {
  return text.length <= longestInline && text.trim() !== '' && !/[\r\n]/.test(text);
}

function comment(fence: string): string {
  return fence === 'python' ? '#' : '//';
}

/** A code span that holds any text of one line. */
function code(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${mark}${pad}${text}${pad}${mark}`;
}

function fenced(text: string, fence: string): string {
  const mark = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${mark}${fence}\n${text}\n${mark}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
