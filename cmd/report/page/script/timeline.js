// The timeline: which part is visible, how wheel, pointer, buttons and keys move and enlarge it, and what is selected.

const TIMELINE_SPAN_MIN = 0.5; // microseconds

// Returns when a call, a region or a message begins and ends.
function timesOf({ begin, end, sent, received }) {
  return begin === undefined ? [Math.min(sent, received), Math.max(sent, received)] : [begin, end];
}

class Timeline {
  constructor(data, label) {
    this.data = data;
    this.shown = { arrows: true, bands: true };
    this.selected = this.pointed = this.terms = null;
    this.canvas = element('canvas', {
      tabindex: '0',
      role: 'application',
      'aria-roledescription': 'timeline',
      'aria-label': label,
      'aria-describedby': 'timeline-keys timeline-view',
    });
    this.picture = new TimelinePicture(this.canvas, data);
    this.output = element('output', { class: 'reading', 'aria-live': 'polite', id: 'timeline-reading' });
    this.where = element('span', { class: 'where', id: 'timeline-view' });
    this.node = element('figure', { class: 'timeline' }, this.controls(), this.canvas, this.output, timelineHint());
    this.words = new Map();
    this.showAll();
    this.listen();
    new ResizeObserver(() => this.fit()).observe(this.node);
    repaints.push(() => {
      this.picture.loadColours();
      this.redraw();
      if (this.drawing) this.paintNow(); // a page is printed before the next frame
    });
    charts.push(this); // for print
    searched.push(this);
  }

  controls() {
    const toggle = (text, name) => {
      const node = actionButton(text, text, () => {
        this.shown[name] = !this.shown[name];
        node.setAttribute('aria-pressed', this.shown[name]);
        this.paint();
      });
      node.setAttribute('aria-pressed', 'true');
      return node;
    };
    this.fewer = actionButton('Fewer ranks', 'Fewer ranks, in higher rows', () => this.zoomRanks(0.5));
    this.moreRanks = actionButton('More ranks', 'More ranks, in lower rows', () => this.zoomRanks(2));
    return element(
      'div',
      { class: 'controls' },
      buttonGroup(
        'Zoom',
        actionButton('+', 'Zoom in', () => this.zoom(0.5)),
        actionButton('\u2212', 'Zoom out', () => this.zoom(2)),
        actionButton('All', 'Show the whole timeline', () => this.reset()),
      ),
      buttonGroup('Ranks', this.fewer, this.moreRanks),
      buttonGroup(
        'Show',
        this.data.messages.length ? toggle('Messages', 'arrows') : null,
        this.data.groups.size ? toggle('Collective operations', 'bands') : null,
      ),
      this.where,
    );
  }

  // The span of the whole timeline.
  get whole() {
    return Math.max(this.data.end, TIMELINE_SPAN_MIN);
  }

  showAll() {
    this.begin = 0;
    this.span = this.whole;
    this.rank = 0;
    this.rows = Math.min(this.data.ranks, TIMELINE_ROWS_MAX);
  }

  reset() {
    this.showAll();
    this.update();
  }

  fit() {
    const width = Math.floor(this.node.clientWidth);
    if (!width || width === this.drawing) return;
    this.drawing = width;
    this.redraw();
  }

  redraw() {
    if (!this.drawing) return;
    if (!this.picture.calls) this.picture.loadColours();
    this.update();
  }

  // Keeps the view inside the timeline, and draws it.
  update() {
    if (!this.drawing) return;
    const { ranks } = this.data;
    this.span = Math.max(TIMELINE_SPAN_MIN, Math.min(this.whole, this.span));
    this.begin = Math.max(0, Math.min(this.whole - this.span, this.begin));
    this.rows = Math.max(1, Math.min(ranks, TIMELINE_ROWS_MAX, Math.round(this.rows)));
    this.rank = Math.max(0, Math.min(ranks - this.rows, Math.round(this.rank)));
    this.picture.resize(this.drawing, this.rows);
    this.picture.place({ begin: this.begin, span: this.span, rank: this.rank, rows: this.rows });
    this.fewer.hidden = ranks <= 2;
    this.moreRanks.hidden = ranks <= 2;
    this.fewer.disabled = this.rows <= 2;
    this.moreRanks.disabled = this.rows >= Math.min(ranks, TIMELINE_ROWS_MAX);
    const from = `${formatMoment(this.begin)} to ${formatMoment(this.begin + this.span)}`;
    this.where.textContent = `${capitalized(rankRange(this.rank, this.rank + this.rows - 1))}, ${from}`;
    const { margin, row, bar, top, scale } = this.picture;
    this.canvas.dataset.geometry = [
      this.begin,
      this.span,
      this.rank,
      row,
      margin.left,
      margin.top,
      scale * this.span,
      bar,
      top,
    ].join(' ');
    this.paint();
  }

