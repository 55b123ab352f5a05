// Reads the data and builds the page.

const FORMAT = 'thrum report';
const VERSION = 1;

function showReport(data) {
  const figures = deriveFigures(data);
  summarySection(figures);
  findingsSection(figures);
  timelineSection(figures);
  timeSection(figures);
  balanceSection(figures);
  pathSection(figures);
  waitsSection(figures);
  collectivesSection(figures);
  communicationSection(figures);
  queueSection(figures);
  filesSection(figures);
  memorySection(figures);
}

function refusal(report) {
  if (report?.format !== FORMAT) return 'This page contains no report: its data has an unknown format.';
  if (report.version !== VERSION)
    return `This page reads reports of version ${VERSION}, but its data is of version ${report.version}.`;
  return null;
}

function start() {
  const text = document.getElementById('data').textContent;
  let data = null;
  try {
    data = JSON.parse(text);
  } catch (error) {
    document
      .getElementById('report')
      .append(
        element('p', { class: 'notice', role: 'alert' }, `The data of this page cannot be read: ${error.message}`),
      );
    return;
  }
  const reports = data?.compare ?? [data];
  const why = reports.map(refusal).find(Boolean);
  if (why) {
    document.getElementById('report').append(element('p', { class: 'notice', role: 'alert' }, why));
    return;
  }
  if (data.compare) showComparison(reports);
  else showReport(data);
  definitionsSection();
  startSearch();
  listenForHelp();
  startTheme();
}

start();
