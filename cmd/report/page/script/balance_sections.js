// The sections about ranks: load balance, the critical path, and memory.

function balanceParts(figures) {
  return [
    { kind: 'computing', name: 'computing', help: 'computing', values: figures.computing },
    { kind: 'mpi', name: 'in MPI, running', help: 'in_mpi', values: figures.running },
    { kind: 'waiting', name: 'waiting', help: 'rank_waiting', values: figures.blocked },
    { kind: 'ready', name: 'waiting for a worker', help: 'rank_ready', values: figures.ranks.ready },
  ];
}

function balanceSentence(figures) {
  const { max, mean, mostAt } = spread(figures.computing);
  if (figures.computing.length === 1) return `The only rank computed for ${formatTime(max)}.`;
  return `Rank ${mostAt} computed longest: ${formatTime(max)}, ${formatPercent(figures.imbalance)} more than the mean of ${formatTime(mean)}.`;
}

// Makes the picture and the switch for its order. most: the top of a scale that several pictures share.
function balancePicture(figures, label, most) {
  const parts = balanceParts(figures);
  const chart = new RankChart({
    series: parts,
    format: formatTime,
    most,
    label: `${label} ${balanceSentence(figures)}`,
  });
  const order = choice(
    'Order of the ranks',
    [
      ['rank', 'By rank'],
      ['sorted', 'By computing time'],
    ],
    (value) => chart.orderBy(value),
  );
  const meaning = legend([
    ...parts.map((part) => [part.kind, part.name, part.help]),
    ['mean-line', 'mean computing', 'balance_mean'],
    ['most', 'longest computing in a column', 'balance'],
  ]);
  chart.node.addEventListener('gathered', (event) => {
    meaning.lastChild.hidden = !event.detail;
  });
  return element('div', { class: 'pictured' }, element('div', { class: 'controls' }, order, meaning), chart.node);
}

// Least, mean and most of each part, as a small table.
function spreadTable(parts, format, name) {
  const rows = parts.map((part) => ({ ...part, ...spread(part.values) }));
  const withRank = (value, rank) => [format(value), element('small', {}, ` rank ${rank}`)];
  const columns = [
    { title: 'Of each rank', kind: 'text', text: (row) => capitalized(row.name) },
    { title: 'Least', help: 'balance_min', text: (row) => withRank(row.min, row.leastAt) },
    { title: 'Mean', help: 'balance_mean', text: (row) => format(row.mean) },
    { title: 'Most', help: 'balance_max', text: (row) => withRank(row.max, row.mostAt) },
    { title: 'Most / mean \u2212 1', help: 'imbalance', text: (row) => formatPercent(imbalance(row.values)) },
  ];
  const words = (row) => row.name + rankWords(row.leastAt) + rankWords(row.mostAt);
  return makeTable({ name, columns, rows, sort: -1, words });
}

function rankTable(figures) {
  const { ranks } = figures;
  const rows = ranks.seconds.map((_, rank) => ({ rank }));
  const column = (title, help, values, format) => numberColumn(title, help, (row) => values[row.rank] ?? 0, format);
  const columns = [
    numberColumn('Rank', null, (row) => row.rank, rankText),
    column('Computing', 'computing', figures.computing, formatTime),
    column('In MPI, running', 'in_mpi', figures.running, formatTime),
    column('Waiting', 'rank_waiting', figures.blocked, formatTime),
    column('For a worker', 'rank_ready', ranks.ready, formatTime),
    column('Total', 'rank_seconds', ranks.seconds, formatTime),
    column('Messages', 'rank_messages', ranks.messages, formatCount),
    column('Bytes', 'rank_bytes', ranks.bytes, formatBytes),
  ];
  if (ranks.unexpected_most)
    columns.push(column('Longest queue', 'rank_unexpected', ranks.unexpected_most, formatCount));
  if (ranks.memory?.some((bytes) => bytes > 0)) columns.push(column('Memory', 'rank_memory', ranks.memory, formatBytes));
  return makeTable({ name: 'Ranks', columns, rows, sort: 1, words: (row) => `rank:${row.rank}`, shown: 8 });
}

