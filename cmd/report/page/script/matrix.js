// The communication matrix: which part is visible, and how wheel, pointer, buttons and keys move and enlarge it.

const MATRIX_CELL_MIN = 2; // CSS pixels; smaller cells hide thin lines
const MATRIX_SPAN_MIN = 4; // blocks

class Matrix {
  constructor(data, label) {
    this.data = data;
    this.unit = 'bytes';
    this.cursor = null;
    this.canvas = element('canvas', {
      tabindex: '0',
      role: 'application',
      'aria-roledescription': 'communication matrix',
      'aria-label': label,
      'aria-describedby': 'matrix-keys',
    });
    this.picture = new MatrixPicture(this.canvas);
    this.output = element('output', { class: 'reading', 'aria-live': 'polite', id: 'matrix-reading' });
    this.least = element('span');
    this.most = element('span');
    this.where = element('span', { class: 'where', id: 'matrix-view' });
    this.node = element(
      'figure',
      { class: 'matrix' },
      this.controls(),
      this.canvas,
      this.legend(),
      this.output,
      element(
        'p',
        { class: 'hint', id: 'matrix-keys' },
        'Arrow keys move the mark, + and \u2212 zoom around it, Shift with an arrow key moves the view, 0 shows all. Drag to move. The wheel zooms while Ctrl is held or the matrix has the focus.',
      ),
    );
    this.span = this.data.size;
    this.row = this.column = 0;
    this.listen();
    new ResizeObserver(() => this.fit()).observe(this.node);
    repaints.push(() => {
      this.picture.loadColours();
      this.fit(true);
    });
  }

  controls() {
    const centre = () => this.cursor ?? [this.view.cells / 2, this.view.cells / 2];
    return element(
      'div',
      { class: 'controls' },
      choice(
        'What the colours show',
        [
          ['bytes', 'Bytes'],
          ['messages', 'Messages'],
        ],
        (unit) => {
          this.unit = unit;
          this.update();
        },
      ),
      buttonGroup(
        'Zoom',
        actionButton('+', 'Zoom in', () => this.zoom(0.5, centre())),
        actionButton('\u2212', 'Zoom out', () => this.zoom(2, centre())),
        actionButton('All', 'Show all ranks', () => this.showAll()),
      ),
      this.where,
    );
  }

  legend() {
    return element(
      'div',
      { class: 'scale' },
      this.least,
      element(
        'span',
        { class: 'ramp', 'aria-hidden': 'true' },
        Array.from({ length: 24 }, () => element('span')),
      ),
      this.most,
      element('small', {}, 'for each cell, logarithmic'),
      helpButton('matrix', 'the colour of a cell'),
      element('small', {}, 'bars: sums'),
      helpButton('matrix_sums', 'a bar beside the matrix'),
    );
  }

  format(value) {
    return this.unit === 'bytes' ? formatBytes(value) : formatCount(value);
  }

  fit(always = false) {
    const width = Math.floor(this.node.clientWidth);
    if (!width || (width === this.fitted && !always)) return;
    this.fitted = width;
    if (!this.picture.scale) this.picture.loadColours();
    this.picture.resize(width);
    this.update();
  }

  // Computes the visible cells. The view begins at a multiple of the cell's size, so that cells keep their ranks when it moves.
  update() {
    if (!this.picture.side) return;
    const { size } = this.data;
    const cellsMost = Math.floor(this.picture.side / MATRIX_CELL_MIN);
    const step = Math.ceil(this.span / cellsMost);
    const cells = Math.ceil(this.span / step);
    const snap = (at) =>
      Math.max(0, Math.min(Math.ceil(Math.max(0, size - this.span) / step) * step, Math.round(at / step) * step));
    this.row = snap(this.row);
    this.column = snap(this.column);
    const both = this.data.view(this.row, this.column, cells, step);
    this.view = {
      row: this.row,
      column: this.column,
      cells,
      step,
      both,
      values: both[this.unit],
      sent: this.data.sums('sent', this.unit, this.row, cells, step),
      received: this.data.sums('received', this.unit, this.column, cells, step),
    };
    this.limits = this.limitsOf(this.view.values);
    this.picture.prepare(this.view, this.limits);
    if (this.cursor) this.cursor = this.cursor.map((at) => Math.max(0, Math.min(cells - 1, at)));
    this.describe();
    this.paint();
  }

