import { Document, isMap } from 'yaml';
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

const HEADER = ` DPPO with FrogNano's settings for verl, by Tadpole. Laid over verl's own ppo_trainer; run in a checkout of verl.`;

const ANCHOR = ` verl's DPPO compares the policy with old_log_probs. Without bypass_mode the trainer recomputes those with its own weights, and the
 mask measures how far the update has moved from the recomputed policy. DPPO's anchor is the policy that sampled: bypass_mode takes the
 rollout's log-probabilities for old_log_probs, and rollout.calculate_log_probs makes the rollout record them. verl's own DPPO script
 sets neither. Keep trainer.use_v1: the older trainer writes loss_mode "bypass_mode", which is PPO clipping, over the one set here.`;

const THRESHOLDS = ` Under DPPO clip_ratio_low and clip_ratio_high are the thresholds of the mask, and clip_ratio_c caps the ratio: 10000 is off.`;

/**
 * Files for verl, which owns its loop: `tadpole.yaml` over its `ppo_trainer`, and `train.jsonl` with its rows (data_source, prompt,
 * reward_model, extra_info). A batch is `groups` tasks, each rolled out `groupSize` times.
 *
 * @throws TadpoleError `invalid-config` or `invalid-input`.
 */
export function exportVerl(options: ExportOptions): EngineExport {
  const { tasks, systemPrompt, directory } = options;
  const settings = wholeExportSettings(options.settings);
  assertExport(options);
  const data = `${directory}/train.jsonl`;
  const configuration = new Document({
    hydra: { searchpath: ['file://verl/trainer/config'] },
    defaults: ['ppo_trainer', '_self_'],
    algorithm: {
      adv_estimator: 'grpo',
      norm_adv_by_std_in_grpo: true,
      use_kl_in_reward: false,
      rollout_correction: { bypass_mode: true },
    },
    data: {
      train_files: [data],
      val_files: [data],
      train_batch_size: settings.groups,
      max_prompt_length: settings.promptTokens,
      max_response_length: settings.contextTokens - settings.promptTokens,
      filter_overlong_prompts: true,
      truncation: 'error',
    },
    actor_rollout_ref: {
      model: { path: settings.model },
      actor: {
        policy_loss: { loss_mode: `dppo_${settings.divergence}` },
        clip_ratio_low: settings.deltaLow,
        clip_ratio_high: settings.deltaHigh,
        clip_ratio_c: 10_000,
        loss_agg_mode: 'token-mean',
        use_kl_loss: false,
        entropy_coeff: 0,
        ppo_mini_batch_size: settings.groups,
        ppo_epochs: 1,
        optim: {
          lr: settings.learningRate,
          betas: [settings.beta1, settings.beta2],
          weight_decay: settings.weightDecay,
          clip_grad: settings.gradientClip,
          lr_scheduler_type: 'constant',
        },
      },
      rollout: {
        n: settings.groupSize,
        temperature: settings.temperature,
        top_p: 1,
        top_k: -1,
        calculate_log_probs: true,
        multi_turn: { max_assistant_turns: settings.turns },
      },
    },
    trainer: { use_v1: true, total_training_steps: settings.updates, val_before_train: false, test_freq: -1 },
  });
  configuration.commentBefore = HEADER;
  commentOn(configuration, ['algorithm', 'rollout_correction'], ANCHOR);
  commentOn(configuration, ['actor_rollout_ref', 'actor', 'policy_loss'], THRESHOLDS);
  const rows = tasks.map((task, index) => ({
    data_source: 'tadpole',
    prompt: openingOf({ task, systemPrompt }),
    ability: 'code',
    reward_model: { style: 'rule', ground_truth: rewardText(task) },
    extra_info: { split: 'train', index, task_id: task.data.id },
  }));
  return {
    files: [
      { name: 'tadpole.yaml', text: configuration.toString({ lineWidth: 0 }) },
      { name: 'train.jsonl', text: jsonLines(rows) },
    ],
    launch: `python3 -m verl.trainer.main_ppo --config-path=${shellWord(directory)} --config-name=tadpole`,
    notes: [
      ...commonNotes({ tasks, groups: settings.groups }),
      'The trainer is synchronous (lag 0) unless trainer.v1.trainer_mode says otherwise.',
      'Groups without a difference in reward stay in the batch, with advantage 0: verl filters them with algorithm.filter_groups only.',
      `verl bounds the whole response and the turns, not the tokens of one turn (${settings.turnTokens} here): bound those in the agent loop.`,
      'Betas and clip_grad are settings of the FSDP optimizer; the Megatron engine names its own.',
      'val_files repeats the training rows, because verl asks for some; validation is switched off.',
    ],
  };
}

function commentOn(document: Document, path: readonly string[], comment: string): void {
  const parent = document.getIn(path.slice(0, -1));
  if (!isMap(parent)) return;
  const pair = parent.items.find(({ key }) => String(key) === path.at(-1));
  if (pair?.key && typeof pair.key === 'object') (pair.key as { commentBefore?: string }).commentBefore = comment;
}