function balanceSection(figures) {
  if (!figures.computing.length) {
    section('balance', 'Load balance', paragraph('No rank reported its times.'));
    return;
  }
  section(
    'balance',
    'Load balance',
    paragraph(balanceSentence(figures), 'lead'),
    balancePicture(figures, 'Time of each rank.'),
    spreadTable(balanceParts(figures), formatTime, 'Least, mean and most time of a rank'),
    subheading('Ranks'),
    rankTable(figures),
  );
}

// describe(row) returns what the first column sorts by, its content, and the words for the search.
function pathTable(name, title, rows, total, describe) {
  const known = rows.map((row) => ({
    ...row,
    ...(row.of === 'rest' ? { key: '\uffff', node: 'All other ranks', words: 'other ranks' } : describe(row.of)),
  }));
  const parts = (row) =>
    row.of === 'rest'
      ? [['rest', row.seconds]]
      : [
          ['computing', row.computing],
          ['mpi', row.seconds - row.computing],
        ];
  const columns = [
    textColumn(
      title,
      null,
      (row) => row.key,
      (row) => row.node,
    ),
    numberColumn('Time', 'path_seconds', secondsOf, formatTime),
    shareColumn('path_share', secondsOf, total, parts, mostOf(rows, secondsOf)),
  ];
  return makeTable({ name, columns, rows: known, sort: 1, words: (row) => row.words, shown: 8 });
}

function describeRank(rank) {
  return { key: String(rank), node: `Rank ${rank}`, words: `rank:${rank}` };
}

function describeSite(place) {
  if (!place) return { key: '', node: 'Computing', words: 'computing' };
  return { key: placeKey(place), node: placeCell(place), words: placeWords(place) };
}

// Says where the path spends most. "The rest" is no place.
function pathSentence(ranks, sites, total, data) {
  const largest = (rows) => rows.filter((row) => row.of !== 'rest').sort((a, b) => b.seconds - a.seconds)[0];
  const rank = largest(ranks),
    site = largest(sites);
  if (!rank) return 'No part of the critical path belongs to one rank.';
  const where =
    site.of < 0 ? 'computing' : `in ${siteOf(data, site.of)?.name} (at ${shortPlace(siteOf(data, site.of))})`;
  return (
    `The critical path is ${formatTime(total)} long; ${formatPercent(rank.seconds / total)} of it is on rank ${rank.of}. ` +
    `Most of it, ${formatPercent(site.seconds / total)}, is spent ${where}.`
  );
}

function pathSection({ data, pathTotal }) {
  if (!data.path?.length) return;
  const ranks = pathBy(data, 'rank'),
    sites = pathBy(data, 'site');
  const byRank = pathTable('Critical path by rank', 'Rank', ranks, pathTotal, describeRank);
  const bySite = pathTable('Critical path by call site', 'Where', sites, pathTotal, (site) =>
    describeSite(siteOf(data, site)),
  );
  section(
    'path',
    'Critical path',
    paragraph(pathSentence(ranks, sites, pathTotal, data), 'lead'),
    legend([
      ['computing', 'computing', 'path_computing'],
      ['mpi', 'in MPI', 'path_mpi'],
      ['rest', 'other ranks, either', 'path_rest'],
    ]),
    element(
      'div',
      { class: 'halves' },
      element('div', {}, subheading('By rank'), byRank),
      element('div', {}, subheading('By place'), bySite),
    ),
  );
}

function memorySection({ ranks }) {
  if (!ranks.memory?.some((bytes) => bytes > 0)) return;
  const { max, mean, mostAt } = spread(ranks.memory);
  const sentence = `Rank ${mostAt} needs most memory, ${formatBytes(max)}; the mean is ${formatBytes(mean)}.`;
  const parts = [{ kind: 'mpi', name: 'memory', values: ranks.memory }];
  const chart = new RankChart({
    series: parts,
    format: formatBytes,
    ticksOf: byteTicks,
    height: 160,
    label: `Memory of each rank. ${sentence}`,
  });
  section(
    'memory',
    'Memory',
    paragraph(sentence, 'lead'),
    chart.node,
    spreadTable(parts, formatBytes, 'Least, mean and most memory of a rank'),
  );
}
