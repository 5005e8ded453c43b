import { type Html, html, trustedMarkup } from '../html.js';
import { visibleText } from '../visible-text.js';

/** A JSON block for the page's script. No text in it can end the block, and control characters are made visible. */
export function embedJson(options: { id: string; value: unknown }): Html {
  const json = JSON.stringify(options.value, (_key, value: unknown) => (typeof value === 'string' ? visibleText(value) : value));
  return html`<script type="application/json" id="${options.id}">${trustedMarkup(json.replace(/[<>&]/g, unicodeEscape))}</script>`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
