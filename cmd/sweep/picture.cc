// The style is that of examples/run.py. Both axes are linear, or logarithmic if the counts span
// more than one power of ten or so.
#include "picture.h"

#include "runs/progress.h"
#include "table.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <vector>

namespace sweep {
namespace {

constexpr double width = 640, height = 400, left = 60, right = 20, top = 40, bottom = 50;
constexpr double logarithmic_span = 12; // greatest count / smallest
constexpr double gap_of_labels = 34;    // at least, along the x axis
constexpr const char *style =
    "<style>\n"
    "  text { fill: #222 } .paper { fill: white } .grid { stroke: #ddd }\n"
    "  .ideal { stroke: #888; stroke-dasharray: 5 4; fill: none }\n"
    "  .line { stroke: #1f77b4; stroke-width: 2; fill: none } .point { fill: #1f77b4 }\n"
    "  @media (prefers-color-scheme: dark) {\n"
    "    text { fill: #ddd } .paper { fill: #1b1b1b } .grid { stroke: #3a3a3a }\n"
    "    .line { stroke: #6cb6ff } .point { fill: #6cb6ff }\n"
    "  }\n"
    "</style>\n";

struct Point {
    double ranks, speed_up;
};

// An axis from `low` to `high`.
struct Axis {
    double low, high;
    bool is_logarithmic;
    double from, to; // coordinates in the picture

    double at(double value) const {
        const double part = is_logarithmic ? std::log(value / low) / std::log(high / low)
                                           : (value - low) / (high - low);
        return from + (to - from) * part;
    }
};

std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text)
        result += c == '<'                               ? "&lt;"
                  : c == '>'                             ? "&gt;"
                  : c == '&'                             ? "&amp;"
                  : static_cast<unsigned char>(c) < 0x20 ? "?"
                                                         : std::string(1, c);
    return result;
}

// Returns the speed-up of a program whose ranks have a core each, as long as there are cores.
double ideal(double ranks, double smallest, int cores) {
    const double with_cores = std::max<double>(cores, smallest);
    return std::min(ranks, with_cores) / smallest;
}

Axis y_axis(const std::vector<Point> &points, double highest, bool is_logarithmic) {
    double low = is_logarithmic ? 1 : 0, high = highest;
    for (const Point &point : points) {
        high = std::max(high, point.speed_up);
        if (is_logarithmic)
            low = std::min(low, point.speed_up);
    }
    if (is_logarithmic) {
        low = std::exp2(std::floor(std::log2(low)));
        high = std::exp2(std::ceil(std::log2(std::max(high, 2 * low))));
    } else {
        high *= 1.1;
    }
    return {low, high, is_logarithmic, height - bottom, top};
}

// Returns the values of an axis that have a line and a label: powers of 2, or four to eight steps.
std::vector<double> ticks_of(const Axis &axis) {
    std::vector<double> ticks;
    if (axis.is_logarithmic) {
        for (double value = axis.low; value <= axis.high * 1.001; value *= 2)
            ticks.push_back(value);
        return ticks;
    }
    double step = std::pow(10, std::floor(std::log10(axis.high)));
    for (const double part : {0.5, 0.4, 0.5}) // 1, 0.5, 0.2, 0.1 of a power of ten
        if (axis.high / step < 4)
            step *= part;
    for (int i = 0; i * step <= axis.high; ++i)
        ticks.push_back(i * step);
    return ticks;
}

void draw_grid(const Axis &x, const Axis &y, const std::vector<Point> &points, std::string &out) {
    for (const double tick : ticks_of(y))
        out += fmt::format("<line class=\"grid\" x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" "
                           "y2=\"{1:.1f}\"/>\n<text x=\"{3}\" y=\"{4:.1f}\" "
                           "text-anchor=\"end\">{5:g}</text>\n",
                           left, y.at(tick), width - right, left - 8, y.at(tick) + 4, tick);
    double last = -gap_of_labels;
    for (const Point &point : points) {
        const double at = x.at(point.ranks);
        if (at - last < gap_of_labels)
            continue;
        last = at;
        out +=
            fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at,
                        height - bottom + 18, mpiexec::with_commas(static_cast<long>(point.ranks)));
    }
}

// The ideal has a corner where every core has a rank.
void draw_ideal(const Axis &x, const Axis &y, double smallest, int cores, std::string &out) {
    std::vector<double> corners{x.low, x.high};
    if (cores > x.low && cores < x.high)
        corners.insert(corners.begin() + 1, cores);
    std::string line;
    for (const double ranks : corners)
        line += fmt::format("{:.1f},{:.1f} ", x.at(ranks), y.at(ideal(ranks, smallest, cores)));
    out += fmt::format("<polyline class=\"ideal\" points=\"{}\"><title>ideal, with {} core{}"
                       "</title></polyline>\n",
                       line, cores, cores == 1 ? "" : "s");
}

} // namespace

std::string picture_of(const Result &result, int cores, const std::string &title) {
    std::vector<Point> points;
    std::string marks, line;
    for (const Count &count : result.counts)
        if (const double speed_up = result.speed_up(count); speed_up > 0)
            points.push_back({static_cast<double>(count.ranks), speed_up});
    if (points.empty())
        return "";
    const double smallest = points.front().ranks, greatest = points.back().ranks;
    const bool is_logarithmic = greatest / smallest > logarithmic_span;
    const Axis x{smallest, std::max(greatest, smallest + 1), is_logarithmic, left, width - right};
    const Axis y = y_axis(points, ideal(greatest, smallest, cores), is_logarithmic);

    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n{2}<rect class=\"paper\" "
        "width=\"{0}\" height=\"{1}\"/>\n<text x=\"{3}\" y=\"20\" text-anchor=\"middle\" "
        "font-size=\"14\">{4}: speed-up against ranks</text>\n",
        width, height, style, width / 2, escaped(title));
    draw_grid(x, y, points, out);
    draw_ideal(x, y, smallest, cores, out);
    for (const Count &count : result.counts) {
        const double speed_up = result.speed_up(count);
        if (speed_up <= 0)
            continue;
        const double at_x = x.at(count.ranks), at_y = y.at(speed_up);
        line += fmt::format("{:.1f},{:.1f} ", at_x, at_y);
        marks +=
            fmt::format("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>"
                        "{} rank{}: {}, speed-up {:.2f}</title></circle>\n",
                        at_x, at_y, mpiexec::with_commas(count.ranks), count.ranks == 1 ? "" : "s",
                        text_of_seconds(count.seconds()), speed_up);
    }
    out += fmt::format("<polyline class=\"line\" points=\"{}\"/>\n{}", line, marks);
    const std::string reference =
        smallest > 1 ? fmt::format(" (1: the time of {} ranks)",
                                   mpiexec::with_commas(static_cast<long>(smallest)))
                     : "";
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">ranks; dashed: ideal with {} "
        "core{}{}</text>\n</svg>\n",
        (left + width - right) / 2, height - 10, cores, cores == 1 ? "" : "s", reference);
    return out;
}

} // namespace sweep
