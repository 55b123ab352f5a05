// The sections about waiting: who waits for whom, and how members arrive at collective operations.

function waitRows(data) {
  return (data.waits ?? []).map((wait) => ({ ...wait, place: siteOf(data, wait.site), causePlace: siteOf(data, wait.cause) }));
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
  const kinds = waitKinds(rows).map(([kind, seconds]) => `${kind} ${formatTime(seconds)} (${formatPercent(seconds / total)})`);
  const most = rows.reduce((found, row) => (row.seconds > found.seconds ? row : found));
  const by = most.cause_rank >= 0 ? ` Rank ${most.cause_rank} caused most of it, ${formatTime(most.cause_rank_seconds)}.` : '';
  return `Time by kind: ${kinds.join(', ')}. The longest waiting is in ${most.place?.name ?? 'an unknown call'} (at ${shortPlace(most.place)}): ${formatTime(most.seconds)}.${by}`;
}

// A straight bar with the parts of the waiting time.
function kindsBar(rows, total) {
  const kinds = waitKinds(rows);
  const classes = { 'late sender': 'waiting', 'late receiver': 'receiver', collective: 'mpi' };
  return element('div', { class: 'kinds' },
    bar(kinds.map(([kind, seconds]) => [classes[kind] ?? 'computing', seconds]), total),
    legend(kinds.map(([kind, seconds]) => [classes[kind] ?? 'computing', `${kind}, ${formatTime(seconds)}`])));
}

function waitsSection({ data }) {
  const rows = waitRows(data);
  if (!rows.length) {
    section('waits', 'Waits', paragraph('No rank waited for another one.'));
    return;
  }
  const total = sum(rows.map((row) => row.seconds));
  const most = Math.max(...rows.map((row) => row.seconds));
  const columns = [
    { title: 'Waiting call', help: 'wait_site', kind: 'text', value: (row) => placeKey(row.place), text: (row) => placeCell(row.place) },
    { title: 'Ended by', help: 'wait_cause', kind: 'text', value: (row) => placeKey(row.causePlace), text: (row) => placeCell(row.causePlace) },
    { title: 'Kind', help: 'wait_kind', kind: 'text', value: (row) => row.kind, text: (row) => capitalized(row.kind) },
    { title: 'Time', help: 'wait_seconds', value: (row) => row.seconds, text: (row) => formatTime(row.seconds) },
    { title: 'Share', help: 'wait_share', kind: 'bars', value: (row) => row.seconds, text: (row) => element('span', { class: 'barred' },
      element('span', {}, formatPercent(row.seconds / total)), bar([['waiting', row.seconds]], most)) },
    { title: 'Waits', help: 'wait_count', value: (row) => row.count, text: (row) => formatCount(row.count) },
    { title: 'Ranks', help: 'wait_ranks', value: (row) => row.ranks, text: (row) => grouped(row.ranks) },
    { title: 'Caused most by', help: 'wait_cause_rank', value: (row) => row.cause_rank_seconds ?? 0, text: (row) => (row.cause_rank >= 0
      ? [`rank ${row.cause_rank}`, element('small', {}, formatTime(row.cause_rank_seconds))] : '\u2013') },
  ];
  const words = (row) => `${row.kind} ${placeWords(row.place)} ${placeWords(row.causePlace)}${rankWords(row.cause_rank)}`;
  section('waits', 'Waits', paragraph(waitSentence(rows, total), 'lead'), kindsBar(rows, total),
    makeTable({ name: 'Who waits for whom', columns, rows, sort: 3, words }));
}

// The ranks that came last at one call: three, and the others behind a click.
function lastCell(last) {
  if (!last?.length) return '\u2013';
  const line = ([rank, times, seconds]) => element('span', { class: 'last' }, `rank ${rank}: ${counted(times, 'time')}, ${formatTime(seconds)}`);
  const order = [...last].sort((a, b) => b[2] - a[2]);
  return [order.slice(0, 3).map(line), order.length > 3
    ? element('details', {}, element('summary', {}, `${order.length - 3} more`), order.slice(3).map(line)) : null];
}

function collectiveTable(data) {
  const rows = data.collectives.map((row) => ({ ...row, place: siteOf(data, row.site) }));
  const mean = (row) => (row.calls > 0 ? row.spread / row.calls : 0);
  const columns = [
    { title: 'Call', help: 'collective_place', kind: 'text', value: (row) => placeKey(row.place), text: (row) => placeCell(row.place) },
    { title: 'Communicator', help: 'collective_comm', kind: 'text', value: (row) => row.comm, text: (row) => [row.comm, element('small', {}, counted(row.members, 'member'))] },
    { title: 'Operations', help: 'collective_calls', value: (row) => row.calls, text: (row) => formatCount(row.calls) },
    { title: 'Spread', help: 'collective_spread', value: (row) => row.spread, text: (row) => formatTime(row.spread) },
    { title: 'Mean', help: 'collective_mean', value: mean, text: (row) => formatTime(mean(row)) },
    { title: 'Longest', help: 'collective_longest', value: (row) => row.spread_longest, text: (row) => formatTime(row.spread_longest) },
    { title: 'Came last', help: 'collective_last', kind: 'text', text: (row) => lastCell(row.last) },
  ];
  const words = (row) => `${placeWords(row.place)} ${row.comm}${(row.last ?? []).map(([rank]) => rankWords(rank)).join('')}`;
  return makeTable({ name: 'Collective operations', columns, rows, sort: 3, words, shown: 8 });
}

function stragglerTable(rows) {
  const most = Math.max(...rows.map((row) => row.seconds));
  const columns = [
    { title: 'Rank', value: (row) => row.rank, text: (row) => rankText(row.rank) },
    { title: 'Time', help: 'straggler_seconds', value: (row) => row.seconds, text: (row) => formatTime(row.seconds) },
    { title: '', kind: 'bars', text: (row) => bar([['waiting', row.seconds]], most) },
    { title: 'Times last', help: 'straggler_times', value: (row) => row.times, text: (row) => formatCount(row.times) },
    { title: 'Places', help: 'straggler_places', value: (row) => row.places, text: (row) => formatCount(row.places) },
  ];
  return makeTable({ name: 'Ranks that come last', columns, rows, sort: 1, words: (row) => `rank:${row.rank}`, shown: 8 });
}

function collectivesSection({ data }) {
  if (!data.collectives?.length) {
    section('collectives', 'Collective operations', paragraph('The ranks called no collective operation.'));
    return;
  }
  const widest = data.collectives.reduce((found, row) => (row.spread > found.spread ? row : found));
  const place = siteOf(data, widest.site);
  const late = stragglers(data);
  const worst = late.reduce((found, row) => (row.seconds > (found?.seconds ?? -1) ? row : found), null);
  const sentence = `Ranks arrive furthest apart at ${place?.name ?? 'an unknown call'} (at ${shortPlace(place)}): ${formatTime(widest.spread)} in ${counted(widest.calls, 'operation')}.` +
    (worst ? ` Rank ${worst.rank} comes last ${counted(worst.times, 'time')}, in all ${formatTime(worst.seconds)} after the member before it.` : '');
  section('collectives', 'Collective operations', paragraph(sentence, 'lead'), collectiveTable(data),
    ...(late.length ? [subheading('Ranks that come last', 'stragglers'), stragglerTable(late)] : []));
}
