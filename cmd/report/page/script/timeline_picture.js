// Paints one view of the timeline on a canvas: rows of ranks with their calls, regions, collective operations and messages.

const TIMELINE_HEIGHT_MAX = 600; // CSS pixels of all rows
const ROW_MIN = 2; // ranks for which this leaves no room are reached by moving the view
const TIMELINE_ROWS_MAX = Math.floor(TIMELINE_HEIGHT_MAX / ROW_MIN); // that are visible at once
const ROW_MAX = 44;
const LANE = 13; // a row of regions with their names

// Formats a moment of the axis with the digits that its step needs. All moments up to `latest` have the same unit.
function axisTime(time, step, latest) {
  const units = [
    [1e6, 's'],
    [1e3, 'ms'],
    [1, 'us'],
  ];
  const [scale, name] = units.find(([least]) => latest >= least) ?? units.at(-1);
  const digits = Math.max(0, Math.ceil(Math.log10(scale / step) - 1e-9));
  const [whole, part] = (time / scale).toFixed(digits).split('.');
  return withoutZeros(grouped(whole) + (part ? `.${part}` : '')) + SPACE + name;
}

class TimelinePicture {
  constructor(canvas, data) {
    Object.assign(this, { canvas, data, dots: Math.max(2, window.devicePixelRatio || 1) });
    this.arrows = new TimelineArrows(this);
  }

  loadColours() {
    for (const name of ['ink', 'quiet', 'line', 'paper', 'panel', 'alert', 'focus', 'computing', 'link'])
      this[name] = colour(`--${name}`);
    this.calls = Array.from({ length: CALL_COLOURS + 1 }, (_, index) => colour(`--call-${index}`));
    this.texts = this.calls.map((text) => (luminance(...components(text)) > 0.18 ? '#000' : '#fff'));
    const family = getComputedStyle(document.body).fontFamily;
    this.font = `12px ${family}`;
    this.small = `11px ${family}`;
    this.hatch = this.hatching(this.paper, 5);
    this.openHatch = this.hatching(this.paper, 7, true);
  }