  limitsOf(values) {
    let least = Infinity,
      most = 0;
    for (const value of values) {
      if (value > 0) [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
    return most > 0 ? { least, most } : null;
  }

  describe() {
    const { row, column, step, cells } = this.view;
    this.least.textContent = this.limits ? this.format(this.limits.least) : '';
    this.most.textContent = this.limits ? this.format(this.limits.most) : 'nothing was sent here';
    const each = step * this.data.block;
    this.where.textContent =
      `From ${this.data.ranksOf(row, cells * step)} to ${this.data.ranksOf(column, cells * step)}` +
      (each > 1 ? `; a cell is ${each}\u00a0\u00d7\u00a0${each} ranks` : '');
    this.read();
    const ramp = this.node.querySelectorAll('.ramp span');
    ramp.forEach((part, index) => {
      part.style.background = `rgb(${this.picture.scale[Math.round((index / (ramp.length - 1)) * (MATRIX_STEPS - 1))].join(',')})`;
    });
  }

  read() {
    this.output.classList.toggle('idle', !this.cursor);
    if (!this.cursor) {
      this.output.textContent = 'Point at a cell, or focus the matrix and press an arrow key, to read it.';
      return;
    }
    const [y, x] = this.cursor;
    const { row, column, step, cells, both, sent, received } = this.view;
    const index = y * cells + x;
    const source = this.data.ranksOf(row + y * step, step),
      dest = this.data.ranksOf(column + x * step, step);
    this.output.textContent =
      `From ${source} to ${dest}: ${counted(both.messages[index], 'message')}, ${formatBytes(both.bytes[index])}. ` +
      `Sent by ${source} in all: ${this.total(sent[y])}; received by ${dest}: ${this.total(received[x])}.`;
  }

  total(value) {
    return this.unit === 'bytes' ? formatBytes(value) : counted(value, 'message');
  }

  paint() {
    this.picture.paint(this.data, this.view, this.limits, this.cursor, (value) => this.format(value));
  }

  // Multiplies the visible span, so that the cell at `around` stays where it is.
  zoom(factor, around) {
    const { size } = this.data;
    const before = this.span;
    const { step, cells } = this.view;
    const target = this.cursor && [this.row + this.cursor[0] * step, this.column + this.cursor[1] * step];
    this.span = Math.max(Math.min(MATRIX_SPAN_MIN, size), Math.min(size, Math.round(before * factor)));
    this.row += Math.round((around[0] / cells) * (before - this.span));
    this.column += Math.round((around[1] / cells) * (before - this.span));
    this.update();
    if (!target) return;
    // The mark stays within the ranks that it was on, whichever way the cells' size changed.
    const cellOf = (block, first) => (this.view.step < step ? Math.ceil : Math.floor)((block - first) / this.view.step);
    this.setCursor([cellOf(target[0], this.row), cellOf(target[1], this.column)]);
  }

  showAll() {
    this.span = this.data.size;
    this.row = this.column = 0;
    this.update();
  }

  setCursor(cell) {
    this.cursor = cell && cell.map((at) => Math.max(0, Math.min(this.view.cells - 1, at)));
    this.read();
    this.paint();
  }

  move(rows, columns) {
    this.row += rows * this.view.step;
    this.column += columns * this.view.step;
    this.update();
  }

  // Moves the mark; at the border of the view the view moves.
  step(rows, columns) {
    if (!this.cursor) return this.setCursor([0, 0]);
    const [y, x] = [this.cursor[0] + rows, this.cursor[1] + columns];
    if (y < 0 || x < 0 || y >= this.view.cells || x >= this.view.cells) this.move(rows, columns);
    this.setCursor([y, x]);
  }

  key(event) {
    const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const middle = this.cursor ?? [this.view.cells / 2, this.view.cells / 2];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in arrows) {
      const stride = event.shiftKey ? Math.max(1, Math.floor(this.view.cells / 4)) : 1;
      const [rows, columns] = arrows[event.key].map((part) => part * stride);
      if (event.shiftKey) this.move(rows, columns);
      else this.step(rows, columns);
    } else if (event.key === '+' || event.key === '=') this.zoom(0.5, middle);
    else if (event.key === '-' || event.key === '_') this.zoom(2, middle);
    else if (event.key === '0' || event.key === 'Home') this.showAll();
    else if (event.key === 'Escape') this.setCursor(null);
    else return;
    event.preventDefault();
  }

  pointed(event) {
    return this.picture.cellAt(...positionOn(this.canvas, this.picture.width, event), this.view.cells);
  }

  drag(event) {
    const { x, y, row, column } = this.dragged;
    this.row = row - Math.round((event.clientY - y) / this.picture.cell) * this.view.step;
    this.column = column - Math.round((event.clientX - x) / this.picture.cell) * this.view.step;
    this.update();
  }

  listen() {
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && document.activeElement !== this.canvas) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 0.5 : 2, this.pointed(event) ?? [this.view.cells / 2, this.view.cells / 2]);
      },
      { passive: false },
    );
    this.canvas.addEventListener('pointerdown', (event) => {
      this.dragged = { x: event.clientX, y: event.clientY, row: this.row, column: this.column };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (this.dragged) this.drag(event);
      else this.setCursor(this.pointed(event));
    });
    for (const end of ['pointerup', 'pointercancel'])
      this.canvas.addEventListener(end, () => {
        this.dragged = null;
      });
    this.canvas.addEventListener('pointerleave', () => {
      if (!this.dragged && document.activeElement !== this.canvas) this.setCursor(null);
    });
  }
}
