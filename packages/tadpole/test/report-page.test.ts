import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { html } from '../src/report/html.js';
import { embedJson } from '../src/report/viewer/embed-json.js';
import { visibleText } from '../src/report/visible-text.js';
import { writeReportFile } from '../src/report/write-report-file.js';
import { createRun } from '../src/run/run-store.js';
import { fixtureConfiguration, hostileText, writeFixtureRun } from './write-fixture-run.js';

const acting = /(?![\t\n])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;
let scratch: string;
let hostileRun: string;
let page: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'tadpole-report-'));
  hostileRun = join(scratch, 'hostile');
  writeFixtureRun({ directory: hostileRun, hostileText });
  page = await pageOf(hostileRun);
}, 180_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function pageOf(run: string): Promise<string> {
  return readFileSync(await writeReportFile({ directory: run }), 'utf8');
}

describe('a report with hostile text everywhere', () => {
  test('contains no element, script or address that the text asked for', () => {
    expect(page.match(/<script/gi)).toHaveLength(2);
    expect(page.match(/<\/script/gi)).toHaveLength(2);
    expect(page.match(/<(?:img|iframe|base|object|embed)/gi)).toBeNull();
    const addresses = [...page.matchAll(/\s(?:src|href|action|xlink:href)="([^"]*)"/gi)].map((match) => match[1]);
    expect(addresses.filter((address) => !/^#|^data:,$/.test(address ?? ''))).toEqual([]);
  });

  test('contains no control character that acts, and shows them instead', () => {
    expect(page.match(acting) ?? []).toEqual([]);
    expect(page.includes('&lt;/script&gt;')).toBe(true);
    expect(page.includes('␛[31m␀⟨U+202E⟩')).toBe(true);
  });

  test('keeps the trajectories whole in its data block', () => {
    const { document } = parseHTML(page);
    const trajectories = JSON.parse(document.querySelector('#trajectory-data')?.textContent ?? '') as {
      turns: { calls: { observation: string }[] }[];
    }[];
    expect(trajectories[0]?.turns[0]?.calls[0]?.observation).toContain(visibleText(hostileText));
  });
});

test('writes a report of a run that has only just begun', async () => {
  const directory = join(scratch, 'young');
  createRun({ directory, runId: 'young', configuration: fixtureConfiguration, versions: {}, now: () => new Date(0) }).close();
  const young = await pageOf(directory);
  expect(young).toContain('Not evaluated yet');
  expect(young).not.toMatch(/NaN|undefined|\[object/);
});

test('writes a report of an iteration that has only proposed candidates so far', async () => {
  const directory = join(scratch, 'proposing');
  const store = createRun({ directory, runId: 'proposing', configuration: fixtureConfiguration, versions: {}, now: () => new Date(0) });
  const refusal = { strategy: 'mutation', operator: 'flip', source: 'a@1', reason: 'not-killed', detail: 'nothing fails' };
  store.journal.append({ type: 'iteration-start', at: '2026-03-01T09:00:00.000Z', iteration: 0, weightsVersion: 'w0' });
  store.journal.append({ type: 'candidate-refuse', at: '2026-03-01T09:00:00.000Z', iteration: 0, candidateId: 'a', ...refusal });
  store.close();
  const early = await pageOf(directory);
  expect(early).toContain('Candidates of iteration 1 by operator');
  expect(early).toContain('nothing says a price');
  expect(early).not.toMatch(/NaN|undefined|Infinity|\[object/);
});

test('writes the same report for the same folder and leaves no partial file', async () => {
  expect((await pageOf(hostileRun)) === page).toBe(true);
  expect(readdirSync(hostileRun).filter((name) => name.includes('partial'))).toEqual([]);
});

test('writes a report without the trajectories whose files are gone', async () => {
  const directory = join(scratch, 'gone');
  cpSync(hostileRun, directory, { recursive: true, filter: (path) => !path.endsWith('trajectories') });
  expect((await pageOf(directory)).includes('0 rollouts of 660')).toBe(true);
});

test('any text that is put into markup is read back by a parser as that text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { document } = parseHTML(`<html><body>${html`<p title="${text}">${text}</p>`.markup}</body></html>`);
      expect(document.body.children).toHaveLength(1);
      expect(document.querySelector('p')?.textContent).toBe(visibleText(text));
      expect(document.querySelector('p')?.getAttribute('title')).toBe(visibleText(text));
    }),
  );
});

test('an object with the shape of markup that came from a file is escaped', () => {
  const parsed = JSON.parse('{"markup":"<b>"}') as { markup: string };
  expect(html`<i>${parsed}</i>`.markup).toBe('<i>&lt;b&gt;</i>');
});

test('any text in the data block is read back as that text and cannot end the block', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { markup } = embedJson({ id: 'data', value: { text: `</script><!--${text}` } });
      const json = markup.slice(markup.indexOf('>') + 1, markup.lastIndexOf('</script>'));
      expect(json).not.toContain('<');
      expect(JSON.parse(json)).toEqual({ text: visibleText(`</script><!--${text}`) });
    }),
  );
});

test('visible text has no control character but tab and newline, and leaves ordinary text alone', () => {
  expect(visibleText('a\r\nb\tc ä 漢字 😀')).toBe('a\nb\tc ä 漢字 😀');
  expect(visibleText('\u001b]8;;x\u0007\u007f\u0085\ufeff\ud800\u{e0041}')).toBe('␛]8;;x␇␡⟨U+0085⟩⟨U+FEFF⟩⟨U+D800⟩⟨U+E0041⟩');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => visibleText(text).match(acting) === null));
});