  // Paints once a frame, however often it is called.
  paint() {
    if (!this.drawing || this.waiting) return;
    if (document.visibilityState === 'hidden') return this.paintNow(); // without frames
    this.waiting = requestAnimationFrame(() => this.paintNow());
  }

  paintNow() {
    this.waiting = null;
    this.picture.paint(
      this.shown,
      this.terms ? (item) => this.matching.has(item) : null,
      this.pointed ?? this.selected,
    );
  }

  // Marks what has all terms of the search; the rest becomes pale.
  filter(terms) {
    this.terms = terms.length ? terms : null;
    this.matching = new Set();
    if (this.terms) {
      const { calls, messages, regions } = this.data;
      for (const item of [...calls, ...messages, ...regions]) {
        const words = this.wordsOf(item);
        if (terms.every((term) => hasTerm(words, term))) this.matching.add(item);
      }
    }
    this.paint();
  }

  wordsOf(item) {
    if (!this.words.has(item)) this.words.set(item, timelineWords(item).toLowerCase());
    return this.words.get(item);
  }

  // Multiplies the visible span; what is at the share `around` of the view stays where it is.
  zoom(factor, around = this.shareOfSelected()) {
    const before = this.span;
    this.span = Math.max(TIMELINE_SPAN_MIN, Math.min(this.whole, before * factor));
    this.begin += around * (before - this.span);
    this.update();
  }

  zoomRanks(
    factor,
    around = this.selected && 'rank' in this.selected.item ? this.selected.item.rank : this.rank + this.rows / 2,
  ) {
    const before = this.rows;
    this.rows = Math.max(Math.min(2, this.data.ranks), Math.round(before * factor));
    this.rank = around - ((around - this.rank) * this.rows) / before;
    this.update();
  }

  // Where the selected item is in the view, from 0 to 1; the middle if it is not visible.
  shareOfSelected() {
    const item = this.selected?.item;
    if (!item) return 0.5;
    const [from, to] = timesOf(item).map((time) => (time - this.begin) / this.span);
    const middle = (Math.max(0, from) + Math.min(1, to)) / 2;
    return from <= 1 && to >= 0 ? middle : 0.5;
  }

  select(found) {
    this.selected = found;
    this.pointed = null;
    this.read(found);
    this.paint();
  }

  read(found) {
    this.output.classList.toggle('idle', !found);
    this.output.replaceChildren(
      found
        ? timelineDetail(found, this.data)
        : 'Point at a bar or an arrow, or focus the timeline and press an arrow key, to read it.',
    );
  }

  // Moves the view, so that the item is visible.
  reveal(item) {
    const [from, to] = timesOf(item);
    const rank = item.rank ?? item.dest;
    if (to < this.begin || from > this.begin + this.span) this.begin = (from + to) / 2 - this.span / 2;
    if (rank < this.rank) this.rank = rank;
    if (rank >= this.rank + this.rows) this.rank = rank - this.rows + 1;
    this.update();
  }

  choose(kind, item) {
    if (!item) return;
    this.select({ kind, item });
    this.reveal(item);
  }

