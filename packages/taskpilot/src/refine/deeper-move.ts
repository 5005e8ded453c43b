import { functionNameOf } from '../generator/candidate-facts.js';
import { partsOf, typesOf } from '../generator/languages/language.js';
import { mutationOperators } from '../generator/mutation-operators.js';
import { collectSites, type ParsedFile } from '../generator/mutation-site.js';
import { parseSources } from '../generator/parse-sources.js';
import { parsesClean } from '../generator/parses-clean.js';
import { shuffle } from '../generator/shuffle.js';
import { functionAround } from '../generator/statements.js';
import { descendants, nodeCovering, type SyntaxNode } from '../generator/syntax-node.js';
import { createParserCache } from '../generator/syntax-parser.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { candidateAt, openFaultSite, spanOf } from './fault-site.js';
import type { RefinementMove } from './refinement-move.js';
import { rungOfChild } from './rung-of-child.js';

/**
 * In place of the bug, one of the same operator in a function that the buggy function calls. Calls are told by name, and only
 * names that one function of the snapshot's files in that language bears; whether a test of the caller notices is for validation.
 */
export function deeperMove(): RefinementMove {
  return {
    name: 'deeper',
    makes: 'harder',
    expectedEffect: { mean: -1.5, spread: 1 },
    async *propose({ task, random, signal }) {
      throwIfAborted(signal, 'Looking for a deeper bug');
      const rung = rungOfChild(task);
      const operator = mutationOperators.find(({ name }) => name === task.candidate.lineage.operator);
      const fault = rung === null || operator === undefined ? null : await openFaultSite({ task, signal });
      if (rung === null || operator === undefined || fault === null) return;
      const called = namesCalled(fault.around, fault.source);
      const own = functionNameOf(fault.around, fault.source.text, fault.source.language);
      fault.source.tree.delete();
      const files = await parseSources({ snapshot: task.snapshot, parsers: createParserCache(), signal });
      try {
        const sources = files.filter(({ language }) => language.name === fault.source.language.name);
        const callees = namedFunctions(sources).filter(({ name }) => name !== own && called.has(name));
        const sites = sources
          .filter((source) => callees.some((callee) => callee.source === source))
          .flatMap((source) => collectSites({ source, operators: [operator] }))
          .filter(({ source, replacements }) => {
            const around = functionAround(nodeCovering(source.root, spanOf(replacements)), source.language);
            return callees.some(({ node }) => node === around);
          });
        for (const site of shuffle(sites, { random })) {
          throwIfAborted(signal, 'Looking for a deeper bug');
          if (!parsesClean(site)) continue;
          yield { proposal: { kind: 'candidate', candidate: candidateAt(site), rung }, parents: [task] };
        }
      } finally {
        for (const { tree } of files) tree.delete();
      }
    },
  };
}

function namesCalled(around: SyntaxNode, { text, language }: ParsedFile): Set<string> {
  const names = [...descendants(around)].flatMap((node) => {
    const callee = partsOf(node, language.calls)?.part('callee') ?? null;
    const name = partsOf(callee, language.members)?.part('property') ?? callee;
    return name === null ? [] : [text.slice(name.start, name.end)];
  });
  return new Set(names);
}

/** Functions whose name no other has. */
function namedFunctions(sources: readonly ParsedFile[]): { name: string; node: SyntaxNode; source: ParsedFile }[] {
  const named = sources.flatMap((source) => {
    const types = typesOf(source.language.functions);
    return [...descendants(source.root)].flatMap((node) => {
      const name = node.isNamed && types.includes(node.type) ? functionNameOf(node, source.text, source.language) : null;
      return name === null ? [] : [{ name, node, source }];
    });
  });
  const bearers = new Map<string, number>();
  for (const { name } of named) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return named.filter(({ name }) => bearers.get(name) === 1);
}
