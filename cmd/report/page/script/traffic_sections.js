// The sections about messages and files: matrix, sizes, unexpected queue, files.

const PAIRS_SHOWN = 500;

function pairsTable(data) {
  const rows = data.largest('bytes', PAIRS_SHOWN);
  const words = (first) => ` rank:${data.numbersOf(first, 1)}`;
  const numbers = (first) => data.numbersOf(first, 1);
  const columns = [
    numberColumn('From', 'pair_source', (row) => row.source, numbers),
    numberColumn('To', 'pair_dest', (row) => row.dest, numbers),
    numberColumn('Messages', 'pair_messages', (row) => row.messages, formatCount),
    numberColumn('Bytes', 'pair_bytes', (row) => row.bytes, formatBytes),
  ];
  return makeTable({
    name: 'Largest pairs',
    columns,
    rows,
    sort: 3,
    words: (row) => words(row.source) + words(row.dest),
    shown: 16,
  });
}

function matrixSentence(data) {
  const [most] = data.largest('bytes', 1);
  const possible = data.size * data.size;
  const whose = data.block > 1 ? `pairs of blocks of ${data.block} ranks` : 'pairs of ranks';
  return (
    `${formatCount(data.count)} of ${formatCount(possible)} ${whose} exchange messages. ` +
    `Most bytes, ${formatBytes(most.bytes)}, go from ${data.ranksOf(most.source, 1)} to ${data.ranksOf(most.dest, 1)}.`
  );
}

function sizeName(exponent) {
  return exponent < 0 ? 'empty' : withoutZeros(formatBytes(2 ** exponent));
}

function sizeRange(exponent) {
  if (exponent < 0) return 'empty';
  if (exponent === 0) return `1${SPACE}B`;
  return exponent < 10
    ? `${2 ** exponent}\u2013${grouped(2 ** (exponent + 1) - 1)}${SPACE}B`
    : `${sizeName(exponent)} to below ${sizeName(exponent + 1)}`;
}

// Fills the gaps between the sizes that occur, so that equal steps are equally far apart.
function allSizes(sizes) {
  const known = new Map(sizes.map(([exponent, messages, bytes]) => [exponent, { exponent, messages, bytes }]));
  const exponents = [...known.keys()].filter((exponent) => exponent >= 0);
  const rows = known.has(-1) ? [known.get(-1)] : [];
  for (let e = Math.min(...exponents); e <= Math.max(...exponents); e++)
    rows.push(known.get(e) ?? { exponent: e, messages: 0, bytes: 0 });
  return rows;
}

function sizesTable(rows) {
  const columns = [
    textColumn(
      'Size',
      'size_range',
      (row) => row.exponent,
      (row) => sizeRange(row.exponent),
    ),
    numberColumn('Messages', 'size_messages', (row) => row.messages, formatCount),
    numberColumn('Bytes', 'size_bytes', (row) => row.bytes, formatBytes),
  ];
  return makeTable({
    name: 'Message sizes',
    columns,
    rows,
    sort: 0,
    ascending: true,
    words: (row) => sizeRange(row.exponent),
  });
}

function sizesPart(sizes) {
  const rows = allSizes(sizes);
  const units = {
    messages: { values: rows.map((row) => row.messages), format: formatCount, ticksOf: wholeTicks },
    bytes: { values: rows.map((row) => row.bytes), format: formatBytes, ticksOf: byteTicks },
  };
  const most = topRow(rows, (row) => row.messages);
  const share = formatPercent(most.messages / sum(units.messages.values));
  const sentence = `${share} of the messages ${most.exponent < 0 ? 'are empty' : `have ${sizeRange(most.exponent)}`}.`;
  const chart = new BinChart({
    ...units.messages,
    label: `Message sizes. ${sentence}`,
    height: 200,
    numbers: true,
    name: (first) => capitalized(sizeRange(rows[first].exponent)),
    tick: (index) => sizeName(rows[index].exponent),
  });
  const unit = choice(
    'What the bars show',
    [
      ['messages', 'Messages'],
      ['bytes', 'Bytes'],
    ],
    (name) => chart.change(units[name]),
  );
  return [
    subheading('Message sizes', 'sizes'),
    paragraph(sentence),
    element('div', { class: 'controls' }, unit),
    chart.node,
    behind('Table of message sizes', sizesTable(rows.filter((row) => row.messages)), true),
  ];
}

