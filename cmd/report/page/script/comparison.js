// Compares two reports: figures, calls by place, load balance, waits.

function changeRatio(first, second) {
  if (first === 0) return second === 0 ? 1 : Infinity;
  return second / first;
}

function comparedSummary(both) {
  const [first, second] = both.map(summaryFigures);
  const rows = first
    .map((figure) => [figure, second.find((other) => other.id === figure.id)])
    .filter(([, other]) => other);
  const head = element(
    'tr',
    {},
    ['Figure', 'First', 'Second'].map((title, index) =>
      element('th', { scope: 'col', class: index ? 'number' : 'text' }, title),
    ),
    element(
      'th',
      { scope: 'col', class: 'number' },
      element('span', { class: 'heading' }, 'Ratio', helpButton('ratio', 'Ratio')),
    ),
  );
  const cell = (figure, which) =>
    element(
      'td',
      { class: 'number', 'data-figure': `${figure.id}-${which}`, 'data-value': String(figure.value) },
      figure.format(figure.value),
    );
  const body = rows.map(([a, b]) =>
    element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row', class: 'text' },
        element('span', { class: 'heading' }, a.name, helpButton(a.id, a.name)),
      ),
      cell(a, 'first'),
      cell(b, 'second'),
      element('td', { class: 'number', 'data-figure': `${a.id}-ratio` }, formatRatio(changeRatio(a.value, b.value))),
    ),
  );
  const ends = element(
    'tr',
    {},
    element('th', { scope: 'row', class: 'text' }, 'Ended'),
    both.map(({ run }) => element('td', { class: 'number' }, run.ended)),
    element('td'),
  );
  return element(
    'div',
    { class: 'table' },
    element(
      'div',
      { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': 'Summary of both runs' },
      element(
        'table',
        { class: 'compared' },
        element('caption', { class: 'unseen' }, 'Summary of both runs'),
        element('thead', {}, head),
        element('tbody', {}, body, ends),
      ),
    ),
  );
}

// What stays the same when lines move.
function lastingKey(place) {
  return place ? JSON.stringify([place.name, place.file, place.line > 0 ? place.in : place.in || '']) : '';
}

// Joins the rows of two runs that have the same key and adds up their seconds.
function joinRuns(lists, keyOf) {
  const joined = new Map();
  lists.forEach((rows, run) => {
    for (const row of rows) {
      const key = keyOf(row);
      const pair = joined.get(key) ?? { key, row, seconds: [0, 0], calls: [0, 0], lines: [new Set(), new Set()] };
      pair.seconds[run] += row.seconds;
      pair.calls[run] += row.calls ?? row.count;
      if (row.place?.line > 0) pair.lines[run].add(row.place.line);
      joined.set(key, pair);
    }
  });
  return [...joined.values()];
}

function movedPlace({ row, lines }) {
  if (!row.place) return placeCell(null);
  const [before, after] = lines.map((set) => [...set].sort((a, b) => a - b).join(', '));
  const where = before === after ? before : `${before || '\u2013'} \u2192 ${after || '\u2013'}`;
  const text =
    before || after ? `${row.place.file}:${where}${row.place.in ? ` in ${row.place.in}` : ''}` : shortPlace(row.place);
  return element('span', { class: 'place' }, element('code', {}, row.place.name), element('small', {}, text));
}

function changeBar(change, most) {
  const part = most > 0 ? Math.abs(change) / most : 0;
  return element(
    'span',
    { class: 'change', 'aria-hidden': 'true' },
    element('span', {
      class: change > 0 ? 'slower' : 'faster',
      style: { width: `${part * 50}%`, left: change > 0 ? '50%' : `${50 - part * 50}%` },
    }),
  );
}

function changeOf(row) {
  return row.seconds[1] - row.seconds[0];
}

function changeColumns(rows, counts, countHelp) {
  const most = mostOf(rows, (row) => Math.abs(changeOf(row)));
  const signed = (seconds) => (seconds > 0 ? '+' : '') + formatTime(seconds);
  const text = (row) =>
    element(
      'span',
      { class: 'barred wide' },
      element('span', {}, signed(changeOf(row))),
      changeBar(changeOf(row), most),
    );
  return [
    numberColumn(`${counts}, first`, countHelp, (row) => row.calls[0], formatCount),
    numberColumn('second', countHelp, (row) => row.calls[1], formatCount),
    numberColumn('Time, first', 'compared_first', (row) => row.seconds[0], formatTime),
    numberColumn('second', 'compared_second', (row) => row.seconds[1], formatTime),
    numberColumn('Ratio', 'ratio', (row) => changeRatio(...row.seconds), formatRatio),
    { title: 'Change', help: 'compared_change', kind: 'bars', value: (row) => Math.abs(changeOf(row)), text },
  ];
}

