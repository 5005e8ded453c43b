import { TadpoleError } from '@tadpole/contracts';
import { stringify } from 'smol-toml';
import {
  assertExport,
  commonNotes,
  type EngineExport,
  type ExportOptions,
  jsonLines,
  openingOf,
  rewardText,
  shellWord,
} from './engine-export.js';
import { wholeExportSettings } from './export-settings.js';

const HEADER = `# DPPO with FrogNano's settings for prime-rl, by Tadpole.
#
# [trainer.loss]: "default" is DPPO Binary-TV on the rollout's own log-probabilities. prime-rl has it up to its pull request 3418
# (merged on 27 August 2026), which took it out; later revisions refuse this section. Check out a revision before it.
# kl_tau is 0 because FrogNano has no KL term; prime-rl's own default is 0.001.
#
# [[orchestrator.train.env]]: names Harbor tasks; "dataset" must be where yours are registered, and a harness with its runtime is yours to add.
`;

/**
 * Files for prime-rl, which owns its loop: `rl.toml`, and `tasks.jsonl` with the rows of a verifiers environment (prompt, task,
 * info). It rolls out `groups * groupSize` trajectories an update.
 *
 * @throws TadpoleError `invalid-config`, `invalid-input`, or `unsupported` for Binary-KL, which its loss is not.
 */
export function exportPrimeRl(options: ExportOptions): EngineExport {
  const { tasks, systemPrompt, directory } = options;
  const settings = wholeExportSettings(options.settings);
  assertExport(options);
  if (settings.divergence === 'kl') {
    const message = 'prime-rl masks by the probability difference (TV): expected divergence tv, got kl. verl and SkyRL have both.';
    throw new TadpoleError({ code: 'unsupported', message });
  }
  const configuration = {
    max_steps: settings.updates,
    seq_len: settings.contextTokens,
    model: { name: settings.model },
    orchestrator: {
      batch_size: settings.groups * settings.groupSize,
      group_size: settings.groupSize,
      max_off_policy_steps: settings.lag,
      train: {
        sampling: { temperature: settings.temperature, max_completion_tokens: settings.turnTokens },
        env: [{ name: 'tadpole', taskset: { id: 'harbor', dataset: 'tadpole/tasks', tasks: tasks.map(({ data }) => data.id) } }],
      },
    },
    trainer: {
      loss: { type: 'default', dppo_mask_low: settings.deltaLow, dppo_mask_high: settings.deltaHigh, kl_tau: 0 },
      optim: {
        type: 'adamw',
        lr: settings.learningRate,
        betas1: settings.beta1,
        betas2: settings.beta2,
        weight_decay: settings.weightDecay,
        max_norm: settings.gradientClip,
      },
      scheduler: { type: 'constant' },
    },
    inference: {},
  };
  const rows = tasks.map((task, index) => ({
    example_id: index,
    prompt: openingOf({ task, systemPrompt }),
    answer: '',
    task: task.data.id,
    info: rewardText(task),
  }));
  return {
    files: [
      { name: 'rl.toml', text: `${HEADER}\n${stringify(configuration)}\n` },
      { name: 'tasks.jsonl', text: jsonLines(rows) },
    ],
    launch: `uv run rl @ ${shellWord(`${directory}/rl.toml`)}`,
    notes: [
      ...commonNotes({ tasks, groups: settings.groups }),
      'The loss "default" is in revisions of prime-rl before its pull request 3418 (27 August 2026) only.',
      `The bound of ${settings.turns} turns is the harness's own setting in prime-rl.`,
      'prime-rl centres advantages on the group mean only; FrogNano also divides by the deviation.',
    ],
  };
}