// Puts the table of a picture behind a click. Paper has it open if it is short.
function behind(title, table, printed) {
  return element('details', { class: printed ? 'printed' : 'unprinted' }, element('summary', {}, title), table);
}

function communicationSection({ data, ranks }) {
  if (!data.matrix && !data.sizes) return;
  const entries = data.matrix?.entries ?? [];
  const parts = [];
  if (entries.length) {
    const matrix = new MatrixData(data.matrix, ranks.seconds.length || data.run.ranks);
    const sentence = matrixSentence(matrix);
    const picture = new Matrix(matrix, `Communication matrix. ${sentence}`).node;
    parts.push(
      paragraph(sentence, 'lead'),
      element(
        'div',
        { class: 'beside' },
        element('div', {}, subheading('Who sends to whom', 'matrix'), picture),
        element('div', {}, subheading('Largest pairs', 'pairs'), pairsTable(matrix)),
      ),
    );
  } else {
    parts.push(paragraph('No rank sent a message to another one.'));
  }
  if (data.sizes?.length) parts.push(...sizesPart(data.sizes));
  section('communication', 'Communication', ...parts);
}

function queueSection({ data, ranks }) {
  const most = data.queue?.most ?? [];
  if (!most.length) return;
  const { bin } = data.queue;
  const top = spread(most);
  if (!top.max) {
    section(
      'queue',
      'Unexpected queue',
      paragraph('Every message found its receive posted: no unexpected queue ever had a message.'),
    );
    return;
  }
  const owner = ranks.unexpected_most?.length
    ? ` The rank with the longest queue is rank ${spread(ranks.unexpected_most).mostAt}.`
    : '';
  const sentence = `The longest unexpected queue had ${counted(top.max, 'message')}, ${formatTime(top.mostAt * bin)} after the start.${owner}`;
  const chart = new BinChart({
    values: most,
    format: (value) => counted(value, 'message'),
    axisFormat: formatCount,
    ticksOf: wholeTicks,
    height: 180,
    label: `Unexpected queue over time. ${sentence}`,
    name: (first, last) => `${formatTime(first * bin)} to ${formatTime((last + 1) * bin)}`,
    tick: (index) => withoutZeros(formatTime(index * bin)),
  });
  const table = behind('Table of the longest queue over time', queueTable(most, bin), false);
  section('queue', 'Unexpected queue', paragraph(sentence, 'lead'), chart.node, table);
}

function queueTable(most, bin) {
  const columns = [
    numberColumn('From', 'queue_from', (row) => row.index * bin, formatTime),
    numberColumn('Longest queue', 'queue_most', (row) => row.value, formatCount),
  ];
  const rows = most.map((value, index) => ({ value, index }));
  return makeTable({ name: 'Unexpected queue over time', columns, rows, sort: 0, ascending: true, words: () => '' });
}

function filesSection({ data }) {
  if (!data.files?.length) return;
  const most = topRow(data.files, secondsOf);
  const columns = [
    textColumn(
      'File',
      'file_name',
      (row) => row.name,
      (row) => element('code', {}, row.name),
    ),
    numberColumn('Reads', 'file_reads', (row) => row.reads, formatCount),
    numberColumn('Writes', 'file_writes', (row) => row.writes, formatCount),
    numberColumn('Bytes read', 'file_bytes_read', (row) => row.bytes_read, formatBytes),
    numberColumn('Bytes written', 'file_bytes_written', (row) => row.bytes_written, formatBytes),
    numberColumn('Time', 'file_seconds', secondsOf, formatTime),
  ];
  const sentence = paragraph(`The ranks spent most time in ${most.name}: ${formatTime(most.seconds)}.`, 'lead');
  section(
    'files',
    'Files',
    sentence,
    makeTable({ name: 'Files', columns, rows: data.files, sort: 5, words: (row) => row.name }),
  );
}
