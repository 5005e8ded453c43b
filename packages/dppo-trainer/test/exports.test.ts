import type { Task } from '@tadpole/contracts';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type EngineExport, type ExportOptions, exportPrimeRl, exportSkyrl, exportVerl } from '../src/index.js';

const limits = {
  processes: 1,
  memoryBytes: 1,
  cpuSeconds: 1,
  timeoutMs: 1,
  fileBytes: 1,
  writtenBytes: 1,
  writtenFiles: 1,
  outputBytes: 1,
};
const taskOf = (id: string, instruction = `Fix ${id}.`): Task => ({
  directory: `/tasks/${id}`,
  data: {
    ...{ id, instruction, limits },
    environment: { dependencies: [], workspacePath: '/workspace' },
    verifier: {
      ...{ kind: 'tests', runner: 'node-test', testFiles: ['t.js'], failToPass: ['t.js::a'], passToPass: [] },
      ...{ protectedPaths: ['t.js'], timeoutMs: 1000 },
    },
    lineage: { kind: 'written', author: 'me', licence: 'MIT' },
  },
});
const scripted: Task = {
  ...taskOf('b'),
  data: { ...taskOf('b').data, verifier: { kind: 'script', timeoutMs: 5, env: {}, preferredReward: 'reward.json' } },
};
const options: ExportOptions = {
  tasks: [taskOf('a'), scripted],
  systemPrompt: 'You are an agent.',
  directory: '/out',
  settings: { model: 'Qwen/Qwen3.5-4B' },
};
const fileOf = ({ files }: EngineExport, name: string): string => {
  const file = files.find((each) => each.name === name);
  if (file === undefined) throw new Error(`Expected ${name}, got ${files.map((each) => each.name)}.`);
  return file.text;
};
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const prompt = (id: string) => [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: `Fix ${id}.` },
];
/** The words after the command, as bash reads them: every one is quoted with single quotes or plain. */
const overridesOf = (script: string) =>
  Object.fromEntries(
    [...script.matchAll(/^ {2}(.+?)(?: \\)?$/gm)]
      .map(([, word = '']) => (word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word))
      .filter((word) => word.includes('='))
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );

