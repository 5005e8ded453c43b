import type { Exonerator } from './exonerator.js';

/** The issue names the setting and what it becomes, so that it asks for the change: every word of the quoted line stands in it. */
export const issueNamesSetting: Exonerator = ({ subject, finding }) => {
  const { statement } = subject.task;
  const quotes = finding.evidence.map(({ quote }) => quote.match(/[\w./@#:*-]{2,}/g) ?? []);
  const isAsked = quotes.length > 0 && quotes.every((words) => words.length > 1 && words.every((word) => statement.includes(word)));
  return isAsked
    ? { id: 'issue-names-setting', why: `The issue asks for "${(finding.evidence[0]?.quote ?? '').trim().slice(0, 80)}".` }
    : undefined;
};
