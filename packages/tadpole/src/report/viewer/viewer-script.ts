/**
 * The viewer's script, run by the page. It reads the JSON block `trajectory-data` and builds elements with text
 * nodes alone, so that nothing in a trajectory can become markup.
 */
export const viewerScript = String.raw`
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const trajectories = JSON.parse(byId('trajectory-data').textContent);
  const [list, detail, counter] = ['trajectory-list', 'trajectory-detail', 'trajectory-count'].map(byId);
  const filters = ['purpose', 'outcome', 'flagged'].map((name) => byId('filter-' + name));

  const make = (tag, className, ...children) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children);
    return node;
  };
  const block = (title, text, className) =>
    make('div', 'block ' + (className || ''), make('div', 'block-title', title), make('pre', '', text === '' ? '(empty)' : text));
  const folded = (title, open, ...children) => {
    const node = make('details', '', make('summary', '', title), ...children);
    node.open = open;
    return node;
  };
  const chip = (text) => make('span', 'chip ' + text.replace(' ', '-'), text);

  // Where evidence stands, for a finding's link to lead there.
  const placeName = (item) => (item.source === 'patch' ? 'patch' : item.turn + (item.source === 'message' ? '' : '.' + (item.call ?? 0)));
  const placed = (node, name) => {
    node.dataset.place = name;
    return node;
  };

  const findingOf = (trajectory, turn, call) =>
    trajectory.findings.filter((finding) => finding.evidence.some((item) => item.turn === turn && (item.call ?? 0) === call));

  const showCall = (trajectory, turn, call, index) => {
    const field = (name) => call.fields.find((entry) => entry.name === name);
    const [before, after] = [field('old_string'), field('new_string')];
    const isEdit = call.name === 'Edit' && before && after;
    const fields = isEdit ? call.fields.filter((entry) => entry !== before && entry !== after) : call.fields;
    const title = make('div', 'call-name', call.name, ...findingOf(trajectory, turn, index).map((finding) => make('span', 'chip flagged', finding.ruleId)));
    const isShort = (entry) => entry.value.length <= 80 && !entry.value.includes('\n');
    const short = fields.filter(isShort).flatMap((entry) => [make('dt', '', entry.name), make('dd', '', entry.value)]);
    const long = fields.filter((entry) => !isShort(entry)).map((entry) => block(entry.name, entry.value));
    const node = make('div', 'call', title, make('dl', 'arguments', ...short), ...long);
    if (isEdit) node.append(make('div', 'edit', block('old', before.value, 'removed'), block('new', after.value, 'added')));
    node.append(block('observation', call.observation, 'observation'));
    return placed(node, turn + '.' + index);
  };

  const showTurn = (trajectory, turn, index) => {
    const node = make('section', 'turn', make('h4', '', 'Turn ' + (index + 1) + ' · ' + turn.tokens + ' tokens generated'));
    if (turn.reasoning) node.append(block('reasoning', turn.reasoning));
    if (turn.content) node.append(block('text', turn.content));
    node.append(...turn.calls.map((call, number) => showCall(trajectory, index, call, number)));
    return placed(node, String(index));
  };

  const showFinding = (finding) =>
    make('li', '', make('b', '', finding.ruleId + ' (' + finding.severity + ')'), ' ' + finding.why,
      ...(finding.exoneratedBy ? [' But: ' + finding.exoneratedBy.why] : []),
      ...finding.evidence.map((item) => block(item.source + (item.turn === undefined ? '' : ', turn ' + (item.turn + 1)), item.quote)));

  const showTest = (test) =>
    make('li', '', chip(test.status), ' ' + test.id,
      ...['message', 'expected', 'observed'].filter((name) => test[name] !== undefined).map((name) => block(name, test[name])));

  const lineClass = (line) => (/^(\+\+\+|---) /.test(line) ? '' : line[0] === '+' ? 'added' : line[0] === '-' ? 'removed' : '');
  const showPatch = (patch) =>
    make('pre', 'patch', ...patch.replace(/\n$/, '').split('\n').map((line) => make('span', lineClass(line), line + '\n')));

  const show = (trajectory) => {
    const parts = [
      make('h3', '', trajectory.taskId),
      make('p', 'chips', chip(trajectory.outcome), make('span', '', trajectory.moment + ' · sample ' + trajectory.sample + ' · ' + trajectory.outcomeText)),
      make('dl', 'facts', ...trajectory.facts.flatMap((fact) => [make('dt', '', fact.name), make('dd', '', fact.value)])),
    ];
    if (trajectory.findings.length > 0) {
      parts.push(folded('Audit: ' + trajectory.findings.map((finding) => finding.ruleId).join(', ') + '; action: ' + trajectory.action, true,
        ...(trajectory.verdict ? [block('verdict', trajectory.verdict)] : []), make('ul', 'plain', ...trajectory.findings.map(showFinding))));
    }
    parts.push(folded('Instruction', true, ...trajectory.opening.map((message) => block(message.role, message.content))));
    parts.push(...trajectory.turns.map((turn, index) => showTurn(trajectory, turn, index)));
    parts.push(folded('Tests' + (trajectory.testsText ? ': ' + trajectory.testsText : ': none ran'), true, make('ul', 'plain', ...trajectory.tests.map(showTest))));
    parts.push(placed(folded(trajectory.patch ? 'Patch' : 'Patch: empty', true, ...(trajectory.patch ? [showPatch(trajectory.patch)] : [])), 'patch'));
    detail.replaceChildren(...parts);
    detail.scrollTop = 0;
  };

  const fill = () => {
    const [purpose, outcome, flagged] = filters;
    const chosen = trajectories.filter((trajectory) =>
      (purpose.value === '' || trajectory.purpose === purpose.value) &&
      (outcome.value === '' || trajectory.outcome === outcome.value) &&
      (!flagged.checked || trajectory.findings.length > 0));
    list.replaceChildren(...chosen.map((trajectory) => {
      const link = make('a', '', make('span', 'entry-task', trajectory.taskId), make('span', 'entry-moment', trajectory.moment),
        chip(trajectory.outcome), ...(trajectory.findings.length > 0 ? [make('span', 'chip flagged', 'flagged')] : []));
      link.href = '#trajectory-' + trajectories.indexOf(trajectory);
      return make('li', '', link);
    }));
    counter.textContent = chosen.length + ' of ' + trajectories.length + ' shown';
    mark();
  };
  const mark = () => {
    for (const link of list.querySelectorAll('a')) {
      if (link.hash === location.hash.replace(/-finding-\d+$/, '')) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  const follow = () => {
    const number = /^#trajectory-(\d+)(?:-finding-(\d+))?$/.exec(location.hash);
    const trajectory = number && trajectories[Number(number[1])];
    if (!trajectory) return;
    show(trajectory);
    mark();
    const evidence = trajectory.findings[Number(number[2])]?.evidence[0];
    const place = evidence && detail.querySelector('[data-place="' + placeName(evidence) + '"]');
    if (place) {
      place.classList.add('evidence');
      place.scrollIntoView({ block: 'center' });
      return;
    }
    const { top } = detail.getBoundingClientRect();
    if (top < 0 || top > innerHeight * 0.6) detail.scrollIntoView({ block: 'start' });
  };

  for (const filter of filters) filter.addEventListener('input', fill);
  addEventListener('hashchange', follow);
  fill();
  if (trajectories.length > 0) show(trajectories[0]);
  follow();
})();
`;