describe('an export for prime-rl', () => {
  test('is a TOML file with FrogNano settings that parses back', () => {
    const exported = exportPrimeRl(options);
    expect(parseToml(fileOf(exported, 'rl.toml'))).toEqual({
      max_steps: 200,
      seq_len: 65_536,
      model: { name: 'Qwen/Qwen3.5-4B' },
      orchestrator: {
        batch_size: 256,
        group_size: 8,
        max_off_policy_steps: 1,
        train: {
          sampling: { temperature: 1, max_completion_tokens: 8192 },
          env: [{ name: 'tadpole', taskset: { id: 'harbor', dataset: 'tadpole/tasks', tasks: ['a', 'b'] } }],
        },
      },
      trainer: {
        loss: { type: 'default', dppo_mask_low: 0.2, dppo_mask_high: 0.2, kl_tau: 0 },
        optim: { type: 'adamw', lr: 1e-6, betas1: 0.9, betas2: 0.98, weight_decay: 0.1, max_norm: 1 },
        scheduler: { type: 'constant' },
      },
      inference: {},
    });
    expect(fileOf(exported, 'rl.toml')).toMatch(/# .*pull request 3418/);
    expect(exported.launch).toBe('uv run rl @ /out/rl.toml');
  });

  test('writes thresholds and learning rate so that Python reads floats', () => {
    const text = fileOf(exportPrimeRl(options), 'rl.toml');
    expect(text).toMatch(/^temperature = 1(\.0)?$/m);
    expect(text).toMatch(/^lr = (1e-6|0\.000001)$/m);
  });

  test('has one row a task, with what grades it', () => {
    const rows = rowsOf(fileOf(exportPrimeRl(options), 'tasks.jsonl'));
    expect(rows.map(({ example_id, task, prompt: messages }) => [example_id, task, messages])).toEqual([
      [0, 'a', prompt('a')],
      [1, 'b', prompt('b')],
    ]);
    expect(JSON.parse(String(rows[0]?.info))).toMatchObject({ taskId: 'a', directory: '/tasks/a', verifier: { failToPass: ['t.js::a'] } });
  });

  test('refuses Binary-KL, which its loss is not', () => {
    expect(() => exportPrimeRl({ ...options, settings: { ...options.settings, divergence: 'kl' } })).toThrow(/masks by the probability/);
  });
});

describe('an export for verl', () => {
  test('is a YAML file that anchors DPPO on the rollout, says why, and parses back', () => {
    const text = fileOf(exportVerl(options), 'tadpole.yaml');
    const parsed = parseYaml(text);
    expect(parsed).toMatchObject({
      defaults: ['ppo_trainer', '_self_'],
      algorithm: { adv_estimator: 'grpo', norm_adv_by_std_in_grpo: true, rollout_correction: { bypass_mode: true } },
      data: { train_files: ['/out/train.jsonl'], train_batch_size: 32, max_prompt_length: 8192, max_response_length: 57_344 },
      actor_rollout_ref: {
        actor: {
          policy_loss: { loss_mode: 'dppo_tv' },
          clip_ratio_low: 0.2,
          clip_ratio_high: 0.2,
          clip_ratio_c: 10_000,
          loss_agg_mode: 'token-mean',
          use_kl_loss: false,
          ppo_mini_batch_size: 32,
          optim: { lr: 1e-6, betas: [0.9, 0.98], weight_decay: 0.1, clip_grad: 1 },
        },
        rollout: { n: 8, temperature: 1, calculate_log_probs: true, multi_turn: { max_assistant_turns: 75 } },
      },
      trainer: { use_v1: true, total_training_steps: 200 },
    });
    expect(text).toMatch(/#.*anchor is the policy that sampled[\s\S]*rollout_correction:\n +bypass_mode: true/);
  });

  test('writes the learning rate so that any YAML reader takes it for a number', () => {
    expect(fileOf(exportVerl(options), 'tadpole.yaml')).toMatch(/^ +lr: 0\.000001$/m);
  });

  test('takes Binary-KL with its own thresholds', () => {
    const settings = { ...options.settings, divergence: 'kl' as const, deltaHigh: 0.1 };
    expect(parseYaml(fileOf(exportVerl({ ...options, settings }), 'tadpole.yaml')).actor_rollout_ref.actor).toMatchObject({
      policy_loss: { loss_mode: 'dppo_kl' },
      clip_ratio_low: 0.05,
      clip_ratio_high: 0.1,
    });
  });

  test('has rows of one form whatever grades them', () => {
    const rows = rowsOf(fileOf(exportVerl(options), 'train.jsonl'));
    expect(rows[1]).toEqual({
      data_source: 'tadpole',
      prompt: prompt('b'),
      ability: 'code',
      reward_model: { style: 'rule', ground_truth: expect.stringContaining('"kind":"script"') },
      extra_info: { split: 'train', index: 1, task_id: 'b' },
    });
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(rows[1] ?? {}));
  });
});

describe('an export for SkyRL', () => {
  test('sets the DPPO loss, switches its KL loss off and keeps the log-probabilities of the rollout', () => {
    const exported = exportSkyrl(options);
    expect(overridesOf(fileOf(exported, 'launch.sh'))).toMatchObject({
      'data.train_data': "['/out/train.jsonl']",
      'trainer.algorithm.policy_loss_type': 'dppo',
      'trainer.algorithm.dppo.dppo_type': 'binary_tv',
      'trainer.algorithm.dppo.delta_low': '0.2',
      'trainer.algorithm.dppo.delta_high': '0.2',
      'trainer.algorithm.use_kl_loss': 'false',
      'trainer.policy.optimizer_config.lr': '0.000001',
      'trainer.policy.optimizer_config.adam_betas': '[0.9,0.98]',
      'trainer.policy.optimizer_config.weight_decay': '0.1',
      'trainer.policy.optimizer_config.max_grad_norm': '1',
      'trainer.train_batch_size': '32',
      'generator.n_samples_per_prompt': '8',
      'generator.max_turns': '75',
      'generator.sampling_params.max_generate_length': '8192',
      'generator.sampling_params.temperature': '1',
      'generator.sampling_params.logprobs': '1',
    });
    expect(exported.launch).toBe('bash /out/launch.sh');
  });

  test('has rows with env_class and reward_spec', () => {
    expect(rowsOf(fileOf(exportSkyrl(options), 'train.jsonl'))[0]).toEqual({
      prompt: prompt('a'),
      env_class: 'tadpole',
      reward_spec: { method: 'rule', ground_truth: expect.stringContaining('"taskId":"a"') },
      extra_info: { split: 'train', index: 0, task_id: 'a' },
    });
  });
});

describe.each([
  ['prime-rl', exportPrimeRl],
  ['verl', exportVerl],
  ['SkyRL', exportSkyrl],
] as const)('any export for %s', (_name, exporter) => {
  test('carries any statement unchanged, one line a row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (instruction) => {
        const exported = exporter({ ...options, tasks: [taskOf('a', instruction)] });
        const rows = rowsOf(exported.files.find(({ name }) => name.endsWith('.jsonl'))?.text ?? '');
        expect(rows).toHaveLength(1);
        expect(rows[0]?.prompt).toEqual([
          { role: 'system', content: 'You are an agent.' },
          { role: 'user', content: instruction },
        ]);
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  test('quotes a folder with spaces and semicolons for the shell', () => {
    expect(exporter({ ...options, directory: '/it; is here' }).launch).toContain("'/it; is here");
  });

  test('says when there are too few tasks for an update', () => {
    expect(exporter(options).notes.join(' ')).toContain('An update has 32 groups, and there are fewer tasks: 2.');
    expect(exporter({ ...options, settings: { ...options.settings, groups: 2 } }).notes.join(' ')).not.toContain('fewer');
  });

  test.each<[string, Partial<ExportOptions>, string, RegExp]>([
    ['no tasks', { tasks: [] }, 'invalid-input', /got none/],
    ['a task twice', { tasks: [taskOf('a'), taskOf('a')] }, 'invalid-input', /a twice/],
    ['another temperature', { settings: { model: 'm', temperature: 0.7 as 1 } }, 'invalid-config', /temperature/],
    ['an unknown key', { settings: { model: 'm', delta: 1 } as never }, 'invalid-config', /delta/],
    ['a model that a shell would read', { settings: { model: 'm;$(x)' } }, 'invalid-config', /model/],
    ['a prompt as long as the context', { settings: { model: 'm', contextTokens: 100 } }, 'invalid-config', /promptTokens/],
  ])('refuses %s', (_what, change, code, message) => {
    const attempt = () => exporter({ ...options, ...change });
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  });
});

test.each([exportPrimeRl, exportSkyrl, exportVerl])('$name refuses a folder that an engine would read as syntax', (exporting) => {
  for (const directory of ["/tmp/it's", '/tmp/{oc.env:HOME}', '/tmp/a"b', '/tmp/a\nb']) {
    expect(() => exporting({ ...options, directory })).toThrow(/expected a folder without quotes/i);
  }
});
