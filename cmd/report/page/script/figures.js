// Computes the figures of a report from its data, once. Everything on the page that is not in the JSON comes from here.

function sum(values) {
  let total = 0;
  for (const value of values ?? []) total += value;
  return total;
}

// Returns least, mean and most of an array, and where the least and the most are. Math.max(...) cannot take 100,000 arguments.
function spread(values) {
  let least = 0,
    most = 0;
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[least]) least = i;
    if (values[i] > values[most]) most = i;
  }
  const total = sum(values);
  return { min: values[least], max: values[most], mean: total / values.length, total, leastAt: least, mostAt: most };
}

// max/mean - 1: how much longer the slowest takes than with even work.
function imbalance(values) {
  const { max, mean } = spread(values);
  return mean > 0 ? max / mean - 1 : NaN;
}

function siteOf(data, index) {
  const site = data.sites?.[index];
  return site ? { ...site, name: data.functions[site.function] ?? 'unknown function' } : null;
}

function callRows(data) {
  return (data.calls ?? []).map((call) => ({ ready: 0, ...call, place: siteOf(data, call.site) }));
}

function functionRows(calls) {
  const rows = new Map();
  for (const call of calls) {
    const name = call.place?.name ?? 'unknown function';
    const row = rows.get(name) ?? {
      name,
      sites: 0,
      calls: 0,
      seconds: 0,
      wait: 0,
      ready: 0,
      bytes: 0,
      longest: -1,
      longest_rank: -1,
    };
    row.sites++;
    for (const key of ['calls', 'seconds', 'wait', 'ready', 'bytes']) row[key] += call[key];
    if (call.longest > row.longest) [row.longest, row.longest_rank] = [call.longest, call.longest_rank];
    rows.set(name, row);
  }
  return [...rows.values()];
}

function deriveFigures(data) {
  const ranks = { seconds: [], mpi: [], wait: [], ready: [], messages: [], bytes: [], ...data.ranks };
  const figures = { data, run: data.run, ranks };
  figures.computing = ranks.seconds.map((seconds, rank) => Math.max(0, seconds - ranks.mpi[rank]));
  figures.running = ranks.mpi.map((seconds, rank) => Math.max(0, seconds - ranks.wait[rank]));
  figures.blocked = ranks.wait.map((seconds, rank) => Math.max(0, seconds - ranks.ready[rank]));
  figures.total = sum(ranks.seconds);
  figures.mpi = sum(ranks.mpi);
  figures.wait = sum(figures.blocked);
  figures.ready = sum(ranks.ready);
  figures.messages = sum(ranks.messages);
  figures.bytes = sum(ranks.bytes);
  figures.memory = data.run.memory || null;
  figures.imbalance = imbalance(figures.computing);
  figures.calls = callRows(data);
  figures.byFunction = functionRows(figures.calls);
  figures.pathTotal = sum((data.path ?? []).map((part) => part.seconds));
  return figures;
}

// Adds the seconds of the path's parts that have the same key; the parts without one ("the rest") stay apart.
function pathBy(data, key) {
  const rows = new Map();
  for (const part of data.path ?? []) {
    const of = part.rank < 0 ? 'rest' : part[key];
    const row = rows.get(of) ?? { of, seconds: 0, computing: 0 };
    row.seconds += part.seconds;
    if (part.site < 0) row.computing += part.seconds;
    rows.set(of, row);
  }
  return [...rows.values()];
}

// Adds up, over all collective operations, how often and how much a rank came last.
function stragglers(data) {
  const rows = new Map();
  for (const collective of data.collectives ?? []) {
    for (const [rank, times, seconds] of collective.last ?? []) {
      const row = rows.get(rank) ?? { rank, times: 0, seconds: 0, places: 0 };
      row.times += times;
      row.seconds += seconds;
      row.places++;
      rows.set(rank, row);
    }
  }
  return [...rows.values()];
}
