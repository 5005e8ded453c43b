// Runs the small model on its task and prints the transcript that stands in docs/real-model-transcript.md.
import type { Turn } from '@tadpole/contracts';
import { createChatPolicy } from '@tadpole/leaf-harness';
import { solveTask } from './solve-task.js';
import { startServer } from './start-server.js';

const server = await startServer();
try {
  const policy = createChatPolicy({ baseUrl: server.baseUrl, apiKey: 'none', model: 'SmolLM2-135M-Instruct' });
  const { trajectory, outcome, emptyOutcome } = await solveTask({ policy });
  const reward = (graded: typeof outcome) => (graded.status === 'scored' ? `${graded.reward}` : `none (${graded.detail})`);
  console.log(`# A real model completes a task

SmolLM2-135M-Instruct, in 4 bits on one processor core, works through \`createChatPolicy\` at an OpenAI-compatible
endpoint, with the tool Edit in a namespace sandbox, greedily. \`npm run test:real-model\` installs the model and checks the
same run; this page is the output of

\`\`\`sh
npm run --silent transcript > docs/real-model-transcript.md
\`\`\`

The model has 135 million parameters and a chat template without tools. Its server therefore shows it two worked examples
of an edit before the conversation (\`test/real-model/small-model-prompt.ts\`); nothing constrains what it writes. With the
schemas of the tools in the prompt it wrote tool responses instead of calls; without the examples it wrote prose and code;
asked to replace \`<\` by \`<=\` it edited a file that does not exist. The task is chosen to be within its reach.

## The conversation

${[...trajectory.opening.map(({ role, content }) => section(role, content)), ...trajectory.turns.map(turnText)].join('\n\n')}

## The end

| | |
| --- | --- |
| stop reason | \`${trajectory.stopReason}\` |
| tokens | ${trajectory.usage.promptTokens} of prompts, ${trajectory.usage.completionTokens} written |
| reward of the patch | ${reward(outcome)} |
| reward of an empty patch | ${reward(emptyOutcome)} |

\`\`\`diff
${trajectory.patch.trimEnd()}
\`\`\``);
} finally {
  await server.close();
}

function turnText({ assistant, observations }: Turn): string {
  const calls = assistant.toolCalls.map(({ name, arguments: text }) => `${name} ${text}`);
  return [
    section('assistant', [assistant.content, ...calls].filter(Boolean).join('\n')),
    ...observations.map(({ content }) => section('tool', content)),
  ].join('\n\n');
}

function section(role: string, text: string): string {
  return `**${role}**\n\n\`\`\`text\n${text}\n\`\`\``;
}
