// Paints one view of the communication matrix on a canvas: cells, sums of rows and columns, axes, the cursor.

const MATRIX_STEPS = 64; // colours of the scale

function components(text) {
  return text
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
}

// Interpolates between the colours of the style sheet, --scale-0 (least) to --scale-4 (most).
function colourScale() {
  const stops = [0, 1, 2, 3, 4].map((index) => components(colour(`--scale-${index}`)));
  return Array.from({ length: MATRIX_STEPS }, (_, index) => {
    const at = (index / (MATRIX_STEPS - 1)) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    return stops[low].map((value, part) => Math.round(value + (stops[low + 1][part] - value) * (at - low)));
  });
}

// WCAG's relative luminance.
function luminance(...parts) {
  const [red, green, blue] = parts.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

class MatrixPicture {
  constructor(canvas) {
    this.canvas = canvas;
    this.cells = document.createElement('canvas');
  }

  // Sizes the canvas for a width in CSS pixels; the matrix is the square between the margins.
  resize(width) {
    const margin = { left: width < 480 ? 40 : 56, top: 26, right: width < 480 ? 40 : 72, bottom: 54 };
    const side = Math.max(120, Math.min(width - margin.left - margin.right, 620));
    const dots = Math.max(2, window.devicePixelRatio || 1);
    const height = margin.top + side + margin.bottom;
    Object.assign(this, { width: margin.left + side + margin.right, height, margin, side, dots });
    this.canvas.width = Math.round(this.width * dots);
    this.canvas.height = Math.round(height * dots);
    Object.assign(this.canvas.style, { width: `${this.width}px`, height: `${height}px` });
  }

  loadColours() {
    this.scale = colourScale();
    this.ink = colour('--ink');
    this.quiet = colour('--quiet');
    this.line = colour('--line');
    this.paper = colour('--paper');
    this.bars = colour('--mpi');
    this.cursorColour = colour('--focus');
    this.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }

  // Paints what prepare() was given. view: { row, column, cells, step, values, sent, received }; limits: least and most of the values, or null.
  paint(data, view, limits, cursor, format) {
    const context = this.canvas.getContext('2d');
    context.setTransform(this.dots, 0, 0, this.dots, 0, 0);
    context.fillStyle = this.paper;
    context.fillRect(0, 0, this.width, this.height);
    context.font = this.font;
    this.cell = this.side / view.cells;
    this.paintCells(context, view);
    this.paintNumbers(context, view, limits, format);
    context.strokeStyle = this.line;
    context.strokeRect(this.margin.left - 0.5, this.margin.top - 0.5, this.side + 1, this.side + 1);
    this.paintSums(context, view);
    this.paintAxes(context, data, view);
    if (cursor) this.paintCursor(context, cursor);
  }

  colourOf(value, { least, most }) {
    const at = most > least ? Math.log(value / least) / Math.log(most / least) : 1;
    return Math.round(at * (MATRIX_STEPS - 1));
  }

  // Makes an image with a pixel for each cell, which paintCells enlarges: one call however many cells.
  prepare(view, limits) {
    const { cells, values } = view;
    const image = new ImageData(cells, cells);
    for (let i = 0; i < values.length; i++) {
      if (!values[i]) continue;
      const [red, green, blue] = this.scale[this.colourOf(values[i], limits)];
      image.data.set([red, green, blue, 255], i * 4);
    }
    this.cells.width = this.cells.height = cells;
    this.cells.getContext('2d').putImageData(image, 0, 0);
  }

  paintCells(context, { cells }) {
    context.imageSmoothingEnabled = false;
    context.drawImage(this.cells, this.margin.left, this.margin.top, this.side, this.side);
    if (this.cell < 9) return;
    context.strokeStyle = this.paper;
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 1; i < cells; i++) {
      const [x, y] = [this.margin.left + i * this.cell, this.margin.top + i * this.cell];
      context.moveTo(x, this.margin.top);
      context.lineTo(x, this.margin.top + this.side);
      context.moveTo(this.margin.left, y);
      context.lineTo(this.margin.left + this.side, y);
    }
    context.stroke();
  }

  // Writes the values into cells that have room for them.
  paintNumbers(context, view, limits, format) {
    if (this.cell < 58) return;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    view.values.forEach((value, index) => {
      if (!value) return;
      const [red, green, blue] = this.scale[this.colourOf(value, limits)];
      context.fillStyle = luminance(red, green, blue) > 0.18 ? '#000' : '#fff'; // at 0.18 both have the same contrast
      const [x, y] = [index % view.cells, Math.floor(index / view.cells)];
      context.fillText(
        format(value),
        this.margin.left + (x + 0.5) * this.cell,
        this.margin.top + (y + 0.5) * this.cell,
      );
    });
  }

  paintSums(context, view) {
    const [right, bottom] = [this.margin.left + this.side + 6, this.margin.top + this.side + 6];
    const room = Math.min(this.margin.right, this.margin.bottom) - 26;
    const gap = this.cell > 6 ? 1 : 0;
    const snap = (at) => Math.round(at * this.dots) / this.dots; // without seams between bars
    context.fillStyle = this.bars;
    const [sentMost, receivedMost] = [view.sent, view.received].map(
      (sums) => sums.reduce((most, value) => Math.max(most, value), 0) || 1,
    );
    for (let i = 0; i < view.cells; i++) {
      const at = snap(i * this.cell);
      const size = snap((i + 1) * this.cell) - at - gap;
      context.fillRect(right, this.margin.top + at, (view.sent[i] / sentMost) * room, size);
      context.fillRect(this.margin.left + at, bottom, size, (view.received[i] / receivedMost) * room);
    }
    context.fillStyle = this.quiet;
    context.textBaseline = 'alphabetic';
    context.textAlign = 'left';
    context.fillText('sent', right, this.margin.top - 8);
    context.fillText('received', this.margin.left, this.height - 6);
  }

  paintAxes(context, data, view) {
    context.fillStyle = this.ink;
    const visible = view.cells * view.step;
    const wanted = visible * data.block <= 16 ? 16 : Math.max(2, Math.floor(this.side / 90));
    const round = ticks(visible * data.block, wanted, true);
    const step = Math.max(1, Math.round((round[1] ?? 1) / data.block));
    const each = (first, write) => {
      for (let at = Math.ceil(first / step) * step; at < Math.min(data.size, first + visible); at += step) {
        write(((at - first + 0.5 * Math.min(1, view.step)) / view.step) * this.cell, String(at * data.block));
      }
    };
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    each(view.row, (at, text) => context.fillText(text, this.margin.left - 6, this.margin.top + at));
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    each(view.column, (at, text) => context.fillText(text, this.margin.left + at, this.margin.top - 8));
  }

  paintCursor(context, [y, x]) {
    const size = Math.max(6, this.cell);
    const offset = (size - this.cell) / 2;
    const place = [this.margin.left + x * this.cell - offset, this.margin.top + y * this.cell - offset, size, size];
    context.lineWidth = 4;
    context.strokeStyle = this.paper;
    context.strokeRect(...place);
    context.lineWidth = 2;
    context.strokeStyle = this.cursorColour;
    context.strokeRect(...place);
    context.lineWidth = 1;
  }

  // Returns the cell, [row, column], at a position in the canvas, or null outside of the matrix.
  cellAt(x, y, cells) {
    const column = Math.floor((x - this.margin.left) / this.cell),
      row = Math.floor((y - this.margin.top) / this.cell);
    return row >= 0 && column >= 0 && row < cells && column < cells ? [row, column] : null;
  }
}
