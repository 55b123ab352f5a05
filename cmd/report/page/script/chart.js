// What pictures share: a frame that is redrawn when its width changes, scales with round ticks, and a line that reads values out.

// Returns round values from 0 to at least `most`, at most `count` + 1 of them. Steps are 1, 2 or 5 times a power of `base`.
function ticks(most, count, whole = false) {
  if (!(most > 0)) return [0];
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  let step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw * 0.999);
  if (whole) step = Math.max(1, Math.round(step));
  const values = [];
  for (let i = 0; i <= Math.ceil(most / step - 1e-9); i++) values.push(i * step);
  return values;
}

function wholeTicks(most, count) {
  return ticks(most, count, true);
}

// Ticks of sizes: steps are powers of 2.
function byteTicks(most, count) {
  if (!(most > 0)) return [0];
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(most / count)));
  const values = [];
  for (let i = 0; i <= Math.ceil(most / step - 1e-9); i++) values.push(i * step);
  return values;
}

// Joins rectangles, [x, y, width, height] each, to one path: ten thousand bars are one element.
function rectangles(list) {
  return list
    .filter(([, , width, height]) => width > 0 && height > 0)
    .map(
      ([x, y, width, height]) =>
        `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h${(-width).toFixed(2)}z`,
    )
    .join('');
}

const charts = []; // all of the page
const PRINTED_WIDTH = 688; // CSS pixels between the margins of A4

// Redraws all pictures in the size in which they are printed: text that shrinks with them would be too small.
function showChartsForPrint(printing) {
  for (const chart of charts) {
    chart.drawing = printing ? PRINTED_WIDTH : Math.round(chart.node.clientWidth);
    chart.redraw();
  }
}

// The first picture says how to read values; the others work alike.
let chartHint = 'Point at a picture, or focus it and press an arrow key, to read its values.';

// A picture of columns with a vertical axis. Subclasses have plot(box) and reading(column).
class ColumnChart {
  constructor({ label, height = 220, sentence }) {
    this.height = height;
    this.hint = chartHint;
    chartHint = '';
    this.selected = -1;
    this.columns = 0;
    this.box = null;
    this.picture = svg('svg', { role: 'img', 'aria-label': label, tabindex: '0', class: 'chart' });
    this.output = element('output', { class: 'reading', 'aria-live': 'polite' });
    this.node = element('figure', {}, this.picture, this.output, sentence ? element('figcaption', {}, sentence) : null);
    charts.push(this);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  draw() {
    const width = Math.round(this.node.clientWidth);
    if (!width || this.drawing === width) return;
    this.drawing = width;
    this.redraw();
  }

  redraw() {
    const width = this.drawing;
    if (!width) return;
    this.picture.setAttribute('viewBox', `0 0 ${width} ${this.height}`);
    this.box = { left: 64, top: 14, right: width - 8, bottom: this.height - 30 };
    this.mark = svg('rect', {
      class: 'mark',
      y: this.box.top,
      height: this.box.bottom - this.box.top,
      visibility: 'hidden',
    });
    this.picture.replaceChildren(...this.plot(this.box), this.mark);
    this.select(-1);
  }

  // Draws the horizontal lines of the axis and its numbers.
  axis(values, format, highest) {
    const { left, right, top, bottom } = this.box;
    const most = highest * 1.04 || 1;
    this.y = (value) => bottom - (value / most) * (bottom - top);
    return values
      .filter((value) => value <= most)
      .map((value) =>
        svg(
          'g',
          { class: 'tick' },
          svg('line', {
            x1: left,
            x2: right,
            y1: this.y(value),
            y2: this.y(value),
            class: value === 0 ? 'base' : null,
          }),
          svg('text', { x: left - 8, y: this.y(value) + 4, 'text-anchor': 'end' }, withoutZeros(format(value))),
        ),
      );
  }

  xOf(column) {
    const { left, right } = this.box;
    return left + (column / this.columns) * (right - left);
  }

  // Writes labels below the columns, as many as have room.
  labels(text, room = 70) {
    const { left, right, bottom } = this.box;
    const step = Math.max(1, Math.ceil(this.columns / Math.max(1, Math.floor((right - left) / room))));
    const nodes = [];
    for (let column = 0; column < this.columns; column += step) {
      const x = (this.xOf(column) + this.xOf(column + 1)) / 2;
      nodes.push(svg('text', { x, y: bottom + 18, 'text-anchor': 'middle', class: 'label' }, text(column)));
    }
    return nodes;
  }

  select(column) {
    this.selected = column;
    const seen = column >= 0 && column < this.columns;
    this.mark.setAttribute('visibility', seen ? 'visible' : 'hidden');
    if (seen) {
      this.mark.setAttribute('x', this.xOf(column));
      this.mark.setAttribute('width', Math.max(1, this.xOf(column + 1) - this.xOf(column)));
    }
    this.output.textContent = seen ? this.reading(column) : this.hint;
    this.output.classList.toggle('idle', !seen);
  }

  listen() {
    this.picture.addEventListener('pointermove', (event) => {
      const area = this.picture.getBoundingClientRect();
      const x = ((event.clientX - area.left) / area.width) * this.drawing;
      const column = Math.floor(((x - this.box.left) / (this.box.right - this.box.left)) * this.columns);
      this.select(column >= 0 && column < this.columns ? column : -1);
    });
    this.picture.addEventListener('pointerleave', () => this.select(-1));
    this.picture.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
      if (!(event.key in steps) || !this.columns) return;
      event.preventDefault();
      const next =
        this.selected < 0 && steps[event.key] > 0 && event.key !== 'End' ? 0 : this.selected + steps[event.key];
      this.select(Math.max(0, Math.min(this.columns - 1, next)));
    });
  }
}
