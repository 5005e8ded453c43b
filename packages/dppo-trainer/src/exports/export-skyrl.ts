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

const HEADER = `#!/usr/bin/env bash
# DPPO with FrogNano's settings for SkyRL, by Tadpole. Run in a checkout of SkyRL; further arguments are passed on.
# The loss reads the log-probabilities of the rollout: sampling_params.logprobs must stay set, or SkyRL falls back to recomputed ones.
# use_kl_loss is on in SkyRL unless it is switched off.
set -euo pipefail
`;

/**
 * Files for SkyRL, which owns its loop: `launch.sh` with its settings, and `train.jsonl` with its rows (prompt, env_class, reward_spec,
 * extra_info); its dataset reads JSON lines as well as parquet. A batch is `groups` tasks, each rolled out `groupSize` times.
 *
 * @throws TadpoleError `invalid-config` or `invalid-input`.
 */
export function exportSkyrl(options: ExportOptions): EngineExport {
  const { tasks, systemPrompt, directory } = options;
  const settings = wholeExportSettings(options.settings);
  assertExport(options);
  const overrides = {
    'data.train_data': `['${directory}/train.jsonl']`,
    'data.val_data': `['${directory}/train.jsonl']`,
    'trainer.policy.model.path': settings.model,
    'trainer.algorithm.policy_loss_type': 'dppo',
    'trainer.algorithm.dppo.dppo_type': `binary_${settings.divergence}`,
    'trainer.algorithm.dppo.delta_low': settings.deltaLow,
    'trainer.algorithm.dppo.delta_high': settings.deltaHigh,
    'trainer.algorithm.advantage_estimator': 'grpo',
    'trainer.algorithm.grpo_norm_by_std': true,
    'trainer.algorithm.zero_variance_filter': true,
    'trainer.algorithm.loss_reduction': 'token_mean',
    'trainer.algorithm.use_kl_loss': false,
    'trainer.algorithm.use_kl_in_reward': false,
    'trainer.policy.optimizer_config.lr': settings.learningRate,
    'trainer.policy.optimizer_config.adam_betas': `[${settings.beta1},${settings.beta2}]`,
    'trainer.policy.optimizer_config.weight_decay': settings.weightDecay,
    'trainer.policy.optimizer_config.max_grad_norm': settings.gradientClip,
    'trainer.train_batch_size': settings.groups,
    'trainer.policy_mini_batch_size': settings.groups,
    'trainer.update_epochs_per_batch': 1,
    'trainer.max_training_steps': settings.updates,
    'trainer.epochs': Math.ceil(settings.updates / Math.max(1, Math.floor(tasks.length / settings.groups))),
    'trainer.max_prompt_length': settings.promptTokens,
    'trainer.eval_before_train': false,
    'trainer.eval_interval': -1,
    'generator.n_samples_per_prompt': settings.groupSize,
    'generator.max_turns': settings.turns,
    'generator.sampling_params.max_generate_length': settings.turnTokens,
    'generator.sampling_params.temperature': settings.temperature,
    'generator.sampling_params.top_p': 1,
    'generator.sampling_params.top_k': -1,
    'generator.sampling_params.logprobs': 1,
    'generator.max_input_length': settings.contextTokens,
    'environment.env_class': 'tadpole',
  };
  const words = Object.entries(overrides).map(([key, value]) => shellWord(`${key}=${value}`));
  const command = ['uv run --isolated --extra fsdp -m skyrl.train.entrypoints.main_base', ...words, '"$@"'].join(' \\\n  ');
  const rows = tasks.map((task, index) => ({
    prompt: openingOf({ task, systemPrompt }),
    env_class: 'tadpole',
    reward_spec: { method: 'rule', ground_truth: rewardText(task) },
    extra_info: { split: 'train', index, task_id: task.data.id },
  }));
  return {
    files: [
      { name: 'launch.sh', text: `${HEADER}\n${command}\n` },
      { name: 'train.jsonl', text: jsonLines(rows) },
    ],
    launch: `bash ${shellWord(`${directory}/launch.sh`)}`,
    notes: [
      ...commonNotes({ tasks, groups: settings.groups }),
      'An environment named "tadpole" must be registered with skyrl-gym. SkyRL also reads the folders themselves, through its Harbor example.',
      'data.val_data repeats the training rows; evaluation is switched off. The trainer is synchronous (lag 0) unless trainer.fully_async says otherwise.',
    ],
  };
}