  // Selects the call `steps` after the selected one on its rank.
  stepCall(steps) {
    const { calls, first } = this.data;
    const item = this.selected?.item;
    if (this.selected?.kind === 'message') return this.choose('call', steps < 0 ? item.from : item.to);
    if (!item) return this.choose('call', this.data.callNear(this.rank, this.begin) ?? calls[0]);
    if (this.selected.kind === 'region') return this.choose('call', this.data.callNear(item.rank, item.begin));
    const next = item.index + steps;
    if (next >= first[item.rank] && next < first[item.rank + 1]) this.choose('call', calls[next]);
  }

  // Selects the call of a rank above or below at the same time; ranks without a call are passed over.
  stepRank(steps) {
    const item = this.selected?.item;
    if (!item) return this.stepCall(1);
    const [from, to] = timesOf(item);
    const time = (Math.max(this.begin, from) + Math.min(this.begin + this.span, to)) / 2;
    for (let rank = (item.rank ?? item.source) + steps; rank >= 0 && rank < this.data.ranks; rank += steps) {
      const call = this.data.callNear(rank, time);
      if (call) return this.choose('call', call);
    }
  }

  // Selects the messages of a call, one after the other: of the call from which the keys came, otherwise of the sender's.
  stepMessage() {
    const { kind, item } = this.selected ?? {};
    if (kind === 'call') {
      this.messagesFrom = item;
      this.choose('message', item.messages?.[0]);
    } else if (kind === 'message') {
      const calls = [this.messagesFrom, item.from, item.to];
      const messages = calls.find((call) => call?.messages?.includes(item))?.messages ?? [];
      this.choose('message', messages[(messages.indexOf(item) + 1) % messages.length]);
    }
  }

  move(times, ranks) {
    this.begin += times * this.span;
    this.rank += ranks;
    this.update();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const actions = {
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      _: () => this.zoom(2),
      0: () => this.reset(),
      Home: () => this.reset(),
      r: () => this.zoomRanks(0.5),
      R: () => this.zoomRanks(2),
      m: () => this.stepMessage(),
      M: () => this.stepMessage(),
      Escape: () => this.select(null),
    };
    if (event.key in arrows) {
      const [times, ranks] = arrows[event.key];
      if (event.shiftKey) this.move(times / 4, ranks * Math.max(1, Math.floor(this.rows / 4)));
      else if (times) this.stepCall(times);
      else this.stepRank(ranks);
    } else if (event.key in actions) actions[event.key]();
    else return;
    event.preventDefault();
  }

  position(event) {
    return positionOn(this.canvas, this.picture.width, event);
  }

  point(event) {
    const found = this.picture.itemAt(...this.position(event), this.shown.arrows);
    if (found?.item === this.pointed?.item) return;
    this.pointed = found;
    this.read(found ?? this.selected);
    this.paint();
  }

  drag(event) {
    const [x, y] = this.position(event);
    const from = this.dragged;
    if (Math.hypot(x - from.x, y - from.y) > 4) from.moved = true;
    if (!from.moved) return;
    this.begin = from.begin - (x - from.x) / this.picture.scale;
    this.rank = from.rank - (y - from.y) / this.picture.row;
    this.update();
  }

  wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    const [x, y] = this.position(event);
    if (event.shiftKey) return this.zoomRanks(event.deltaY + event.deltaX < 0 ? 0.5 : 2, this.picture.rankAt(y));
    if (!event.deltaY) return this.move(event.deltaX / this.picture.width, 0);
    this.zoom(
      2 ** (Math.max(-200, Math.min(200, event.deltaY)) / 100),
      Math.max(0, Math.min(1, (this.picture.timeAt(x) - this.begin) / this.span)),
    );
  }

  listen() {
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener('pointerdown', (event) => {
      const [x, y] = this.position(event);
      this.dragged = { x, y, begin: this.begin, rank: this.rank, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (this.dragged) this.drag(event);
      else this.point(event);
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (this.dragged && !this.dragged.moved)
        this.select(this.picture.itemAt(...this.position(event), this.shown.arrows));
      this.dragged = null;
    });
    this.canvas.addEventListener('pointercancel', () => {
      this.dragged = null;
    });
    this.canvas.addEventListener('pointerleave', () => {
      if (this.dragged || !this.pointed) return;
      this.pointed = null;
      this.read(this.selected);
      this.paint();
    });
    this.read(null);
  }
}
