// Formats numbers, times, sizes and places: three significant digits, and the units of Thrum's other reports.

const SPACE = '\u00a0'; // keeps a number and its unit on one line

// Rounds to three significant digits. Units are chosen after rounding: 999.9 ms is 1.00 s.
function rounded(value) {
  return Number(value.toPrecision(3));
}

function grouped(whole) {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}

// Formats a number without a unit.
function significant(value) {
  if (value === 0) return '0';
  const size = Math.abs(rounded(value));
  if (size >= 100) return (value < 0 ? '\u2212' : '') + grouped(Math.round(size));
  if (size < 1e-6) return value.toExponential(2);
  return value.toPrecision(3).replace('-', '\u2212');
}

function formatTime(seconds) {
  if (!Number.isFinite(seconds)) return '\u2013';
  if (seconds === 0) return `0${SPACE}s`;
  const size = Math.abs(rounded(seconds));
  const [unit, name] = [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'us'],
    [1e-9, 'ns'],
  ].find(([least]) => size >= least) ?? [1e-9, 'ns'];
  return significant(seconds / unit) + SPACE + name;
}

function formatBytes(bytes) {
  if (!Number.isFinite(bytes)) return '\u2013';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let power = 0;
  while (power < units.length - 1 && Math.abs(bytes) >= 1024 ** (power + 1)) power++;
  const value = bytes / 1024 ** power;
  return (power === 0 && Number.isInteger(value) ? grouped(value) : significant(value)) + SPACE + units[power];
}

// Formats a count: exactly below 10,000, then with k, M, G or T.
function formatCount(count) {
  if (!Number.isFinite(count)) return '\u2013';
  if (Math.abs(count) < 10000) return Number.isInteger(count) ? grouped(count) : significant(count);
  const size = rounded(count);
  const [unit, name] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ].find(([least]) => size >= least);
  return significant(count / unit) + SPACE + name;
}

function formatPercent(share) {
  if (!Number.isFinite(share)) return '\u2013';
  if (share !== 0 && Math.abs(share) < 1e-4) return `<${SPACE}0.01${SPACE}%`;
  return significant(share * 100) + SPACE + '%';
}

function formatRatio(ratio) {
  if (ratio === Infinity) return 'new';
  if (ratio === 0) return 'none left';
  return Number.isFinite(ratio) ? `\u00d7${SPACE}${significant(ratio)}` : '\u2013';
}

// Drops zeros that say nothing on an axis or for a power of two: 2.50 s becomes 2.5 s, 8.00 KiB 8 KiB.
function withoutZeros(text) {
  return text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');
}

// "1 rank", "512 ranks". Ranks and members are written in full.
function counted(count, noun, plural = noun + 's') {
  return `${['rank', 'member'].includes(noun) ? grouped(count) : formatCount(count)}${SPACE}${count === 1 ? noun : plural}`;
}

// "rank 3" or "ranks 0\u201319".
function rankRange(first, last) {
  return first === last ? `rank${SPACE}${first}` : `ranks${SPACE}${first}\u2013${last}`;
}

// "file:line", or the object when the line is not known.
function fileAndLine(site) {
  if (!site) return 'unknown place';
  return site.line > 0 ? `${site.file}:${site.line}` : site.file || 'unknown place';
}

function shortPlace(site) {
  return site?.in ? `${fileAndLine(site)} in ${site.in}` : fileAndLine(site);
}

function formatDate(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text ?? '');
  const words = {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    hour12: false,
  };
  return date.toLocaleString('en-GB', { ...words, timeZone: 'UTC' });
}
