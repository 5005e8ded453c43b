import { extname } from 'node:path';

const javascript = [
  /\bexport\s+(?:default\s+)?(?:declare\s+|abstract\s+|async\s+)*(?:const|let|var|function\*?|class|interface|type|enum)\s+([\w$]+)/g,
  /(?:^|[^.\w])(?:module\.)?exports\.([\w$]+)\s*=/g,
];
// Bounded, so that no text makes the search quadratic.
const lists = /\b(?:module\.exports\s*=|export(?:\s+type)?)\s*\{([^}]{0,4000})\}/g;

const patterns: Readonly<Record<string, readonly RegExp[]>> = {
  '.py': [/^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w*)/gm],
  '.go': [/^(?:func\s+(?:\([^)]*\)\s*)?|type\s+)([A-Z]\w*)/gm],
  '.rs': [/\bpub\s+(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|type|static)\s+(\w+)/g],
  '.java': [/\bpublic\s+(?:static\s+|final\s+|abstract\s+)*(?:class|interface|enum|record|[\w<>[\],\s]{1,80}?)\s+(\w+)\s*[({<]/g],
};

/** Names that a file offers to others, as its text says them; by pattern, so a name that is computed is missed. */
export function exportedNames(options: { file: string; text: string }): ReadonlySet<string> {
  const { file, text } = options;
  const names = new Set<string>();
  for (const pattern of patterns[extname(file)] ?? javascript) for (const [, name] of text.matchAll(pattern)) names.add(name!);
  if (patterns[extname(file)] !== undefined) return names;
  for (const [, list] of text.matchAll(lists)) {
    for (const item of list!.split(',')) {
      const name = /(?:\bas\s+)?([\w$]+)\s*$/.exec(item.split(':')[0]!)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}
