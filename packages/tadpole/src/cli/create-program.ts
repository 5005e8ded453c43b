import { Command, InvalidArgumentError, Option } from 'commander';
import { auditFormats } from '../audit/audit-input.js';
import { auditCommand } from './audit-command.js';
import { runDoctor } from './doctor.js';
import { exportEngines, exportTasks } from './export-command.js';
import { collectGarbage } from './gc-command.js';
import { runRecipe } from './recipe-command.js';
import { writeReport } from './report-command.js';
import { serveCommand } from './serve-command.js';
import { synthesizeFolders } from './synth-command.js';
import { addSynthFlags } from './synth-flags.js';
import { explainTask, verifyTaskFolder } from './task-command.js';

/** The `tadpole` command. Unknown commands and flags are refused with a suggestion and exit code 2. */
export function createProgram(): Command {
  const program = new Command('tadpole')
    .description('Train a small coding agent by reinforcement learning on tasks made from real code.')
    .showHelpAfterError('(add --help for the flags)')
    .showSuggestionAfterError()
    .exitOverride();

  program
    .command('run')
    .description('the recipe: make tasks, calibrate them, learn from them, evaluate on held-out files, report')
    .addOption(new Option('--budget <size>', 'how much to do').choices(['small', 'full']).default('full'))
    .option('--seed <number>', 'seed of everything random', parseSeed)
    .option('--resume [folder]', 'finish the newest run below runs/, or the one in a folder')
    .option('--config <file>', 'JSON laid over the configuration of the budget')
    .option('--out <folder>', "the run's folder")
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(runRecipe);

  program
    .command('report')
    .description("write a run's report.html from its journal")
    .argument('[folder]', 'the run', undefined)
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(writeReport);

  program
    .command('audit')
    .description('say of trajectories whether they hack their reward: by rules, and by execution in sandboxes')
    .argument('<path>', 'a run, a trajectory or case, or a folder of them')
    .addOption(new Option('--format <form>', 'what the path holds (default: by what is there)').choices(auditFormats))
    .option('--task <folder>', 'the task of ATIF trajectories that stand alone')
    .option('--no-execution', 'rules alone')
    .option('--node-modules <folder>', "installed packages that hold the tasks' dependencies (default: those of this package)")
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(auditCommand);

  program
    .command('doctor')
    .description('check what this machine has and what the sandbox contains')
    .option('--engine <socket>', 'look at sandboxes in containers of this engine')
    .option('--image <name>', 'image for --engine')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(runDoctor);

  program
    .command('gc')
    .description('remove what sandboxes left whose owner was killed')
    .argument('[folder]', 'a folder of runs, a run, or a scratch folder (default: runs)', undefined)
    .option('--engine <socket>', 'also containers of this engine')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(collectGarbage);

  addSynthFlags(
    program
      .command('synth')
      .description(
        'make tasks from repositories, any folders with tests that pass; with a policy those that it can almost solve; exit code 1 when fewer than asked for',
      )
      .argument('<folder...>', 'the repositories; nothing in them is changed'),
  ).action(synthesizeFolders);

  program
    .command('serve')
    .description('serve the embedded engine over the Tinker protocol')
    .option('--weights <folder>', 'weights.safetensors or a checkpoint of a run; else the base')
    .option('--checkpoints <folder>', 'where checkpoints go', 'checkpoints')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes any', parsePort, 0)
    .option('--api-key-env <name>', 'variable with the key that clients must send')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(serveCommand);
  addExport(program);

  const task = program.command('task').description('look at one task');
  task
    .command('verify')
    .description("do again what a task's certificate claims; exit code 1 when something does not hold")
    .argument('<folder>', 'the task')
    .option('--node-modules <folder>', "installed packages that hold the task's dependencies (default: those of this package)")
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(verifyTaskFolder);
  task
    .command('explain')
    .description('say in words why a task was admitted, or why a candidate of a run was refused')
    .argument('<folder>', 'the task, or the run')
    .argument('[candidate]', 'id of a refused candidate or of a task that was not admitted', undefined)
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(explainTask);

  for (const command of [...program.commands, ...task.commands]) command.exitOverride();
  return program;
}

function addExport(program: Command): void {
  program
    .command('export')
    .description('write tasks and a DPPO configuration for an engine that owns its loop, and print how to launch it')
    .argument('<folder>', 'a run, a synthesis, a folder of tasks, or a task')
    .addOption(new Option('--to <engine>', 'the engine').choices(exportEngines).makeOptionMandatory())
    .requiredOption('--out <folder>', 'where the files go')
    .requiredOption('--model <name>', 'name or folder of the model to train')
    .addOption(new Option('--divergence <kind>', 'what the mask measures (default: tv)').choices(['tv', 'kl']))
    .option('--groups <number>', 'tasks of one update (default: 32)', parseCount)
    .option('--group-size <number>', 'rollouts of one task (default: 8)', parseCount)
    .option('--updates <number>', 'updates (default: 200)', parseCount)
    .option('--context-tokens <number>', 'prompt and everything after it (default: 65536)', parseCount)
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(exportTasks);
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0 && text.trim() !== '') return count;
  throw new InvalidArgumentError('expected a whole number from 1.');
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0 && text.trim() !== '') return seed;
  throw new InvalidArgumentError('expected a whole number from 0.');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text.trim() !== '') return port;
  throw new InvalidArgumentError('expected a whole number from 0 to 65535.');
}
