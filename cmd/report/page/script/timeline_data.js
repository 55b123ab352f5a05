// The data of the timeline, indexed for drawing and pointing: calls by rank in order of time, messages by call, members of collective operations.

const CALL_COLOURS = 7; // functions beyond share one more
const OPEN_ROOM = 1.1; // room at the right end for calls that have no end

class TimelineData {
  constructor({ timeline, ...data }) {
    this.ranks = timeline.ranks ?? 0;
    this.regionNames = timeline.region_names ?? [];
    this.readMessages(timeline.messages ?? []);
    this.readRegions(timeline.regions ?? []);
    this.readCalls(data, timeline.calls ?? [], timeline.open ?? []);
    this.calls.sort((a, b) => a.rank - b.rank || a.begin - b.begin || b.end - a.end);
    this.indexCalls();
    this.connectMessages();
    this.groups = this.groupCalls();
    this.functions = this.colourFunctions();
  }

  isRank(rank) {
    return rank >= 0 && rank < this.ranks;
  }

  // Open calls become calls that last until the end of the timeline.
  readCalls(data, calls, open) {
    const places = new Map();
    const placeOf = (site) => {
      if (!places.has(site)) places.set(site, siteOf(data, site) ?? { name: 'unknown function' });
      return places.get(site);
    };
    const unended = open.filter(([rank]) => this.isRank(rank));
    const ended = calls.filter(([rank]) => this.isRank(rank));
    this.calls = ended.map(([rank, begin, end, site, wait, group]) => ({
      rank,
      begin,
      end: Math.max(begin, end),
      place: placeOf(site),
      wait: Math.max(0, Math.min(wait, end - begin)),
      group,
      open: false,
    }));
    this.end = 0;
    const reach = (time) => (this.end = Math.max(this.end, time));
    for (const call of this.calls) reach(call.end);
    for (const [, begin] of unended) reach(begin);
    for (const message of this.messages) reach(Math.max(message.sent, message.received));
    for (const region of this.regions) reach(region.end);
    if (unended.length) this.end *= OPEN_ROOM;
    for (const [rank, begin, site] of unended)
      this.calls.push({
        rank,
        begin,
        end: this.end,
        place: placeOf(site),
        wait: this.end - begin,
        group: 0,
        open: true,
      });
  }

  readMessages(messages) {
    const known = messages.filter(([source, , dest]) => this.isRank(source) && this.isRank(dest));
    this.messages = known.map(([source, sent, dest, received, bytes, tag]) => ({
      source,
      sent,
      dest,
      received,
      bytes,
      tag,
    }));
    this.messages.sort((a, b) => a.sent - b.sent);
  }

  // A region inside another one is drawn below it: `depth` is the number of regions around it.
  readRegions(regions) {
    const known = regions.filter(([rank]) => this.isRank(rank));
    this.regions = known.map(([rank, begin, end, name]) => ({
      rank,
      begin,
      end,
      name: this.regionNames[name] || 'without a name',
    }));
    this.regions.sort((a, b) => a.rank - b.rank || a.begin - b.begin || b.end - a.end);
    let around = [];
    let rank = -1;
    this.depth = 0;
    for (const region of this.regions) {
      if (region.rank !== rank) [rank, around] = [region.rank, []];
      around = around.filter((other) => other.end > region.begin);
      region.depth = around.length;
      around.push(region);
      this.depth = Math.max(this.depth, around.length);
    }
  }

  // first[rank] is the rank's first call. latest: the latest end of any call of the rank up to this one. Calls of one rank
  // overlap where several of its threads call MPI.
  indexCalls() {
    this.first = new Int32Array(this.ranks + 1);
    for (const call of this.calls) this.first[call.rank + 1]++;
    for (let rank = 0; rank < this.ranks; rank++) this.first[rank + 1] += this.first[rank];
    this.latest = new Float64Array(this.calls.length);
    this.calls.forEach((call, index) => {
      call.index = index;
      const before = index > this.first[call.rank] ? this.latest[index - 1] : 0;
      this.latest[index] = Math.max(before, call.end);
    });
  }

  // Returns the first call of a rank that ends at `time` or later, by its index.
  callFrom(rank, time) {
    let low = this.first[rank],
      high = this.first[rank + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.latest[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Returns the call of a rank that is nearest to a time, or null; the last to begin if several include it.
  callNear(rank, time) {
    let nearest = null,
      least = Infinity;
    for (let index = Math.max(this.first[rank], this.callFrom(rank, time) - 1); index < this.first[rank + 1]; index++) {
      const call = this.calls[index];
      const distance = Math.max(0, call.begin - time, time - call.end);
      if (distance <= least) [nearest, least] = [call, distance];
      if (call.begin > time) break;
    }
    return nearest;
  }

  // Finds the calls in which messages were sent and received.
  connectMessages() {
    const inside = (rank, time) => {
      const call = this.callNear(rank, time);
      return call && call.begin <= time + 1 && call.end >= time - 1 ? call : null;
    };
    for (const message of this.messages) {
      message.from = inside(message.source, message.sent);
      message.to = inside(message.dest, message.received);
      for (const call of new Set([message.from, message.to])) if (call) (call.messages ??= []).push(message);
    }
  }

  // Returns the members of each collective operation in the order of their ranks.
  groupCalls() {
    const groups = new Map();
    for (const call of this.calls) {
      if (!call.group) continue;
      if (!groups.has(call.group)) groups.set(call.group, []);
      groups.get(call.group).push(call);
    }
    return groups;
  }

  // Gives each function a colour. Those that take longest choose first: sends, receives, waits and collective operations
  // have colours that they get if they can, so that pages of several programs look alike. Functions that neither
  // communicate nor wait, such as MPI_Comm_rank, share the last colour.
  colourFunctions() {
    const rows = new Map();
    for (const call of this.calls) {
      const { name } = call.place;
      const row = rows.get(name) ?? { name, seconds: 0, colour: CALL_COLOURS, collective: false, waits: false };
      row.seconds += call.end - call.begin;
      row.collective ||= call.group > 0;
      row.waits ||= call.wait > 0 || call.open || call.messages !== undefined;
      rows.set(name, row);
    }
    const free = new Set(Array.from({ length: CALL_COLOURS }, (_, index) => index));
    const functions = [...rows.values()].sort((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1));
    for (const row of functions) {
      if (!free.size) break;
      const wanted = wantedColour(row);
      if (wanted < 0 && !row.waits) continue;
      row.colour = free.has(wanted) ? wanted : [...free].at(-1);
      free.delete(row.colour);
    }
    for (const call of this.calls) call.colour = rows.get(call.place.name).colour;
    return functions;
  }
}

function wantedColour({ name, collective }) {
  if (/send(?!recv)/i.test(name)) return 1;
  if (/recv|probe/i.test(name)) return 2;
  if (/_(wait|test)/i.test(name)) return 3;
  return collective ? 0 : -1;
}
