// The section about the timeline: its sentence, legend, picture, what a selected item is, and the same as tables.

const MESSAGES_SHOWN = 3; // of one call

// Formats a moment since the first event with all its digits: neighbouring calls differ in the last ones.
function formatMoment(time) {
  const [text, unit] = time < 1e4 ? [time.toFixed(1), 'us'] : [(time / 1e3).toFixed(3), 'ms'];
  const [whole, part] = text.split('.');
  return `${grouped(whole)}.${part}${SPACE}${unit}`;
}

function formatSpan(micros) {
  return formatTime(micros / 1e6);
}

function timelineHint() {
  return element(
    'p',
    { class: 'hint', id: 'timeline-keys' },
    'Arrow keys go from call to call and from rank to rank, M to the messages of a call, and from a message left to its sender and right to its receiver. ' +
      '+ and \u2212 zoom, R and Shift R show fewer and more ranks, Shift with an arrow key moves the view, 0 shows all. ' +
      'Drag to move. The wheel zooms while Ctrl is held or the timeline has the focus; with Shift it zooms the ranks.',
  );
}

// What the search looks at.
function timelineWords(item) {
  if ('place' in item) return `${placeWords(item.place)}${rankWords(item.rank)}`;
  if ('sent' in item) return `message${rankWords(item.source)}${rankWords(item.dest)} tag:${item.tag}`;
  return `region ${item.name}${rankWords(item.rank)}`;
}

function messageText({ source, sent, dest, received, bytes, tag }) {
  return (
    `from rank ${source} to rank ${dest}, ${formatBytes(bytes)}, tag ${tag}; ` +
    `sent at ${formatMoment(sent)}, received at ${formatMoment(received)}, ${formatSpan(received - sent)} later`
  );
}

function callDetail(call, data) {
  const rows = [['Call', `Rank ${call.rank}: ${call.place.name} at ${shortPlace(call.place)}`]];
  if (call.open) rows.push(['Time', `from ${formatMoment(call.begin)}; it had not ended when the job did`]);
  else
    rows.push([
      'Time',
      `from ${formatMoment(call.begin)} to ${formatMoment(call.end)}: ${formatSpan(call.end - call.begin)}, of which it waited ${formatSpan(call.wait)}`,
    ]);
  const members = call.group ? data.groups.get(call.group) : null;
  if (members) {
    const last = topRow(members, (member) => member.begin);
    const after = last === call ? 'it came last' : `rank ${last.rank} came last, at ${formatMoment(last.begin)}`;
    rows.push(['Operation', `${counted(members.length, 'member')}; ${after}`]);
  }
  const messages = call.messages ?? [];
  for (const message of messages.slice(0, MESSAGES_SHOWN)) rows.push(['Message', messageText(message)]);
  if (messages.length > MESSAGES_SHOWN)
    rows.push(['', `and ${counted(messages.length - MESSAGES_SHOWN, 'more message', 'more messages')}`]);
  return rows;
}

function messageDetail(message) {
  const end = (call) => (call ? `${call.place.name} at ${shortPlace(call.place)}` : 'outside of the calls shown');
  return [
    ['Message', messageText(message)],
    ['Sent by', end(message.from)],
    ['Received by', end(message.to)],
  ];
}

function regionDetail({ name, rank, begin, end }) {
  return [
    ['Region', `Rank ${rank}: ${name}`],
    ['Time', `from ${formatMoment(begin)} to ${formatMoment(end)}: ${formatSpan(end - begin)}`],
  ];
}

function timelineDetail({ kind, item }, data) {
  const rows = { call: callDetail, message: messageDetail, region: regionDetail }[kind](item, data);
  return element(
    'dl',
    { class: 'detail' },
    rows.map(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]),
  );
}

// A small picture for the legend: what is not a colour.
const SAMPLES = {
  waited: [
    ['lined', 'M0 0h24v12h-24z'],
    ['stripes', 'M-2 8l10-10M2 14l14-16M10 14l14-16M18 14l8-9'],
  ],
  arrow: [['', 'M1 10L22 3M17 2L22 3L18.5 7.5']],
  band: [['linking', 'M2 0h10l10 12h-10z']],
  region: [['region', 'M0 3h24v6h-24z']],
  open: [['unended', 'M26 1h-25v10h25']],
  computing: [['computing', 'M0 6h24']],
};

function sample(kind, text, definition) {
  return element(
    'li',
    {},
    svg(
      'svg',
      { class: 'sample', viewBox: '0 0 24 12', 'aria-hidden': 'true' },
      SAMPLES[kind].map(([name, d]) => svg('path', { class: name, d })),
    ),
    text,
    helpButton(definition, text),
  );
}

