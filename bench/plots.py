"""Draws the benchmark's results with matplotlib, as SVG files."""
import math
import sys

import report

try:
    import matplotlib
except ImportError:
    sys.exit(f'the plots of the benchmarks need matplotlib, which {sys.executable} does not have: '
             'apt-get install python3-matplotlib, and run make bench, which uses /usr/bin/python3 '
             '(another one: make bench BENCH_PYTHON=...)')
matplotlib.use('svg')
from matplotlib import pyplot, ticker  # noqa: E402

# The same results give the same file: no date, no random ids. Text stays text.
matplotlib.rcParams.update({'svg.hashsalt': 'thrum', 'svg.fonttype': 'none', 'font.size': 9, 'axes.titlesize': 11,
                            'axes.titlelocation': 'left', 'axes.spines.top': False, 'axes.spines.right': False,
                            'axes.grid': True, 'axes.grid.axis': 'y', 'axes.axisbelow': True, 'grid.color': '#dddddd',
                            'legend.frameon': False})
COLOURS = pyplot.get_cmap('tab10').colors
MARKERS = 'os^vDP*X'
UNITS = (('s', 1), ('ms', 1e-3), ('us', 1e-6), ('ns', 1e-9))


def curves(path, title, unit, series, x_label='ranks'):
    """series: {name: [(x, y), ...]}; both axes are logarithmic. `unit`: 'time' (in seconds), or what a label of the axis ends with."""
    series = {name: points for name, points in series.items() if points}
    if not series:
        return
    figure, axes = pyplot.subplots(figsize=(7.5, 4.2))
    for i, (name, points) in enumerate(series.items()):
        style = '-' if i < len(COLOURS) else '--'  # colours come again
        axes.plot(*zip(*points), style, label=name, marker=MARKERS[i % len(MARKERS)], markersize=4, linewidth=1.6, clip_on=False)
    axes.set_xscale('log', base=2)
    xs = sorted({x for points in series.values() for x, _ in points})
    axes.set_xticks(spread_out(xs), labels=[report.size(x) if x_label == 'bytes' else f'{x:,}' for x in spread_out(xs)])
    axes.minorticks_off()
    axes.set_xlabel('message' if x_label == 'bytes' else x_label)
    use_powers_of_ten(axes, unit, [y for points in series.values() for _, y in points])
    save(figure, axes, path, title)


def bars(path, title, groups, series):
    """series: {name: [time or None for each of the groups]}; the axis is logarithmic."""
    values = [value for column in series.values() for value in column if value]
    if not values:
        return
    figure, axes = groups_of_bars(groups, series)
    use_powers_of_ten(axes, 'time', values)
    save(figure, axes, path, title)


def relative_bars(path, title, groups, series):
    """series: {name: [per cent for each of the groups]}; the axis is linear, and each bar has its number."""
    figure, axes = groups_of_bars(groups, series)
    for container in axes.containers:
        axes.bar_label(container, fmt='%.0f')
    axes.set_ylim(0, 109)
    axes.yaxis.set_major_formatter(ticker.PercentFormatter())
    save(figure, axes, path, title)


def groups_of_bars(groups, series):
    figure, axes = pyplot.subplots(figsize=(1.9 + 1.35 * len(groups), 4.2))
    width = 0.85 / len(series)
    for k, (name, column) in enumerate(series.items()):
        places = [i + (k - (len(series) - 1) / 2) * width for i in range(len(groups))]
        axes.bar(places, [value or math.nan for value in column], width, label=name, color=COLOURS[k % len(COLOURS)])
    axes.set_xticks(range(len(groups)), labels=groups)
    axes.tick_params(axis='x', length=0)
    return figure, axes


def use_powers_of_ten(axes, unit, values):
    """Makes the axis of values logarithmic, from one power of ten to another."""
    low = math.floor(math.log10(min(values)))
    high = max(math.ceil(math.log10(max(values))), low + 1)
    axes.set_yscale('log')
    axes.set_ylim(10.0 ** low, 10.0 ** high)
    axes.yaxis.set_major_locator(ticker.FixedLocator([10.0 ** power for power in range(low, high + 1)]))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: label(value, unit))


def save(figure, axes, path, title):
    """With the legend beside the picture."""
    axes.set_title(title)
    axes.legend(loc='upper left', bbox_to_anchor=(1.01, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, bbox_inches='tight', metadata={'Date': None, 'Creator': None})
    pyplot.close(figure)


def spread_out(xs):
    """Those of the values whose labels have room beside each other on a logarithmic axis."""
    room = (math.log2(xs[-1]) - math.log2(xs[0])) / 11
    chosen = [xs[0]]
    for x in xs[1:]:
        if math.log2(x) - math.log2(chosen[-1]) >= room * 0.99:
            chosen.append(x)
    return chosen


def label(value, unit):
    if unit == 'time':
        name, scale = next(((name, scale) for name, scale in UNITS if value >= scale * 0.99), UNITS[-1])
        return f'{value / scale:,.0f} {name}' if value >= 0.99e-9 else f'{value / scale:g} {name}'
    return f'{value:,.0f} {unit}' if value >= 0.99 else f'{value:g} {unit}'
