// The sections about messages and files: matrix, sizes, unexpected queue, files.

const PAIRS_SHOWN = 500;

function pairsTable(data) {
  const rows = data.largest('bytes', PAIRS_SHOWN);
  const words = (first) => ` rank:${data.numbersOf(first, 1)}`;
  const columns = [
    { title: 'From', help: 'pair_source', value: (row) => row.source, text: (row) => data.numbersOf(row.source, 1) },
    { title: 'To', help: 'pair_dest', value: (row) => row.dest, text: (row) => data.numbersOf(row.dest, 1) },
    { title: 'Messages', help: 'pair_messages', value: (row) => row.messages, text: (row) => formatCount(row.messages) },
    { title: 'Bytes', help: 'pair_bytes', value: (row) => row.bytes, text: (row) => formatBytes(row.bytes) },
  ];
  return makeTable({ name: 'Largest pairs', columns, rows, sort: 3, words: (row) => words(row.source) + words(row.dest), shown: 16 });
}

function matrixSentence(data) {
  const [most] = data.largest('bytes', 1);
  const possible = data.size * data.size;
  const whose = data.block > 1 ? `pairs of blocks of ${data.block} ranks` : 'pairs of ranks';
  return `${formatCount(data.count)} of ${formatCount(possible)} ${whose} exchange messages. ` +
    `Most bytes, ${formatBytes(most.bytes)}, go from ${data.ranksOf(most.source, 1)} to ${data.ranksOf(most.dest, 1)}.`;
}

function sizeName(exponent) {
  return exponent < 0 ? 'empty' : withoutZeros(formatBytes(2 ** exponent));
}

function sizeRange(exponent) {
  if (exponent < 0) return 'empty';
  if (exponent === 0) return `1${SPACE}B`;
  return exponent < 10 ? `${2 ** exponent}\u2013${grouped(2 ** (exponent + 1) - 1)}${SPACE}B` : `${sizeName(exponent)} to below ${sizeName(exponent + 1)}`;
}

// Fills the gaps between the sizes that occur, so that equal steps are equally far apart.
function allSizes(sizes) {
  const known = new Map(sizes.map(([exponent, messages, bytes]) => [exponent, { exponent, messages, bytes }]));
  const exponents = [...known.keys()].filter((exponent) => exponent >= 0);
  const rows = known.has(-1) ? [known.get(-1)] : [];
  for (let e = Math.min(...exponents); e <= Math.max(...exponents); e++) rows.push(known.get(e) ?? { exponent: e, messages: 0, bytes: 0 });
  return rows;
}

function sizesPart(sizes) {
  const rows = allSizes(sizes);
  const units = {
    messages: { values: rows.map((row) => row.messages), format: formatCount, ticksOf: (most, count) => ticks(most, count, true) },
    bytes: { values: rows.map((row) => row.bytes), format: formatBytes, ticksOf: byteTicks },
  };
  const most = rows.reduce((found, row) => (row.messages > found.messages ? row : found));
  const total = sum(units.messages.values);
  const sentence = `${formatPercent(most.messages / total)} of the messages ${most.exponent < 0 ? 'are empty' : `have ${sizeRange(most.exponent)}`}.`;
  const chart = new BinChart({ ...units.messages, label: `Message sizes. ${sentence}`, height: 200, numbers: true,
    name: (first) => capitalized(sizeRange(rows[first].exponent)), tick: (index) => sizeName(rows[index].exponent) });
  const table = makeTable({ name: 'Message sizes', rows: rows.filter((row) => row.messages), sort: 0, ascending: true, words: (row) => sizeRange(row.exponent), columns: [
    { title: 'Size', help: 'size_range', kind: 'text', value: (row) => row.exponent, text: (row) => sizeRange(row.exponent) },
    { title: 'Messages', help: 'size_messages', value: (row) => row.messages, text: (row) => formatCount(row.messages) },
    { title: 'Bytes', help: 'size_bytes', value: (row) => row.bytes, text: (row) => formatBytes(row.bytes) }] });
  return [subheading('Message sizes', 'sizes'), paragraph(sentence),
    element('div', { class: 'controls' }, choice('What the bars show', [['messages', 'Messages'], ['bytes', 'Bytes']], (unit) => chart.change(units[unit]))),
    chart.node, behind('Table of message sizes', table, true)];
}

// Puts the table of a picture behind a click. Paper has it open if it is short.
function behind(title, table, printed) {
  return element('details', { class: printed ? 'printed' : 'unprinted' }, element('summary', {}, title), table);
}

function communicationSection({ data, ranks }) {
  const entries = data.matrix?.entries ?? [];
  const parts = [];
  if (entries.length) {
    const matrix = new MatrixData(data.matrix, ranks.seconds.length || data.run.ranks);
    const sentence = matrixSentence(matrix);
    const picture = new Matrix(matrix, `Communication matrix. ${sentence}`).node;
    parts.push(paragraph(sentence, 'lead'), element('div', { class: 'beside' }, element('div', {}, subheading('Who sends to whom', 'matrix'), picture),
      element('div', {}, subheading('Largest pairs', 'pairs'), pairsTable(matrix))));
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
    section('queue', 'Unexpected queue', paragraph('Every message found its receive posted: no unexpected queue ever had a message.'));
    return;
  }
  const owner = ranks.unexpected_most?.length ? ` The rank with the longest queue is rank ${spread(ranks.unexpected_most).mostAt}.` : '';
  const sentence = `The longest unexpected queue had ${counted(top.max, 'message')}, ${formatTime(top.mostAt * bin)} after the start.${owner}`;
  const span = (first, last) => `${formatTime(first * bin)} to ${formatTime((last + 1) * bin)}`;
  const chart = new BinChart({ values: most, format: (value) => counted(value, 'message'), axisFormat: formatCount, height: 180,
    label: `Unexpected queue over time. ${sentence}`, ticksOf: (value, count) => ticks(value, count, true), name: span, tick: (index) => withoutZeros(formatTime(index * bin)) });
  const table = makeTable({ name: 'Unexpected queue over time', rows: most.map((value, index) => ({ value, index })), sort: 0, ascending: true, words: () => '', columns: [
    { title: 'From', help: 'queue_from', value: (row) => row.index, text: (row) => formatTime(row.index * bin) },
    { title: 'Longest queue', help: 'queue_most', value: (row) => row.value, text: (row) => formatCount(row.value) }] });
  section('queue', 'Unexpected queue', paragraph(sentence, 'lead'), chart.node, behind('Table of the longest queue over time', table, false));
}

function filesSection({ data }) {
  if (!data.files?.length) return;
  const most = data.files.reduce((found, file) => (file.seconds > found.seconds ? file : found));
  const column = (title, help, key, format) => ({ title, help, value: (row) => row[key], text: (row) => format(row[key]) });
  const table = makeTable({ name: 'Files', rows: data.files, sort: 5, words: (row) => row.name, columns: [
    { title: 'File', help: 'file_name', kind: 'text', value: (row) => row.name, text: (row) => element('code', {}, row.name) },
    column('Reads', 'file_reads', 'reads', formatCount), column('Writes', 'file_writes', 'writes', formatCount),
    column('Bytes read', 'file_bytes_read', 'bytes_read', formatBytes), column('Bytes written', 'file_bytes_written', 'bytes_written', formatBytes),
    column('Time', 'file_seconds', 'seconds', formatTime)] });
  section('files', 'Files', paragraph(`The ranks spent most time in ${most.name}: ${formatTime(most.seconds)}.`, 'lead'), table);
}