function timelineLegend(data) {
  const named = data.functions.filter((row) => row.colour < CALL_COLOURS);
  const others = data.functions.length - named.length;
  const colours = named.map((row) => [`call-${row.colour}`, row.name]);
  if (others) colours.push([`call-${CALL_COLOURS}`, counted(others, 'other function')]);
  const list = legend(colours);
  list.append(sample('waited', 'waiting', 'timeline_wait'), sample('computing', 'computing', 'timeline_computing'));
  if (data.messages.length) list.append(sample('arrow', 'message', 'timeline_message'));
  if (data.groups.size) list.append(sample('band', 'collective operation', 'timeline_group'));
  if (data.regions.length) list.append(sample('region', 'region of the program', 'timeline_region'));
  if (data.calls.some((call) => call.open)) list.append(sample('open', 'never ended', 'timeline_open'));
  list.classList.add('above');
  return list;
}

function callTable(data) {
  const columns = [
    placeColumn('Call', 'timeline_call', (row) => row.place),
    numberColumn('Rank', null, (row) => row.rank, rankText),
    numberColumn('Begin', 'timeline_begin', (row) => row.begin, formatMoment),
    {
      title: 'Time',
      help: 'timeline_time',
      value: (row) => row.end - row.begin,
      text: (row) => (row.open ? 'never ended' : formatSpan(row.end - row.begin)),
    },
    {
      title: 'Waiting',
      help: 'timeline_wait',
      value: (row) => row.wait,
      text: (row) => (row.open ? '\u2013' : formatSpan(row.wait)),
    },
    numberColumn('Messages', 'timeline_messages', (row) => row.messages?.length ?? 0, formatCount),
    numberColumn(
      'Members',
      'timeline_members',
      (row) => data.groups.get(row.group)?.length ?? 0,
      (count) => (count ? grouped(count) : '\u2013'),
    ),
  ];
  return makeTable({
    name: 'Calls of the timeline',
    columns,
    rows: data.calls,
    sort: 2,
    ascending: true,
    words: timelineWords,
  });
}

function messageTable({ messages }) {
  const columns = [
    numberColumn('From', 'timeline_source', (row) => row.source, rankText),
    numberColumn('To', 'timeline_dest', (row) => row.dest, rankText),
    numberColumn('Sent', 'timeline_sent', (row) => row.sent, formatMoment),
    numberColumn('Received', 'timeline_received', (row) => row.received, formatMoment),
    numberColumn('Between', 'timeline_between', (row) => row.received - row.sent, formatSpan),
    numberColumn('Bytes', 'timeline_bytes', (row) => row.bytes, formatBytes),
    numberColumn('Tag', 'timeline_tag', (row) => row.tag, String),
  ];
  return makeTable({
    name: 'Messages of the timeline',
    columns,
    rows: messages,
    sort: 2,
    ascending: true,
    words: timelineWords,
  });
}

function regionTable({ regions }) {
  const columns = [
    textColumn('Region', 'timeline_region', (row) => row.name),
    numberColumn('Rank', null, (row) => row.rank, rankText),
    numberColumn('Begin', 'timeline_begin', (row) => row.begin, formatMoment),
    numberColumn('Time', 'timeline_region_time', (row) => row.end - row.begin, formatSpan),
  ];
  return makeTable({
    name: 'Regions of the timeline',
    columns,
    rows: regions,
    sort: 2,
    ascending: true,
    words: timelineWords,
  });
}

function timelineSentence({ ranks, calls, messages, end }) {
  const ended = calls.filter((call) => !call.open);
  const open = calls.length - ended.length;
  const made = `${counted(ranks, 'rank')} made ${counted(calls.length, 'call')} and sent ${counted(messages.length, 'message')}.`;
  const parts = [made];
  if (ended.length) {
    const { rank, place, begin, end, wait } = topRow(ended, (call) => call.end - call.begin);
    parts.push(
      `The longest call that ended is ${place.name} of rank ${rank} (at ${shortPlace(place)}): ${formatSpan(end - begin)}, of which it waited ${formatSpan(wait)}.`,
    );
  }
  if (open) parts.push(`${counted(open, 'call')} never ended.`);
  return parts.join(' ');
}

function timelineSection({ data }) {
  const { timeline } = data;
  if (!timeline) return;
  if (timeline.left_out) {
    section('timeline', 'Timeline', paragraph(`${capitalized(timeline.left_out).replace(/\.$/, '')}.`));
    return;
  }
  const known = new TimelineData(data);
  if (!known.calls.length) {
    section('timeline', 'Timeline', paragraph('No call was recorded.'));
    return;
  }
  const sentence = timelineSentence(known);
  const tables = [subheading('Calls'), callTable(known)];
  if (known.messages.length) tables.push(subheading('Messages'), messageTable(known));
  if (known.regions.length) tables.push(subheading('Regions'), regionTable(known));
  section(
    'timeline',
    'Timeline',
    paragraph(sentence, 'lead'),
    timelineLegend(known),
    new Timeline(known, `Timeline. ${sentence}`).node,
    element('details', {}, element('summary', {}, 'The same as tables'), tables),
  );
}
