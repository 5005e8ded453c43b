import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { type Html, html, trustedMarkup } from '../html.js';
import { visibleText } from '../visible-text.js';

/**
 * Draws a chart as inline SVG with its caption; the library escapes its texts, and control characters are made visible. Colours are the page's variables, so that it follows the
 * reader's light or dark scheme.
 *
 * @param options.name - what the chart shows, for screen readers.
 * @param options.caption - how to read it: what a point and a bar are, and what the intervals assume.
 */
export function renderChart(options: { name: string; plot: Plot.PlotOptions; caption: string; legend?: Html }): Html {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const plot = Plot.plot({
    width: 920,
    marginLeft: 56,
    marginRight: 24,
    marginTop: 30,
    marginBottom: 46,
    style: { fontSize: '12px', background: 'transparent', overflow: 'visible' },
    ...options.plot,
    document: document as unknown as Plot.PlotOptions['document'],
  });
  plot.setAttribute('role', 'img');
  plot.setAttribute('aria-label', options.name);
  return html`<figure class="chart">${options.legend}<div class="scroll" tabindex="0">${trustedMarkup(visibleText(plot.outerHTML))}</div><figcaption>${options.caption}</figcaption></figure>`;
}

/**
 * A row of keys for above a chart.
 *
 * @param entries - colour as a CSS variable's name, and what it stands for; `mark` is what tells it apart without the
 * colour: the shape or the letter that the chart shows. @default a dot
 */
export function legend(entries: readonly { readonly colour: string; readonly label: string; readonly mark?: string }[]): Html {
  return html`<ul class="legend">${entries.map(({ colour, label, mark }) => html`<li>${key({ colour, mark })}${label}</li>`)}</ul>`;
}

function key(options: { colour: string; mark: string | undefined }): Html {
  const { colour, mark } = options;
  return mark === undefined
    ? html`<i style="background: var(${colour})"></i>`
    : html`<b style="color: var(${colour})" aria-hidden="true">${mark}</b>`;
}
