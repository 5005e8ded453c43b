import { distance } from 'fastest-levenshtein';

/** The known name that `name` most likely stands for, or undefined when none is near (more than a third of its letters differ). */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(1, Math.ceil(best.candidate.length / 3)) ? best.candidate : undefined;
}
