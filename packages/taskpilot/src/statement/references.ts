/** `#12`, `GH-12`, "issue 12", a link to one, a commit's hash: what leads to the fix outside of the task. */
const forms = [
  /(?<![\w&#])#\d+\b/,
  /\bGH-\d+\b/i,
  /\b(?:issue|pull request|PR|ticket|bug)s?\s+(?:no\.?\s*)?#?\d+\b/i,
  /\/(?:pull|pulls|issues|commit|commits|merge_requests)\/\w+/,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}\b/,
];

/** Issue and pull-request numbers and commit hashes in prose. Code is to be taken out before: there, they are data. */
export function referencesIn(prose: string): string[] {
  return forms.flatMap((form) => form.exec(prose)?.[0].trim() ?? []);
}

/** A Markdown text without its fenced blocks and code spans. */
export function withoutCode(text: string): string {
  return text.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1\s*$/gm, ' ').replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, ' ');
}
