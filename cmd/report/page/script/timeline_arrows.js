// The arrows of messages in the timeline: which are visible, how they are painted, which is at a position.

const ARROWS_CLEAR = 400; // more arrows than these are pale, and bars are pointed at before them

class TimelineArrows {
  constructor(picture) {
    this.picture = picture;
  }

  // The ends of a message's arrow. It begins and ends at the bars' edges that face each other.
  ends(message) {
    const { picture } = this;
    const [a, b] = [message.source, message.dest].map((rank) => picture.y(rank) + picture.top + picture.bar / 2);
    const reach = picture.bar * 0.3 * Math.sign(b - a);
    return [picture.x(message.sent), a + reach, picture.x(message.received), b - reach];
  }

  // Returns the messages of the view.
  visible() {
    const { picture } = this;
    const { begin, span } = picture.view;
    const last = picture.view.rank + picture.view.rows;
    return picture.data.messages.filter(
      ({ source, dest, sent, received }) =>
        Math.min(sent, received) <= begin + span &&
        Math.max(sent, received) >= begin &&
        Math.max(source, dest) >= picture.view.rank &&
        Math.min(source, dest) < last,
    );
  }

  paint(context, matches, selected) {
    const { picture } = this;
    const visible = this.visible();
    const many = visible.length > ARROWS_CLEAR;
    const special = new Set(selected?.kind === 'message' ? [selected.item] : (selected?.item.messages ?? []));
    const arrow = new Path2D();
    const emphasized = new Path2D();
    for (const message of visible) {
      if (special.has(message)) this.addArrow(emphasized, message, 7);
      else if (!matches || matches(message)) this.addArrow(arrow, message, many ? 3 : 6);
    }
    context.globalAlpha = many ? 0.35 : special.size ? 0.5 : 0.9;
    context.strokeStyle = context.fillStyle = picture.ink;
    context.lineWidth = many ? 0.7 : 1.2;
    context.stroke(arrow);
    context.globalAlpha = 1;
    context.strokeStyle = picture.paper;
    context.lineWidth = 5;
    context.stroke(emphasized);
    context.strokeStyle = picture.focus;
    context.lineWidth = 2.2;
    context.stroke(emphasized);
    context.lineWidth = 1;
  }

  addArrow(path, message, size) {
    const { picture } = this;
    const [x1, y1, x2, y2] = this.ends(message);
    path.moveTo(x1, y1);
    path.lineTo(x2, y2);
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length < 3 || picture.row < 5) return;
    const [dx, dy] = [((x2 - x1) / length) * size, ((y2 - y1) / length) * size];
    path.moveTo(x2 - dx - dy * 0.45, y2 - dy + dx * 0.45);
    path.lineTo(x2, y2);
    path.lineTo(x2 - dx + dy * 0.45, y2 - dy - dx * 0.45);
  }

  // Returns the message whose arrow is nearest to a position and at most `reach` away, or null.
  at(x, y, visible, reach) {
    let nearest = null,
      least = reach;
    for (const message of visible) {
      const [x1, y1, x2, y2] = this.ends(message);
      const square = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
      const along = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / square));
      const distance = Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
      if (distance < least) [nearest, least] = [message, distance];
    }
    return nearest;
  }
}
