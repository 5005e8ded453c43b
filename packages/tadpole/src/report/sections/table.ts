import { type Html, html } from '../html.js';

/** A table whose cells after the first `textColumns` are numbers, set to the right. */
export function table(options: {
  head: readonly string[];
  rows: readonly (readonly (Html | string | number)[])[];
  /** @default 1 */
  textColumns?: number;
}): Html {
  const { head, rows, textColumns = 1 } = options;
  const kind = (column: number) => (column < textColumns ? 'text' : 'number');
  return html`<div class="scroll"><table>
<thead><tr>${head.map((title, column) => html`<th scope="col" class="${kind(column)}">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, column) => html`<td class="${kind(column)}">${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}