function changeSentence(rows, what) {
  const most = topRow(rows, (row) => Math.abs(changeOf(row)));
  if (!changeOf(most)) return `No ${what} takes longer or shorter than before.`;
  return `${most.row.place?.name ?? 'An unknown call'} (at ${shortPlace(most.row.place)}) changed most: from ${formatTime(most.seconds[0])} to ${formatTime(most.seconds[1])}.`;
}

function comparedCalls(both) {
  const rows = joinRuns(
    both.map((figures) => figures.calls),
    (row) => lastingKey(row.place),
  );
  if (!rows.length) return;
  const columns = [
    textColumn('Call', 'compared_lines', (row) => placeKey(row.row.place), movedPlace),
    ...changeColumns(rows, 'Calls', 'call_calls'),
  ];
  section(
    'compared_calls',
    'Time in MPI',
    paragraph(changeSentence(rows, 'call'), 'lead'),
    makeTable({
      name: 'Time in MPI by call, in both runs',
      columns,
      rows,
      sort: 6,
      words: (row) => placeWords(row.row.place),
    }),
  );
}

function comparedBalance(both) {
  if (!both.every((figures) => figures.computing.length)) return;
  const most = Math.max(...both.map((figures) => spread(figures.ranks.seconds).max));
  const [before, after] = both.map((figures) => formatPercent(figures.imbalance));
  section(
    'compared_balance',
    'Load balance',
    paragraph(
      `The imbalance of the computing time was ${before} in the first run and is ${after} in the second.`,
      'lead',
    ),
    ...both.flatMap((figures, index) => [
      subheading(index ? 'Second run' : 'First run'),
      balancePicture(figures, `Time of each rank in the ${index ? 'second' : 'first'} run.`, most),
      spreadTable(
        balanceParts(figures),
        formatTime,
        `Least, mean and most time of a rank, ${index ? 'second' : 'first'} run`,
      ),
    ]),
  );
}

function comparedWaits(both) {
  const rows = joinRuns(
    both.map(({ data }) => waitRows(data)),
    (row) => row.kind + lastingKey(row.place) + lastingKey(row.causePlace),
  );
  if (!rows.length) return;
  const columns = [
    textColumn('Waiting call', 'wait_site', (row) => placeKey(row.row.place), movedPlace),
    placeColumn('Ended by', 'wait_cause', (row) => row.row.causePlace),
    textColumn('Kind', 'wait_kind', (row) => capitalized(row.row.kind)),
    ...changeColumns(rows, 'Waits', 'wait_count'),
  ];
  const words = ({ row }) => `${row.kind} ${placeWords(row.place)} ${placeWords(row.causePlace)}`;
  section(
    'compared_waits',
    'Waits',
    paragraph(changeSentence(rows, 'wait'), 'lead'),
    makeTable({ name: 'Who waits for whom, in both runs', columns, rows, sort: 8, words }),
  );
}

function comparedFindings(both) {
  const [first, second] = both.map(({ data }) => data.findings ?? []);
  const list = (title, texts) =>
    texts.length
      ? [
          element('h3', {}, title),
          element(
            'ol',
            { class: 'findings' },
            texts.map((text) => element('li', {}, text)),
          ),
        ]
      : [];
  const parts = [
    ...list(
      'Only in the second run',
      second.filter((text) => !first.includes(text)),
    ),
    ...list(
      'Only in the first run',
      first.filter((text) => !second.includes(text)),
    ),
    ...list(
      'In both',
      second.filter((text) => first.includes(text)),
    ),
  ];
  section(
    'findings',
    'Findings',
    ...(parts.length ? parts : [paragraph('Neither job printed a warning or a report.')]),
  );
}

function showComparison(reports) {
  const both = reports.map(deriveFigures);
  const [first, second] = both.map(({ run }) => run);
  pageHead('Comparison of two runs');
  const main = document.getElementById('report');
  main.append(
    element(
      'ol',
      { class: 'runs' },
      [
        ['First', first],
        ['Second', second],
      ].map(([name, run]) =>
        element(
          'li',
          {},
          element('strong', {}, name),
          element('code', {}, run.command),
          element('span', { class: 'byline' }, byline(run)),
        ),
      ),
    ),
  );
  const notices = [incompleteNotice(first, 'The first report'), incompleteNotice(second, 'The second report')].filter(
    Boolean,
  );
  main.append(element('section', { id: 'summary', 'aria-label': 'Summary' }, notices, comparedSummary(both)));
  comparedFindings(both);
  comparedCalls(both);
  comparedBalance(both);
  comparedWaits(both);
}
