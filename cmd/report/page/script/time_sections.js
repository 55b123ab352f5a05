// The sections about findings and about time inside MPI, by function and by call site.

function findingsSection({ data }) {
  const findings = data.findings ?? [];
  const content = findings.length
    ? element(
        'ol',
        { class: 'findings' },
        findings.map((text) => element('li', {}, text)),
      )
    : paragraph('The job printed no warning and no report.');
  section('findings', 'Findings', content);
}

const secondsOf = (row) => row.seconds;

// The columns about time that both tables of calls have.
function timeColumns(rows) {
  const parts = (row) => [
    ['mpi', row.seconds - row.wait],
    ['waiting', row.wait - row.ready],
    ['ready', row.ready],
  ];
  return [
    numberColumn('Time', 'call_seconds', secondsOf, formatTime),
    shareColumn('call_share', secondsOf, sum(rows.map(secondsOf)), parts, mostOf(rows, secondsOf)),
    numberColumn('Waiting', 'call_wait', (row) => row.wait - row.ready, formatTime),
    numberColumn('For a worker', 'call_ready', (row) => row.ready, formatTime),
    numberColumn('Bytes sent', 'call_bytes', (row) => row.bytes, formatBytes),
    numberColumn('Longest', 'call_longest', (row) => row.longest, formatTime),
    numberColumn('Its rank', 'call_longest_rank', (row) => row.longest_rank, rankText),
  ];
}

function functionTable(rows) {
  const columns = [
    textColumn(
      'Function',
      'by_function',
      (row) => row.name,
      (row) => element('code', {}, row.name),
    ),
    numberColumn('Places', 'call_sites', (row) => row.sites, formatCount),
    numberColumn('Calls', 'call_calls', (row) => row.calls, formatCount),
    ...timeColumns(rows),
  ];
  const words = (row) => row.name + rankWords(row.longest_rank);
  return makeTable({ name: 'Time in MPI by function', columns, rows, sort: 3, words });
}

function siteTable(rows) {
  const columns = [
    placeColumn('Call', 'call_place', (row) => row.place),
    numberColumn('Calls', 'call_calls', (row) => row.calls, formatCount),
    numberColumn('Ranks', 'call_ranks', (row) => row.ranks, grouped),
    ...timeColumns(rows),
  ];
  const words = (row) => placeWords(row.place) + rankWords(row.longest_rank);
  return makeTable({ name: 'Time in MPI by call site', columns, rows, sort: 3, words });
}

function timeSentence({ calls, mpi, total }) {
  const most = topRow(calls, (call) => call.seconds);
  return (
    `The ranks spent ${formatTime(mpi)} in MPI, ${formatPercent(mpi / total)} of their time. ` +
    `The most expensive call is ${most.place?.name ?? 'unknown'} (at ${shortPlace(most.place)}) with ${formatTime(most.seconds)}.`
  );
}

function timeSection(figures) {
  if (!figures.calls.length) {
    section('time', 'Time in MPI', paragraph('No rank called an MPI function whose time is recorded.'));
    return;
  }
  section(
    'time',
    'Time in MPI',
    paragraph(timeSentence(figures), 'lead'),
    legend([
      ['mpi', 'running', 'in_mpi'],
      ['waiting', 'waiting', 'call_wait'],
      ['ready', 'waiting for a worker', 'call_ready'],
    ]),
    subheading('By function', 'by_function'),
    functionTable(figures.byFunction),
    subheading('By call site', 'by_site'),
    siteTable(figures.calls),
  );
}
