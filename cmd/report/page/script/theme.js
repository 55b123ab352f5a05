// Switches between the colours of the system, light and dark ones, and prints with light ones.

const THEMES = ['system', 'light', 'dark'];
const repaints = []; // canvases, whose colours do not follow the style sheet

function repaint() {
  for (const paint of repaints) paint();
}

// A page that is opened from a file may have no storage.
function storedTheme(value) {
  try {
    if (value) localStorage.setItem('thrum-report-theme', value);
    return localStorage.getItem('thrum-report-theme');
  } catch {
    return null;
  }
}

function applyTheme(theme) {
  const button = document.getElementById('theme');
  document.documentElement.dataset.theme = theme;
  button.textContent = `Colours: ${theme}`;
  button.setAttribute('aria-label', `Colours: ${theme}. Change`);
  repaint();
}

function startTheme() {
  const stored = storedTheme();
  let theme = THEMES.includes(stored) ? stored : 'system';
  document.getElementById('theme').addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    storedTheme(theme);
    applyTheme(theme);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  let closed = [];
  addEventListener('beforeprint', () => {
    document.documentElement.dataset.theme = 'light';
    closed = [...document.querySelectorAll('details:not([open])')].filter((details) =>
      details.classList.contains('printed'),
    );
    for (const details of closed) details.open = true;
    showTablesForPrint(true);
    showChartsForPrint(true);
    repaint();
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
    showTablesForPrint(false);
    showChartsForPrint(false);
    applyTheme(theme);
  });
  applyTheme(theme);
}
