// The sections about findings and about time inside MPI, by function and by call site.

function findingsSection({ data }) {
  const findings = data.findings ?? [];
  const content = findings.length
    ? element('ol', { class: 'findings' }, findings.map((text) => element('li', {}, text)))
    : paragraph('The job printed no warning and no report.');
  section('findings', 'Findings', content);
}

// The columns that both tables of calls have.
function callColumns(rows) {
  const longest = Math.max(...rows.map((row) => row.seconds), 0);
  const total = sum(rows.map((row) => row.seconds));
  return {
    calls: { title: 'Calls', help: 'call_calls', value: (row) => row.calls, text: (row) => formatCount(row.calls) },
    time: [
      { title: 'Time', help: 'call_seconds', value: (row) => row.seconds, text: (row) => formatTime(row.seconds) },
      { title: 'Share', help: 'call_share', kind: 'bars', value: (row) => row.seconds, text: (row) => element('span', { class: 'barred' },
        element('span', {}, formatPercent(row.seconds / total)),
        bar([['mpi', row.seconds - row.wait], ['waiting', row.wait]], longest)) },
      { title: 'Waiting', help: 'call_wait', value: (row) => row.wait, text: (row) => formatTime(row.wait) },
      { title: 'Bytes sent', help: 'call_bytes', value: (row) => row.bytes, text: (row) => formatBytes(row.bytes) },
      { title: 'Longest', help: 'call_longest', value: (row) => row.longest, text: (row) => formatTime(row.longest) },
      { title: 'Its rank', help: 'call_longest_rank', value: (row) => row.longest_rank, text: (row) => rankText(row.longest_rank) },
    ],
  };
}

function functionTable(rows) {
  const { calls, time } = callColumns(rows);
  const columns = [
    { title: 'Function', help: 'by_function', kind: 'text', value: (row) => row.name, text: (row) => element('code', {}, row.name) },
    { title: 'Places', help: 'call_sites', value: (row) => row.sites, text: (row) => formatCount(row.sites) }, calls, ...time];
  return makeTable({ name: 'Time in MPI by function', columns, rows, sort: 3, words: (row) => row.name + rankWords(row.longest_rank) });
}

function siteTable(rows) {
  const { calls, time } = callColumns(rows);
  const columns = [
    { title: 'Call', help: 'call_place', kind: 'text', value: (row) => placeKey(row.place), text: (row) => placeCell(row.place) },
    calls, { title: 'Ranks', help: 'call_ranks', value: (row) => row.ranks, text: (row) => grouped(row.ranks) }, ...time];
  return makeTable({ name: 'Time in MPI by call site', columns, rows, sort: 3, words: (row) => placeWords(row.place) + rankWords(row.longest_rank) });
}

function timeSentence({ calls, mpi, total }) {
  const most = calls.reduce((found, call) => (call.seconds > found.seconds ? call : found));
  return `The ranks spent ${formatTime(mpi)} in MPI, ${formatPercent(mpi / total)} of their time. ` +
    `The most expensive call is ${most.place?.name ?? 'unknown'} (at ${shortPlace(most.place)}) with ${formatTime(most.seconds)}.`;
}

function timeSection(figures) {
  if (!figures.calls.length) {
    section('time', 'Time in MPI', paragraph('No rank called an MPI function whose time is recorded.'));
    return;
  }
  section('time', 'Time in MPI', paragraph(timeSentence(figures), 'lead'),
    legend([['mpi', 'running', 'in_mpi'], ['waiting', 'waiting', 'call_wait']]),
    subheading('By function', 'by_function'), functionTable(figures.byFunction),
    subheading('By call site', 'by_site'), siteTable(figures.calls));
}
