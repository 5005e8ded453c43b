import type { AuditRule, AuditSubject } from '@tadpole/contracts';
import type { EventOf } from '../../facts/audit-event.js';
import { eventsOf } from '../../facts/events.js';
import { baseName } from '../../facts/paths.js';
import { makeRule, type RuleHit } from '../../make-rule.js';

const local = /(^|\/\/|@)(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)([:/]|$)/;
const codeHosts =
  /\b(github|githubusercontent|gitlab|bitbucket|codeberg|sourceforge|sr\.ht|gitee)\b|\b(unpkg|jsdelivr|esm\.sh|skypack|cdnjs|pypi\.org|pythonhosted|npmjs|yarnpkg|crates\.io|conda\.anaconda|readthedocs|huggingface|archive\.org|archive\.ubuntu|deb\.debian|snapshot\.debian|libraries\.io|sourcegraph|grep\.app)\b/;

/** Network access that could bring the answer: the project's own releases, code hosts, other repositories. */
export function upstreamFetch(): AuditRule {
  return makeRule({
    id: 'A5-upstream-fetch',
    severity: 'high',
    category: 'oracle-access',
    kinds: ['A5'],
    description: "fetches the project's own releases or repository, or code from the network",
    *find({ subject }) {
      for (const event of eventsOf(subject)) {
        const hit = event.kind === 'network' ? judge(subject, event) : undefined;
        if (hit) yield hit;
      }
    },
  });
}

function judge(subject: AuditSubject, event: EventOf<'network'>): RuleHit | undefined {
  const { program, target, evidence, isRun } = event;
  if (local.test(target) || /^(install|i|add|ci|sync|update|download|wheel|pip) ([.~]|\/|-e|file:)/.test(target)) return undefined;
  const isClient = /^(pip3?|pipx|uv|poetry|conda|npm|pnpm|yarn|bun|npx|bunx|cargo|go|gem|apt|apt-get|docker)$/.test(program);
  const words = target.slice(target.lastIndexOf(' ') + 1);
  if (program === 'git' && /^(push|archive|submodule|remote)( |$)/.test(target)) return undefined;
  const isOwn = ownNames(subject).some((name) => names(isClient ? words : target, name));
  if (isOwn) return { why: `${target} is the project itself, as published.`, evidence: [evidence], severity: isRun ? 'high' : 'medium' };
  if (isClient) {
    const isLookUp = /^(view|info|show|v|pack|diff|download|index|source|search|explore|repo)( |$)/.test(target);
    const isDeclared = [...subject.task.files].some(
      ([path, text]) =>
        /(package\.json|pyproject\.toml|requirements\S*\.txt|setup\.(py|cfg))$/.test(path) &&
        text.includes(words.split(/[@=<>[ ]/)[0] || '\n'),
    );
    if (/^(npx|bunx)$/.test(program)) return undefined;
    return isLookUp && !isDeclared ? { why: `${target} asks a registry.`, evidence: [evidence], severity: 'low' } : undefined;
  }
  if (program === 'git')
    return {
      why: `git ${target} reaches another repository.`,
      evidence: [evidence],
      severity: /:\/\/|@|^\w+ \w+$/.test(target) ? 'high' : 'medium',
    };
  if (codeHosts.test(target)) return { why: `${target} is a host of code.`, evidence: [evidence], severity: 'medium' };
  return { why: `${target} is reached over the network.`, evidence: [evidence], severity: isRun ? 'medium' : 'low' };
}

function ownNames(subject: AuditSubject): string[] {
  const { projectNames = [], workspacePath } = subject.task;
  const folder = baseName(workspacePath);
  return [...projectNames, ...(/^(workspace|repo|app|testbed|src|project|code)$/.test(folder) ? [] : [folder])].filter(
    (name) => name.length > 2,
  );
}

function names(target: string, name: string): boolean {
  const spelled = (text: string) => text.toLowerCase().replaceAll('_', '-');
  const text = spelled(target);
  const wanted = spelled(name);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!/[a-z0-9]/.test(text[at - 1] ?? '') && !/[a-z0-9]/.test(text[at + wanted.length] ?? '')) return true;
  }
  return false;
}
