// Creates elements. Text always becomes a text node: names in a report are never read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// What the bar calls the sections whose titles are long.
const SHORT_TITLES = {
  time: 'Time',
  compared_calls: 'Time',
  balance: 'Balance',
  compared_balance: 'Balance',
  path: 'Path',
  compared_waits: 'Waits',
  collectives: 'Collectives',
  communication: 'Messages',
  queue: 'Queue',
};

// Makes a section with its heading and adds it to the page's list of sections.
function section(id, title, ...children) {
  const short = SHORT_TITLES[id] ?? title;
  const heading = element('h2', { id: `${id}-title` }, title, helpButton(id, title));
  const link = element('a', { href: `#${id}` }, short);
  document.getElementById('sections').append(element('li', {}, link));
  const node = element('section', { id, 'aria-labelledby': `${id}-title` }, heading, ...children);
  document.getElementById('report').append(node);
  return node;
}

function subheading(text, definition) {
  return element('h3', {}, text, definition ? helpButton(definition, text) : null);
}

function paragraph(text, kind) {
  return element('p', kind ? { class: kind } : {}, text);
}

// Text that may be broken after a slash.
function pathText(text) {
  return text.split(/(?<=\/)/).flatMap((part, index) => (index ? [element('wbr'), part] : [part]));
}

// Makes radio buttons that look like one switch; change is called with the value chosen.
let switches = 0;
function choice(label, values, change) {
  const name = `choice-${++switches}`;
  const inputs = values.map(([value, text], index) =>
    element(
      'label',
      {},
      element('input', { type: 'radio', name, value, checked: index === 0, onchange: () => change(value) }),
      element('span', {}, text),
    ),
  );
  return element('fieldset', { class: 'choice' }, element('legend', { class: 'unseen' }, label), inputs);
}

// A button with a short text, and a label that says what it does.
function actionButton(text, label, action) {
  return element('button', { type: 'button', 'aria-label': label, onclick: action }, text);
}

// Makes a group of the buttons that are there; null if none is.
function buttonGroup(label, ...buttons) {
  if (!buttons.some(Boolean)) return null;
  return element('div', { class: 'buttons', role: 'group', 'aria-label': label }, buttons);
}

// Returns where the pointer is on a canvas, in the units in which it was painted `width` wide.
function positionOn(canvas, width, event) {
  const area = canvas.getBoundingClientRect();
  const scale = width / area.width;
  return [(event.clientX - area.left) * scale, (event.clientY - area.top) * scale];
}

// Shows the colours of a picture's parts.
function legend(parts) {
  return element(
    'ul',
    { class: 'legend' },
    parts.map(([kind, text, definition]) =>
      element(
        'li',
        {},
        element('span', { class: `swatch ${kind}` }),
        text,
        definition ? helpButton(definition, text) : null,
      ),
    ),
  );
}

// Resolves a colour of the style sheet, which may be light-dark(), for a canvas.
function colour(name) {
  const probe = element('span', { style: { color: `var(${name})`, display: 'none' } });
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
