import type { Exonerator } from './exonerator.js';

/** The issue names the setting or the configuration file that is changed, so that it asks for a change there. */
export const issueNamesSetting: Exonerator = ({ subject, finding }) => {
  const { statement } = subject.task;
  const names = [
    ...(finding.paths ?? []).map((path) => path.split('/').at(-1) ?? path).filter((name) => name.length > 4),
    ...finding.evidence.map(({ quote }) => /^[\s"'-]*([A-Za-z_][\w.-]{5,})["']?\s*[:=]/.exec(quote)?.[1] ?? ''),
  ].filter((name) => name !== '' && !/^(scripts?|include|exclude|package\.json)$/.test(name));
  const named = names.find((name) => statement.includes(name));
  return named === undefined ? undefined : { id: 'issue-names-setting', why: `The issue speaks of ${named}.` };
};
