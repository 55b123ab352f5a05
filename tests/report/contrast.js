// Returns a line for each text of the page whose contrast with its background is below 4.5 : 1 (WCAG 2.2, 1.4.3).
(() => {
  const parts = (text) => text.match(/[\d.]+/g).map(Number);
  const luminance = (text) => {
    const [red, green, blue] = parts(text)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (node) => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const pale = [];
  for (const node of document.querySelectorAll('body *')) {
    if (!hasText(node) || !node.getClientRects().length) continue;
    const style = getComputedStyle(node);
    const text = luminance(node instanceof SVGElement ? style.fill : style.color);
    const ground = luminance(background(node));
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (contrast < 4.5) pale.push(`${node.tagName} ${node.className} "${node.textContent.slice(0, 30)}" ${contrast}`);
  }
  return pale;
})();
