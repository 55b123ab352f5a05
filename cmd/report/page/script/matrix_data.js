// Keeps the entries of the communication matrix in typed arrays and adds them up to the cells of a view.

class MatrixData {
  // entries: [source, destination, messages, bytes], where numbers of ranks are numbers of blocks of `block` ranks.
  constructor({ entries, block }, ranks) {
    this.block = block || 1;
    this.ranks = ranks;
    this.size = Math.max(1, Math.ceil(ranks / this.block));
    this.count = entries.length;
    this.source = new Int32Array(this.count);
    this.dest = new Int32Array(this.count);
    this.values = { messages: new Float64Array(this.count), bytes: new Float64Array(this.count) };
    this.sent = { messages: new Float64Array(this.size), bytes: new Float64Array(this.size) };
    this.received = { messages: new Float64Array(this.size), bytes: new Float64Array(this.size) };
    entries.forEach((entry, index) => this.keep(index, entry));
  }

  keep(index, [source, dest, messages, bytes]) {
    this.source[index] = source;
    this.dest[index] = dest;
    for (const [unit, value] of [
      ['messages', messages],
      ['bytes', bytes],
    ]) {
      this.values[unit][index] = value;
      this.sent[unit][source] += value;
      this.received[unit][dest] += value;
    }
  }

  // Adds up what is in a square of `cells` times `cells` cells of `step` blocks each, with (row, column) in its corner.
  view(row, column, cells, step) {
    const messages = new Float64Array(cells * cells),
      bytes = new Float64Array(cells * cells);
    for (let i = 0; i < this.count; i++) {
      const r = this.source[i] - row,
        c = this.dest[i] - column;
      if (r < 0 || c < 0) continue;
      const x = Math.floor(c / step),
        y = Math.floor(r / step);
      if (x >= cells || y >= cells) continue;
      messages[y * cells + x] += this.values.messages[i];
      bytes[y * cells + x] += this.values.bytes[i];
    }
    return { messages, bytes };
  }

  // Adds up a row's or a column's sums over each cell.
  sums(of, unit, first, cells, step) {
    const result = new Float64Array(cells);
    for (let i = first; i < Math.min(this.size, first + cells * step); i++)
      result[Math.floor((i - first) / step)] += this[of][unit][i];
    return result;
  }

  // The ranks of `step` blocks from block `first`: "rank 3", "ranks 0\u201319".
  ranksOf(first, step) {
    return rankRange(first * this.block, Math.min(this.ranks, (first + step) * this.block) - 1);
  }

  // The same without the word.
  numbersOf(first, step) {
    return this.ranksOf(first, step).split(SPACE)[1];
  }

  // Returns the entries with the largest values, at most `count`.
  largest(unit, count) {
    const values = this.values[unit];
    const least = values.slice().sort()[Math.max(0, this.count - count)]; // a typed array sorts fast
    const order = [];
    for (let i = 0; i < this.count; i++) if (values[i] >= least) order.push(i);
    order.sort((a, b) => values[b] - values[a] || a - b);
    return order.slice(0, count).map((i) => ({
      source: this.source[i],
      dest: this.dest[i],
      messages: this.values.messages[i],
      bytes: this.values.bytes[i],
    }));
  }
}
