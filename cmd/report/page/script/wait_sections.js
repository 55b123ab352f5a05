// The sections about waiting: who waits for whom, and how members arrive at collective operations.

function waitRows(data) {
  return (data.waits ?? []).map((wait) => ({
    ...wait,
    place: siteOf(data, wait.site),
    causePlace: siteOf(data, wait.cause),
  }));
}

function waitKinds(rows) {
  const kinds = new Map();
  for (const row of rows) kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + row.seconds);
  return [...kinds].sort((a, b) => b[1] - a[1]);
}

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function waitSentence(rows, total) {
  const kinds = waitKinds(rows).map(
    ([kind, seconds]) => `${kind} ${formatTime(seconds)} (${formatPercent(seconds / total)})`,
  );
  const most = topRow(rows, secondsOf);
  const by =
    most.cause_rank >= 0 ? ` Rank ${most.cause_rank} caused most of it, ${formatTime(most.cause_rank_seconds)}.` : '';
  return `Time by kind: ${kinds.join(', ')}. The longest waiting is in ${most.place?.name ?? 'an unknown call'} (at ${shortPlace(most.place)}): ${formatTime(most.seconds)}.${by}`;
}

// A straight bar with the parts of the waiting time.
function kindsBar(rows, total) {
  const kinds = waitKinds(rows);
  const classes = { 'late sender': 'waiting', 'late receiver': 'receiver', collective: 'mpi' };
  return element(
    'div',
    { class: 'kinds' },
    bar(
      kinds.map(([kind, seconds]) => [classes[kind] ?? 'computing', seconds]),
      total,
    ),
    legend(kinds.map(([kind, seconds]) => [classes[kind] ?? 'computing', `${kind}, ${formatTime(seconds)}`])),
  );
}

function waitsSection({ data }) {
  if (!data.waits) return;
  const rows = waitRows(data);
  if (!rows.length) {
    section('waits', 'Waits', paragraph('No rank waited for another one.'));
    return;
  }
  const total = sum(rows.map(secondsOf));
  section(
    'waits',
    'Waits',
    paragraph(waitSentence(rows, total), 'lead'),
    kindsBar(rows, total),
    waitTable(rows, total),
  );
}

function waitTable(rows, total) {
  const culprit = (row) =>
    row.cause_rank >= 0
      ? [`rank ${row.cause_rank}`, element('small', {}, formatTime(row.cause_rank_seconds))]
      : '\u2013';
  const columns = [
    placeColumn('Waiting call', 'wait_site', (row) => row.place),
    placeColumn('Ended by', 'wait_cause', (row) => row.causePlace),
    textColumn('Kind', 'wait_kind', (row) => capitalized(row.kind)),
    numberColumn('Time', 'wait_seconds', secondsOf, formatTime),
    shareColumn('wait_share', secondsOf, total, (row) => [['waiting', row.seconds]], mostOf(rows, secondsOf)),
    numberColumn('Waits', 'wait_count', (row) => row.count, formatCount),
    numberColumn('Ranks', 'wait_ranks', (row) => row.ranks, grouped),
    { title: 'Caused most by', help: 'wait_cause_rank', value: (row) => row.cause_rank_seconds ?? 0, text: culprit },
  ];
  const words = (row) =>
    `${row.kind} ${placeWords(row.place)} ${placeWords(row.causePlace)}${rankWords(row.cause_rank)}`;
  return makeTable({ name: 'Who waits for whom', columns, rows, sort: 3, words });
}

// The ranks that came last at one call: three, and the others behind a click.
function lastCell(last) {
  if (!last?.length) return '\u2013';
  const line = ([rank, times, seconds]) =>
    element('span', { class: 'last' }, `rank ${rank}: ${counted(times, 'time')}, ${formatTime(seconds)}`);
  const order = [...last].sort((a, b) => b[2] - a[2]);
  return [
    order.slice(0, 3).map(line),
    order.length > 3
      ? element('details', {}, element('summary', {}, `${order.length - 3} more`), order.slice(3).map(line))
      : null,
  ];
}

function collectiveTable(data) {
  const rows = data.collectives.map((row) => ({ ...row, place: siteOf(data, row.site) }));
  const columns = [
    placeColumn('Call', 'collective_place', (row) => row.place),
    numberColumn('Members', 'collective_members', (row) => row.members, grouped),
    numberColumn('Operations', 'collective_calls', (row) => row.calls, formatCount),
    numberColumn('Spread', 'collective_spread', (row) => row.spread, formatTime),
    numberColumn('Mean', 'collective_mean', (row) => (row.calls > 0 ? row.spread / row.calls : 0), formatTime),
    numberColumn('Longest', 'collective_longest', (row) => row.spread_longest, formatTime),
    { title: 'Came last', help: 'collective_last', kind: 'text', text: (row) => lastCell(row.last) },
  ];
  const words = (row) =>
    `${placeWords(row.place)}${(row.last ?? []).map(([rank]) => rankWords(rank)).join('')}`;
  return makeTable({ name: 'Collective operations', columns, rows, sort: 3, words, shown: 8 });
}

function stragglerTable(rows) {
  const most = mostOf(rows, secondsOf);
  const columns = [
    numberColumn('Rank', null, (row) => row.rank, rankText),
    numberColumn('Time', 'straggler_seconds', secondsOf, formatTime),
    { title: '', kind: 'bars', text: (row) => bar([['waiting', row.seconds]], most) },
    numberColumn('Times last', 'straggler_times', (row) => row.times, formatCount),
    numberColumn('Places', 'straggler_places', (row) => row.places, formatCount),
  ];
  return makeTable({
    name: 'Ranks that come last',
    columns,
    rows,
    sort: 1,
    words: (row) => `rank:${row.rank}`,
    shown: 8,
  });
}

function spreadSentence(data, late) {
  const widest = topRow(data.collectives, (row) => row.spread);
  const place = siteOf(data, widest.site);
  const where = `${place?.name ?? 'an unknown call'} (at ${shortPlace(place)})`;
  const sentence = `Ranks arrive furthest apart at ${where}: ${formatTime(widest.spread)} in ${counted(widest.calls, 'operation')}.`;
  if (!late.length) return sentence;
  const worst = topRow(late, secondsOf);
  return `${sentence} Rank ${worst.rank} comes last ${counted(worst.times, 'time')}, in all ${formatTime(worst.seconds)} after the member before it.`;
}

function collectivesSection({ data }) {
  if (!data.collectives) return;
  if (!data.collectives.length) {
    section('collectives', 'Collective operations', paragraph('The ranks called no collective operation.'));
    return;
  }
  const late = stragglers(data);
  const lateParts = late.length ? [subheading('Ranks that come last', 'stragglers'), stragglerTable(late)] : [];
  const sentence = paragraph(spreadSentence(data, late), 'lead');
  section('collectives', 'Collective operations', sentence, collectiveTable(data), ...lateParts);
}
