// Draws values of all ranks, stacked. A column is one rank, or the mean of neighbouring ranks if there are more than pixels.

const COLUMN_WIDTH_MIN = 2;

class RankChart extends ColumnChart {
  // series: [{ kind, name, values }]; the first one is marked with its mean and, in columns of several ranks, its largest value.
  constructor({ series, format, ticksOf = ticks, most, ...options }) {
    super(options);
    Object.assign(this, { series, format, ticksOf, most });
    this.ranks = series[0].values.length;
    this.orderBy('rank');
  }

  orderBy(order) {
    this.sorted = order === 'sorted';
    this.ranksInOrder = Int32Array.from({ length: this.ranks }, (_, rank) => rank);
    const values = this.series[0].values;
    if (this.sorted) this.ranksInOrder.sort((a, b) => values[a] - values[b]);
    this.redraw();
  }

  // Divides the ranks, in order, into columns: the mean of each series and the largest value of the first one.
  gather(width) {
    this.columns = Math.max(1, Math.min(this.ranks, Math.floor(width / COLUMN_WIDTH_MIN)));
    this.means = this.series.map(() => new Float64Array(this.columns));
    this.largest = new Int32Array(this.columns).fill(-1);
    this.starts = Array.from({ length: this.columns + 1 }, (_, column) =>
      Math.floor((column * this.ranks) / this.columns),
    );
    const first = this.series[0].values;
    for (let column = 0; column < this.columns; column++) {
      const [begin, end] = [this.starts[column], this.starts[column + 1]];
      for (let at = begin; at < end; at++) {
        const rank = this.ranksInOrder[at];
        this.series.forEach((part, index) => {
          this.means[index][column] += part.values[rank] / (end - begin);
        });
        if (this.largest[column] < 0 || first[rank] > first[this.largest[column]]) this.largest[column] = rank;
      }
    }
  }

  plot(box) {
    this.gather(box.right - box.left);
    const stacked = (rank) => this.series.reduce((height, part) => height + part.values[rank], 0);
    let most = this.most ?? 0;
    for (let rank = 0; rank < this.ranks; rank++) most = Math.max(most, stacked(rank));
    const nodes = this.axis(this.ticksOf(most, 5), this.format, most);
    const below = new Float64Array(this.columns);
    const gap = (box.right - box.left) / this.columns > 6 ? 1.5 : 0;
    this.series.forEach((part, index) => {
      const list = [];
      for (let column = 0; column < this.columns; column++) {
        const y = this.y(below[column] + this.means[index][column]);
        list.push([
          this.xOf(column) + gap / 2,
          y,
          this.xOf(column + 1) - this.xOf(column) - gap,
          this.y(below[column]) - y,
        ]);
        below[column] += this.means[index][column];
      }
      nodes.push(svg('path', { class: `fill ${part.kind}`, d: rectangles(list) }));
    });
    if (this.ranks > this.columns) nodes.push(this.largestMarks());
    this.node.dispatchEvent(new CustomEvent('gathered', { detail: this.ranks > this.columns }));
    nodes.push(...this.meanLine(box), ...this.rankLabels(box));
    return nodes;
  }

  largestMarks() {
    const values = this.series[0].values;
    const list = Array.from(this.largest, (rank, column) => [
      this.xOf(column),
      this.y(values[rank]) - 0.75,
      this.xOf(column + 1) - this.xOf(column),
      1.5,
    ]);
    return svg('path', { class: 'fill most', d: rectangles(list) });
  }

  meanLine(box) {
    const y = this.y(spread(this.series[0].values).mean);
    return [svg('line', { class: 'mean', x1: box.left, x2: box.right, y1: y, y2: y })];
  }

  rankLabels(box) {
    if (this.sorted) {
      return [
        svg('text', { x: box.left, y: box.bottom + 18, class: 'label' }, 'least'),
        svg('text', { x: box.right, y: box.bottom + 18, 'text-anchor': 'end', class: 'label' }, 'most'),
      ];
    }
    const room = (box.right - box.left) / this.ranks;
    const values = ticks(
      this.ranks - 1,
      room > 32 ? this.ranks : Math.max(2, Math.floor((box.right - box.left) / 90)),
      true,
    ).filter((rank) => rank < this.ranks);
    return values.map((rank) =>
      svg(
        'text',
        {
          x: (this.xOf((rank * this.columns) / this.ranks) + this.xOf(((rank + 1) * this.columns) / this.ranks)) / 2,
          y: box.bottom + 18,
          'text-anchor': 'middle',
          class: 'label',
        },
        `${rank === 0 ? 'rank ' : ''}${rank}`,
      ),
    );
  }

  reading(column) {
    const [begin, end] = [this.starts[column], this.starts[column + 1]];
    const many = end - begin > 1;
    let who = `Rank ${this.ranksInOrder[begin]}`;
    if (many) who = this.sorted ? `Mean of ${end - begin} ranks` : `Mean of ranks ${begin}\u2013${end - 1}`;
    const parts = this.series.map((part, index) => `${part.name} ${this.format(this.means[index][column])}`);
    const rank = this.largest[column];
    const most = many ? `; most ${this.series[0].name}: rank ${rank}, ${this.format(this.series[0].values[rank])}` : '';
    return `${who}: ${parts.join(', ')}${most}`;
  }
}
