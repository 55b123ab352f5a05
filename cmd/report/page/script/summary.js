// The head of the page: title, how the job ended, and a row of figures.

function pageHead(title, ...lines) {
  document.title = title;
  document.getElementById('report').append(
    element(
      'div',
      { class: 'masthead' },
      element('p', { class: 'kicker' }, 'Report of an MPI job'),
      element('h1', {}, title),
      lines.map((line) => element('p', { class: 'byline' }, line)),
    ),
  );
}

function byline(run) {
  return [
    formatDate(run.started),
    run.host && `on ${run.host}`,
    run.processor && `${run.processor}, ${counted(run.cores, 'core')}`,
    run.thrum && `Thrum ${run.thrum}`,
  ]
    .filter(Boolean)
    .join(' \u00b7 ');
}

// The figures of the summary: name, definition, text, and the value itself for the comparison.
function summaryFigures(figures) {
  const { run, data } = figures;
  const share = (part) => (figures.total > 0 ? part / figures.total : NaN);
  return [
    ['Ranks', 'ranks', run.ranks, grouped],
    ['Processes', 'processes', run.processes, grouped],
    ['Workers', 'workers', run.workers, grouped],
    ['Time', 'seconds', run.seconds, formatTime],
    ['In MPI', 'mpi', share(figures.mpi), formatPercent],
    ['Waiting', 'waiting', share(figures.wait), formatPercent],
    ['For a worker', 'ready', share(figures.ready), formatPercent],
    ['Imbalance', 'imbalance', figures.imbalance, formatPercent],
    ['Messages', 'messages', figures.messages, formatCount],
    ['Bytes', 'bytes', figures.bytes, formatBytes],
    ...(figures.memory === null ? [] : [['Memory', 'memory', figures.memory, formatBytes]]),
    ['Findings', 'findings', (data.findings ?? []).length, grouped],
  ].map(([name, id, value, format]) => ({ name, id, value, format }));
}

function figureNode({ name, id, value, format }) {
  return element(
    'div',
    { class: 'figure' },
    element('dt', {}, name, helpButton(id, name)),
    element('dd', { 'data-figure': id, 'data-value': String(value) }, format(value)),
  );
}

function endNode(run) {
  const well = run.ended === 'normally' && run.complete;
  return element(
    'div',
    { class: well ? 'figure end' : 'figure end badly' },
    element('dt', {}, 'Ended', helpButton('ended', 'Ended')),
    element('dd', { 'data-figure': 'ended' }, run.ended || 'unknown'),
  );
}

function incompleteNotice(run, which = 'This report') {
  if (run.complete) return null;
  const why = run.lost
    ? ' The disk was full: what the ranks did afterwards is missing in part.'
    : ' Ranks were still running when it was written; all figures are those up to then.';
  return element(
    'p',
    { class: 'notice', role: 'alert' },
    element('strong', {}, `${which} is incomplete.`),
    `${why} The job ended ${run.ended || 'in an unknown way'}.`,
  );
}

function summarySection(figures) {
  const { run } = figures;
  pageHead(run.command || 'MPI job', byline(run));
  const node = element(
    'section',
    { id: 'summary', 'aria-label': 'Summary' },
    incompleteNotice(run),
    element('dl', { class: 'figures' }, summaryFigures(figures).map(figureNode), endNode(run)),
  );
  document.getElementById('report').append(node);
}

// The definitions of what is on the page once more, for reading and for paper.
function definitionsSection() {
  const used = new Set([...document.querySelectorAll('[data-definition]')].map((button) => button.dataset.definition));
  const groups = Object.entries(DEFINITION_GROUPS).map(([title, group]) => [
    title,
    Object.keys(group).filter((id) => used.has(id)),
  ]);
  const list = groups
    .filter(([, ids]) => ids.length)
    .map(([title, ids]) =>
      element(
        'div',
        { class: 'group' },
        element('h3', {}, title),
        element(
          'dl',
          {},
          ids.map((id) =>
            element('div', {}, element('dt', {}, DEFINITIONS[id][0]), element('dd', {}, DEFINITIONS[id][1])),
          ),
        ),
      ),
    );
  section(
    'definitions',
    'Definitions',
    element(
      'details',
      { class: 'printed' },
      element('summary', {}, 'How each figure is computed'),
      element('div', { class: 'definitions' }, list),
    ),
  );
}
