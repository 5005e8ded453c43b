const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Separates the reasoning from what follows it. Reasoning that does not end, because the turn was cut off or the model
 * forgot to, is all reasoning: the calls in it are thoughts, not calls.
 */
export function splitReasoning(options: {
  text: string;
  /** The prompt ends inside `<think>`. */
  isOpen: boolean;
}): { reasoning?: string; content: string } {
  const text = options.text.trimStart();
  const hasOwnOpen = text.startsWith(OPEN);
  if (!hasOwnOpen && !options.isOpen) return { content: options.text };
  const inside = hasOwnOpen ? text.slice(OPEN.length) : text;
  const end = inside.indexOf(CLOSE);
  const reasoning = (end === -1 ? inside : inside.slice(0, end)).trim();
  return {
    ...(reasoning === '' ? {} : { reasoning }),
    content: end === -1 ? '' : inside.slice(end + CLOSE.length),
  };
}
