import type { EventSink, TadpoleEvent } from '@tadpole/contracts';
import { createLogUpdate } from 'log-update';
import type { Configuration } from '../run/configuration.js';
import { createRunSummarizer } from '../run/run-summary.js';
import { durationText, progressLines, rateText, updateText } from './progress-lines.js';

const redrawEveryMs = 150;

/** Shows a run while it goes on: a redrawn block on a terminal, plain lines elsewhere. */
export function createProgressSink(options: {
  stream: NodeJS.WriteStream;
  configuration: Configuration;
  now: () => Date;
  /** @default whether the stream is a terminal */
  isTerminal?: boolean;
}): EventSink & {
  /** Leaves the last display on the screen and draws no more. */
  close(): void;
} {
  const { stream, configuration } = options;
  const startedMs = options.now().getTime();
  const summarizer = createRunSummarizer();
  const elapsed = () => durationText(options.now().getTime() - startedMs).padStart(11);

  if (!(options.isTerminal ?? stream.isTTY)) {
    return {
      emit(event) {
        summarizer.add(event);
        const line = plainLine(event);
        if (line !== undefined) stream.write(`${elapsed()}  ${line}\n`);
      },
      close: () => {},
    };
  }

  const draw = createLogUpdate(stream);
  let drawnMs = 0;
  return {
    emit(event) {
      summarizer.add(event);
      const nowMs = options.now().getTime();
      const line = plainLine(event);
      if (line !== undefined) {
        draw.clear();
        stream.write(`${elapsed()}  ${line}\n`);
      } else if (nowMs - drawnMs < redrawEveryMs) return;
      drawnMs = nowMs;
      draw(progressLines({ summary: summarizer.summary, configuration, nowMs, startedMs }).join('\n'));
    },
    close: () => draw.done(),
  };
}

/** The line that an event deserves for itself, or undefined for the many small ones. */
function plainLine(event: TadpoleEvent): string | undefined {
  switch (event.type) {
    case 'run-start':
      return event.resumed ? `resuming run ${event.runId}` : `run ${event.runId}`;
    case 'snapshot-ready':
      return `${event.source}: ${event.tests} tests pass untouched${event.flaky > 0 ? `, ${event.flaky} set aside` : ''} (${event.split})`;
    case 'iteration-start':
      return `iteration ${event.iteration + 1}: making tasks for policy ${event.weightsVersion}`;
    case 'checkpoint-shift':
      return `iteration ${event.iteration + 1}: the policy's ability moved by ${event.shift.toFixed(2)} ± ${event.standardError.toFixed(2)} logits (${event.anchors} anchors)`;
    case 'synthesis-end':
      return `iteration ${event.iteration + 1}: ${synthesisEndText(event)}`;
    case 'update-alarm':
      return `update ${event.update + 1}: alarm ${event.alarm}: ${event.detail}`;
    case 'update-end':
      return `update ${event.update + 1}: ${updateText(event.metrics)}`;
    case 'evaluation-end':
      return `held out, ${event.label}: pass@1 ${rateText(event.passAt1)}${event.unscored > 0 ? `, ${event.unscored} unscored` : ''}`;
    case 'run-end':
      return `run ${event.reason}${event.detail ? `: ${event.detail}` : ''}`;
    default:
      return undefined;
  }
}

const endings = { count: '', budget: ', the budget is spent', exhausted: ', no candidate is left' } as const;

/** `45 tasks admitted with 612 rollouts (13.6 each), 3 unscored, 0.42 USD` */
function synthesisEndText(event: Extract<TadpoleEvent, { type: 'synthesis-end' }>): string {
  const { admitted, rollouts, unscored, costUsd } = event;
  const each = admitted === 0 ? '' : ` (${(rollouts / admitted).toFixed(1)} each)`;
  const price = costUsd === undefined ? 'no price' : `${costUsd.toFixed(2)} USD`;
  return `${admitted} tasks admitted with ${rollouts} rollouts${each}, ${unscored} unscored, ${price}${endings[event.ended]}`;
}