  // Makes a pattern of slanted lines for what waits: it shows without colours, too.
  hatching(stroke, size, crossed = false) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = size * this.dots;
    const context = tile.getContext('2d');
    context.scale(this.dots, this.dots);
    context.strokeStyle = stroke;
    context.lineWidth = 1.3;
    context.beginPath();
    for (const shift of [-size, 0, size]) {
      context.moveTo(shift - 1, size + 1);
      context.lineTo(shift + size + 1, -1);
      if (!crossed) continue;
      context.moveTo(shift - 1, -1);
      context.lineTo(shift + size + 1, size + 1);
    }
    context.stroke();
    const pattern = this.canvas.getContext('2d').createPattern(tile, 'repeat');
    pattern.setTransform(new DOMMatrix().scale(1 / this.dots));
    return pattern;
  }

  resize(width, rows) {
    const lanes = Math.min(2, this.data.depth);
    const row = Math.max(ROW_MIN, Math.min(ROW_MAX + lanes * LANE, TIMELINE_HEIGHT_MAX / Math.max(1, rows)));
    const margin = { left: width < 480 ? 44 : 62, top: 26, right: 14, bottom: 6 };
    const height = margin.top + row * rows + margin.bottom;
    if (width !== this.width || height !== this.height) {
      Object.assign(this, { width, height });
      this.canvas.width = Math.round(width * this.dots);
      this.canvas.height = Math.round(height * this.dots);
      Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    }
    const lane = row >= ROW_MAX * 0.8 + lanes * LANE ? LANE : row >= 20 ? 4 : row >= 8 ? 2 : 0;
    const gap = row >= 20 ? 5 : row >= 8 ? 1 : row >= 4 ? 0.5 : 0;
    const regions = (row >= 20 ? lanes : Math.min(1, lanes)) * lane; // low rows show the outermost regions only
    Object.assign(this, {
      margin,
      row,
      lanes: lane ? regions / lane : 0,
      lane,
      top: gap + regions,
      bar: row - 2 * gap - regions,
    });
  }

  // view: { begin, span, rank, rows }, times in microseconds.
  place(view) {
    this.view = view;
    this.scale = (this.width - this.margin.left - this.margin.right) / view.span;
  }

  x(time) {
    return this.margin.left + (time - this.view.begin) * this.scale;
  }

  y(rank) {
    return this.margin.top + (rank - this.view.rank) * this.row;
  }

  timeAt(x) {
    return this.view.begin + (x - this.margin.left) / this.scale;
  }

  rankAt(y) {
    return Math.floor((y - this.margin.top) / this.row) + this.view.rank;
  }

  isVisible(rank) {
    return rank >= this.view.rank && rank < this.view.rank + this.view.rows;
  }

  // shown: { arrows, bands }; matches(item): whether the search has found it, or null without a search.
  paint(shown, matches, selected) {
    const context = this.canvas.getContext('2d');
    context.setTransform(this.dots, 0, 0, this.dots, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = this.paper;
    context.fillRect(0, 0, this.width, this.height);
    context.lineWidth = 1;
    this.paintAxis(context);
    this.paintRankNames(context);
    context.save();
    context.beginPath();
    context.rect(
      this.margin.left,
      this.margin.top,
      this.width - this.margin.left - this.margin.right,
      this.row * this.view.rows,
    );
    context.clip();
    this.paintLifetimes(context);
    if (shown.bands) this.paintBands(context);
    this.paintCalls(context, matches);
    this.paintRegions(context, matches);
    if (shown.arrows) this.arrows.paint(context, matches, selected);
    this.paintLabels(context);
    this.paintSelected(context, selected);
    context.restore();
  }

  paintAxis(context) {
    const { begin, span } = this.view;
    const wanted = Math.max(2, Math.floor((this.width - this.margin.left) / 110));
    const step = ticks(span, wanted)[1] ?? 1;
    context.font = this.font;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    const bottom = this.margin.top + this.row * this.view.rows;
    for (let at = Math.ceil(begin / step - 1e-9); at * step <= begin + span * (1 + 1e-9); at++) {
      const x = Math.round(this.x(at * step)) + 0.5;
      context.strokeStyle = this.line;
      context.beginPath();
      context.moveTo(x, this.margin.top - 4);
      context.lineTo(x, bottom);
      context.stroke();
      context.fillStyle = this.quiet;
      const text = at === 0 ? `0${SPACE}s` : axisTime(at * step, step, begin + span);
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.max(half, Math.min(this.width - half, x)), this.margin.top - 9);
    }
  }

  paintRankNames(context) {
    const { rank, rows } = this.view;
    const step = Math.max(1, ticks(rows, Math.max(1, Math.floor((rows * this.row) / 15)), true)[1] ?? 1);
    context.fillStyle = this.ink;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let at = Math.ceil(rank / step) * step; at < rank + rows; at += step) {
      const name = this.margin.left < 60 || step > 1 ? String(at) : `rank ${at}`;
      context.fillText(name, this.margin.left - 8, this.y(at) + this.top + this.bar / 2 + 0.5);
    }
    if (this.row < 12) return;
    context.strokeStyle = this.line;
    context.beginPath();
    for (let at = rank; at <= rank + rows; at++) {
      context.moveTo(this.margin.left, Math.round(this.y(at)) + 0.5);
      context.lineTo(this.width - this.margin.right, Math.round(this.y(at)) + 0.5);
    }
    context.stroke();
  }

  // A line from the first call of each rank to the end of its last one: what is not a bar on it is computing.
  paintLifetimes(context) {
    context.fillStyle = this.computing;
    const { first, calls, latest } = this.data;
    const height = Math.min(3, this.bar / 3);
    for (let rank = this.view.rank; rank < this.view.rank + this.view.rows; rank++) {
      if (first[rank] === first[rank + 1]) continue;
      const [from, to] = [calls[first[rank]].begin, latest[first[rank + 1] - 1]].map((time) => this.x(time));
      context.fillRect(from, this.y(rank) + this.top + (this.bar - height) / 2, Math.max(1, to - from), height);
    }
  }

  // Connects the members of collective operations: from the bar of each to that of the next one. Where rows have no
  // gaps, neighbours touch anyway. Each piece is filled alone: one large path takes ten times as long.
  paintBands(context) {
    const right = this.width - this.margin.right;
    const gap = this.row - this.bar;
    for (const members of this.data.groups.values()) {
      context.fillStyle = this.calls[members[0].colour];
      for (let i = 1; i < members.length; i++) {
        const [a, b] = [members[i - 1], members[i]];
        if (b.rank < this.view.rank || a.rank >= this.view.rank + this.view.rows) continue;
        if (gap < 1 && b.rank - a.rank === 1) continue;
        const [begin, end] = [this.x(Math.min(a.begin, b.begin)), this.x(Math.max(a.end, b.end))];
        if (end >= this.margin.left && begin <= right) this.paintBand(context, a, b);
      }
    }
    context.globalAlpha = 1;
  }

  paintBand(context, a, b) {
    const [top, bottom] = [this.y(a.rank) + this.top + this.bar, this.y(b.rank) + this.top];
    const [x1, x2, x3, x4] = [a.begin, a.end, b.end, b.begin].map((time) => this.x(time));
    context.beginPath();
    context.moveTo(x1, top);
    context.lineTo(Math.max(x2, x1 + 1), top);
    context.lineTo(Math.max(x3, x4 + 1), bottom);
    context.lineTo(x4, bottom);
    context.closePath();
    context.globalAlpha = 0.3;
    context.fill();
    if (this.row < 9) return;
    context.globalAlpha = 0.5;
    context.strokeStyle = this.quiet;
    context.stroke();
  }

  paintCalls(context, matches) {
    const { calls, first } = this.data;
    const { rank, rows, begin, span } = this.view;
    const [left, right] = [this.margin.left, this.width - this.margin.right];
    this.labels = [];
    for (let row = rank; row < rank + rows; row++) {
      const y = this.y(row) + this.top;
      let drawn = -1; // the last pixel that is filled, and by what: bars of less than a pixel are drawn once
      let by = null;
      for (let index = this.data.callFrom(row, begin); index < first[row + 1]; index++) {
        const call = calls[index];
        if (call.begin > begin + span) break;
        const from = Math.max(left - 4, this.x(call.begin)),
          to = Math.min(right + 4, this.x(call.end));
        const paint = matches && !matches(call) ? this.line : this.calls[call.colour];
        if (to - from < 1 && Math.floor(from) === drawn && paint === by) continue;
        [drawn, by] = [Math.floor(from), paint];
        this.paintCall(context, call, paint, { from, y, width: Math.max(1, to - from) });
      }
    }
  }

  paintCall(context, call, paint, { from, y, width }) {
    context.fillStyle = paint;
    context.fillRect(from, y, width, this.bar);
    const hatched = Math.min(from + width, this.x(call.begin + call.wait)) - from;
    if (hatched >= 1) {
      const low = this.bar < 4 || hatched < 3; // no room for lines
      context.fillStyle = low ? this.paper : call.open ? this.openHatch : this.hatch;
      context.globalAlpha = low ? 0.5 : 1;
      context.fillRect(from, y, hatched, this.bar);
      context.globalAlpha = 1;
    }
    if (call.open) {
      context.strokeStyle = this.alert;
      context.lineWidth = Math.min(2, this.bar / 3);
      context.strokeRect(from + 1, y + 1, width + 8, Math.max(0.5, this.bar - 2));
      context.lineWidth = 1;
    }
    if (this.bar >= 12 && width >= 22) this.labels.push({ call, paint, from, y, width });
  }

  // Writes the functions' names into bars that have room for them, over the arrows.
  paintLabels(context) {
    context.font = this.small;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const height = Math.min(15, this.bar);
    for (const { call, paint, from, y, width } of this.labels) {
      const { name } = call.place;
      const candidates = [...(call.open ? [`${name}: never ended`] : []), name, name.replace(/^MPI_/, '')];
      const text = candidates.find((words) => context.measureText(words).width + 10 <= width);
      if (!text) continue;
      context.fillStyle = paint;
      context.fillRect(from + 2, y + (this.bar - height) / 2, context.measureText(text).width + 6, height);
      context.fillStyle = paint === this.line ? this.ink : this.texts[call.colour];
      context.fillText(text, from + 5, y + this.bar / 2 + 0.5);
    }
  }

  paintRegions(context, matches) {
    if (!this.lane) return;
    context.font = this.small;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    for (const region of this.data.regions) {
      if (!this.isVisible(region.rank) || (region.depth >= this.lanes && this.lane < LANE)) continue;
      const from = Math.max(this.margin.left, this.x(region.begin)),
        to = Math.min(this.width, this.x(region.end));
      if (to < this.margin.left || from > this.width - this.margin.right) continue;
      const y = this.laneOf(region);
      const pale = matches && !matches(region);
      context.fillStyle = pale ? this.line : this.quiet;
      context.fillRect(from, y, Math.max(1, to - from - 1), Math.max(1, this.lane - 1));
      const width = context.measureText(region.name).width;
      if (this.lane < LANE || to - from < width + 8) continue;
      context.fillStyle = pale ? this.ink : this.paper;
      context.fillText(region.name, from + 4, y + this.lane / 2);
    }
  }

  laneOf(region) {
    return this.y(region.rank) + Math.min(this.lanes - 1, region.depth) * this.lane + 1;
  }

  paintSelected(context, selected) {
    if (!selected || selected.kind === 'message') return;
    const { item } = selected;
    const from = Math.max(this.margin.left - 8, this.x(item.begin)),
      to = Math.min(this.width + 8, this.x(item.end));
    const [y, height] =
      selected.kind === 'region'
        ? [this.laneOf(item), Math.max(2, this.lane)]
        : [this.y(item.rank) + this.top, this.bar];
    const grow = Math.max(0, (6 - height) / 2);
    for (const [stroke, width] of [
      [this.paper, 5],
      [this.focus, 2.5],
    ]) {
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.strokeRect(from - 1, y - 1 - grow, Math.max(2, to - from) + 2, height + 2 + 2 * grow);
    }
    context.lineWidth = 1;
  }

  // Returns what is at a position: { kind, item }, or null.
  itemAt(x, y, arrows) {
    const rank = this.rankAt(y);
    if (!this.isVisible(rank) || x < this.margin.left - 4 || x > this.width) return null;
    const visible = arrows ? this.arrows.visible() : [];
    const few = visible.length <= ARROWS_CLEAR;
    const message = this.arrows.at(x, y, visible, few ? 4 : 2);
    if (message && few) return { kind: 'message', item: message };
    const inRow = y - this.y(rank);
    if (this.lane && inRow < this.lanes * this.lane + 1) {
      const depth = Math.min(this.lanes - 1, Math.floor((inRow - 1) / this.lane));
      const time = this.timeAt(x);
      const region = this.data.regions.find(
        (one) =>
          one.rank === rank && Math.min(this.lanes - 1, one.depth) === depth && one.begin <= time && time <= one.end,
      );
      if (region) return { kind: 'region', item: region };
    }
    const call = this.data.callNear(rank, this.timeAt(x));
    if (call && x >= this.x(call.begin) - 3 && x <= Math.max(this.x(call.begin) + 1, this.x(call.end)) + 3)
      return { kind: 'call', item: call };
    return message ? { kind: 'message', item: message } : null;
  }
}
