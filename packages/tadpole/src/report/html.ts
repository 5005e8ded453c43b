import { visibleText } from './visible-text.js';

/** Markup that is safe to put into a page. Only {@link html} and {@link trustedMarkup} make it. */
export interface Html {
  readonly markup: string;
}

type Interpolated = Html | string | number | readonly Html[] | undefined;

const safe = new WeakSet<Html>();

/**
 * Template tag for markup. Every interpolated text is escaped, for element content and quoted attributes alike,
 * and its control characters are made visible; only {@link Html} goes in as it is. `undefined` is nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  return trustedMarkup(strings.reduce((markup, part, index) => markup + interpolate(values[index - 1]) + part));
}

/** Declares markup as safe: for what a library rendered from escaped text, and for this package's own scripts and styles. */
export function trustedMarkup(markup: string): Html {
  const value = { markup };
  safe.add(value);
  return value;
}

function interpolate(value: Interpolated): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  const parts = Array.isArray(value) ? (value as readonly Html[]) : [value as Html];
  // An object of the same shape that was parsed from a file is not markup.
  return parts.map((part) => (safe.has(part) ? part.markup : escapeText(String(part?.markup)))).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

function escapeText(text: string): string {
  return visibleText(text).replace(/[&<>"'`]/g, (character) => entities[character] as string);
}
