// Draws one value for each bin: a histogram with a number on each bar, or a long series in time, of which each column shows the largest.

class BinChart extends ColumnChart {
  // values: one a bin; name(first, last) says which bins a column stands for.
  constructor({
    values,
    format,
    axisFormat = format,
    ticksOf,
    name,
    label,
    numbers = false,
    kind = 'mpi',
    tick,
    ...options
  }) {
    super({ label, ...options });
    Object.assign(this, { values, format, axisFormat, ticksOf, name, numbers, kind, tick });
  }

  change({ values, format, axisFormat = format, ticksOf }) {
    Object.assign(this, { values, format, axisFormat, ticksOf });
    this.redraw();
  }

  plot(box) {
    this.columns = Math.max(1, Math.min(this.values.length, Math.floor((box.right - box.left) / 2)));
    this.starts = Array.from({ length: this.columns + 1 }, (_, column) =>
      Math.floor((column * this.values.length) / this.columns),
    );
    this.largest = Array.from({ length: this.columns }, (_, column) => {
      let most = 0;
      for (let bin = this.starts[column]; bin < this.starts[column + 1]; bin++) most = Math.max(most, this.values[bin]);
      return most;
    });
    const most = Math.max(...this.largest);
    const nodes = this.axis(this.ticksOf(most, 4), this.axisFormat, most * (this.numbers ? 1.08 : 1));
    const width = (box.right - box.left) / this.columns;
    const gap = width > 12 ? Math.min(6, width / 5) : 0;
    nodes.push(
      svg('path', {
        class: `fill ${this.kind}`,
        d: rectangles(
          this.largest.map((value, column) => [
            this.xOf(column) + gap / 2,
            this.y(value),
            width - gap,
            box.bottom - this.y(value),
          ]),
        ),
      }),
    );
    if (this.numbers && width >= 52) {
      this.largest.forEach((value, column) =>
        nodes.push(
          svg(
            'text',
            {
              x: this.xOf(column) + width / 2,
              y: this.y(value) - 4,
              'text-anchor': 'middle',
              class: 'number',
            },
            this.format(value),
          ),
        ),
      );
    }
    return [...nodes, ...this.labels((column) => this.tick(this.starts[column]), this.numbers ? 52 : 90)];
  }

  reading(column) {
    return `${this.name(this.starts[column], this.starts[column + 1] - 1)}: ${this.format(this.largest[column])}`;
  }
}
