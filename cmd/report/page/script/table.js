// Makes tables that sort, filter and show a part of their rows. Only the rows shown are in the document.
//
// A column: { title, text(row), value(row), help, kind }
//   value   what to sort by; without it the column does not sort. Rows stay in their order while `sort` is -1.
//   kind    'number' (right-aligned) or 'text'; first column: the row's heading

const ROWS_SHOWN = 12;
const ROWS_MORE = 200;
const ROWS_PRINTED = 300;
const tables = []; // all of the page, for the search

class Table {
  // words(row) returns what the search looks at.
  constructor({ name, columns, rows, sort = 0, ascending = false, words, shown = ROWS_SHOWN }) {
    Object.assign(this, { name, columns, rows, sort, ascending, shown });
    this.first = shown;
    this.words = rows.map((row) => words(row).toLowerCase());
    this.matching = rows.map((_, index) => index);
    this.body = element('tbody');
    this.head = element(
      'tr',
      {},
      columns.map((column, index) => this.heading(column, index)),
    );
    this.count = element('span', { class: 'count' });
    this.more = element('button', { type: 'button', class: 'more', onclick: () => this.showMore() });
    const table = element(
      'table',
      {},
      element('caption', { class: 'unseen' }, name),
      element('thead', {}, this.head),
      this.body,
    );
    this.node = element(
      'div',
      { class: 'table' },
      element('div', { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': name }, table),
      element('p', { class: 'foot' }, this.count, this.more),
    );
    const scroll = this.node.firstChild; // a stop for the keyboard only while there is something to scroll
    new ResizeObserver(() => {
      scroll.tabIndex = scroll.scrollWidth > scroll.clientWidth ? 0 : -1;
    }).observe(scroll);
    tables.push(this);
    this.order();
  }

  heading(column, index) {
    const label = column.value
      ? element('button', { type: 'button', class: 'sort', onclick: () => this.sortBy(index) }, column.title)
      : element('span', {}, column.title);
    return element(
      'th',
      { scope: 'col', class: column.kind ?? 'number' },
      element('span', { class: 'heading' }, label, column.help ? helpButton(column.help, column.title) : null),
    );
  }

  sortBy(index) {
    this.ascending = index === this.sort ? !this.ascending : this.columns[index].kind === 'text';
    this.sort = index;
    this.order();
  }

  // Keeps the rows whose words have all terms.
  filter(terms) {
    this.matching = [];
    this.words.forEach((words, index) => {
      if (terms.every((term) => hasTerm(words, term))) this.matching.push(index);
    });
    this.order();
  }

  order() {
    const sign = this.ascending ? 1 : -1;
    const keys = this.sort < 0 ? this.rows.map((_, index) => -index) : this.rows.map(this.columns[this.sort].value);
    const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b);
    this.matching.sort((a, b) => sign * compare(keys[a], keys[b]) || a - b);
    [...this.head.children].forEach((cell, index) => {
      if (index === this.sort) cell.setAttribute('aria-sort', this.ascending ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
    });
    this.show();
  }

  show() {
    const shown = this.matching.slice(0, this.shown).map((index) => this.rows[index]);
    this.body.replaceChildren(
      ...shown.map((row) =>
        element(
          'tr',
          {},
          this.columns.map((column, index) =>
            element(
              index === 0 ? 'th' : 'td',
              { class: column.kind ?? 'number', scope: index === 0 ? 'row' : null },
              column.text(row),
            ),
          ),
        ),
      ),
    );
    const left = this.matching.length - shown.length;
    const filtered = this.matching.length < this.rows.length;
    if (!this.matching.length)
      this.count.textContent = `None of ${counted(this.rows.length, 'row')} matches the search.`;
    else if (left || filtered) this.count.textContent = `${grouped(shown.length)} of ${grouped(this.rows.length)} rows`;
    else this.count.textContent = '';
    this.more.hidden = left <= 0 && this.shown <= this.first;
    this.more.textContent =
      left > 0
        ? `Show ${left > ROWS_MORE ? `${ROWS_MORE} more` : `all ${grouped(this.matching.length)}`}`
        : 'Show fewer';
  }

  showMore() {
    const left = this.matching.length - this.shown;
    this.shown = left > 0 ? this.shown + Math.min(left, ROWS_MORE) : this.first;
    this.show();
  }
}

function makeTable(options) {
  return new Table(options).node;
}

// Prints all rows of most tables, and the first ones of a table of thousands of ranks.
function showTablesForPrint(printing) {
  for (const table of tables) {
    if (printing) table.shownOnScreen = table.shown;
    const all = table.rows.length <= ROWS_PRINTED;
    table.shown = printing ? (all ? table.rows.length : Math.max(table.shown, 24)) : table.shownOnScreen;
    table.show();
  }
}

// The kinds of columns.

function numberColumn(title, help, value, format) {
  return { title, help, value, text: (row) => format(value(row)) };
}

function textColumn(title, help, value, text = value) {
  return { title, help, kind: 'text', value, text };
}

function placeColumn(title, help, place) {
  return textColumn(
    title,
    help,
    (row) => placeKey(place(row)),
    (row) => placeCell(place(row)),
  );
}

// The share of `total` in figures, and a bar of the parts, whose full width is `whole`.
function shareColumn(help, value, total, parts, whole) {
  const text = (row) =>
    element(
      'span',
      { class: 'barred' },
      element('span', {}, formatPercent(value(row) / total)),
      bar(parts(row), whole),
    );
  return { title: 'Share', help, kind: 'bars', value, text };
}

function mostOf(rows, value) {
  return rows.reduce((most, row) => Math.max(most, value(row)), 0);
}

// The row with the largest value.
function topRow(rows, value) {
  return rows.reduce((top, row) => (value(row) > value(top) ? row : top));
}

// A bar of parts, [kind, value] each, where `whole` is the full width.
function bar(parts, whole) {
  return element(
    'span',
    { class: 'meter', 'aria-hidden': 'true' },
    parts.map(([kind, value]) =>
      element('span', { class: kind, style: { width: `${whole > 0 ? Math.min(100, (value / whole) * 100) : 0}%` } }),
    ),
  );
}

// A call and its place: the function, and below it file, line and caller.
function placeCell(place) {
  if (!place) return element('span', { class: 'place' }, 'unknown');
  return element(
    'span',
    { class: 'place' },
    element('code', {}, place.name),
    element('small', {}, pathText(shortPlace(place))),
  );
}

function placeWords(place) {
  return place ? `${place.name} ${shortPlace(place)}` : '';
}

function placeKey(place) {
  return place ? `${place.name} ${fileAndLine(place)}` : '';
}

function rankText(rank) {
  return rank >= 0 ? String(rank) : '\u2013';
}

function rankWords(rank) {
  return rank >= 0 ? ` rank:${rank}` : '';
}
