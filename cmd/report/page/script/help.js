// Shows the definition of a figure beside the "?" button that was pressed. One popover serves all buttons.

let helpOpener = null;

function helpButton(id, name) {
  if (!DEFINITIONS[id]) return null;
  const button = element(
    'button',
    {
      type: 'button',
      class: 'help',
      'aria-expanded': 'false',
      'aria-controls': 'help',
      'data-definition': id,
      'aria-label': `What is ${name}?`,
      onclick: (event) => {
        event.stopPropagation();
        toggleHelp(button);
      },
    },
    '?',
  );
  return button;
}

function toggleHelp(button) {
  const opener = helpOpener;
  closeHelp();
  if (opener !== button) openHelp(button);
}

function openHelp(button) {
  const popover = document.getElementById('help');
  const [title, text] = DEFINITIONS[button.dataset.definition];
  popover.replaceChildren(element('strong', {}, title), paragraph(text));
  popover.hidden = false;
  const place = button.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(place.left - 12, width - popover.offsetWidth - 8));
  popover.style.left = `${left + window.scrollX}px`;
  const height = popover.offsetHeight + 6;
  const above = place.bottom + height > window.innerHeight && place.top > height;
  popover.style.top = `${(above ? place.top - height : place.bottom + 6) + window.scrollY}px`;
  button.setAttribute('aria-expanded', 'true');
  button.setAttribute('aria-describedby', 'help');
  helpOpener = button;
}

function closeHelp() {
  if (!helpOpener) return;
  document.getElementById('help').hidden = true;
  helpOpener.setAttribute('aria-expanded', 'false');
  helpOpener.removeAttribute('aria-describedby');
  helpOpener = null;
}

function listenForHelp() {
  document.addEventListener('click', (event) => {
    if (!event.target.closest('#help')) closeHelp();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !helpOpener) return;
    const opener = helpOpener;
    closeHelp();
    opener.focus();
  });
}
