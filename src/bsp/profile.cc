// Measurement, table and picture of a profile (profile.h). The measurement uses supersteps of its
// own, after the program's; the program's counters are restored.
#include "bsp/profile.h"

#include "base/clock.h"
#include "base/settings.h"
#include "bsp/delivery.h"
#include "bsp/superstep.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace thrum::bsp {
namespace {

const char *report_prefix() {
    return settings().bsp_report;
}

// --- The machine's parameters

struct CostParameters {
    double g_ns = 0;       // for each byte
    double global_ns = 0;  // l of a superstep that is ended globally
    double counted_ns = 0; // by counting, with one message from a neighbour
};

// Returns the average duration of one call in nanoseconds. The first call, which allocates buffers,
// is not measured.
template <class F>
double time_of(int rounds, F superstep) MAY_SUSPEND {
    superstep();
    const int64_t begin = now_ns();
    for (int i = 0; i < rounds; ++i)
        superstep();
    return static_cast<double>(now_ns() - begin) / rounds;
}

// Sends `data` as a message with a tag.
void send_to(Node &node, int pid, const std::vector<char> &data) MAY_SUSPEND {
    Message header;
    header.kind = MessageKind::Tagged;
    deliver(node, node.machine->nodes[static_cast<size_t>(pid)], header, {},
            {data.data(), data.size()});
}

// Measures the parameters. All processes do the same number of supersteps.
CostParameters measure(Node &node) MAY_SUSPEND {
    constexpr int rounds = 100, exchange_rounds = 20;
    constexpr size_t exchanged_bytes = 64 << 10; // by each process, to all others together
    const int p = node.machine->size;
    CostParameters cost;
    cost.global_ns = time_of(rounds, []() MAY_SUSPEND { synchronise_globally(); });
    const std::vector<char> little(8);
    cost.counted_ns = time_of(rounds, [&]() MAY_SUSPEND {
        send_to(node, (node.pid + 1) % p, little);
        synchronise_by_counting(1);
    });
    synchronise_globally();
    if (p == 1)
        return cost;
    const std::vector<char> much(exchanged_bytes / static_cast<size_t>(p - 1) + 1);
    const double exchange_ns = time_of(exchange_rounds, [&]() MAY_SUSPEND {
        for (int i = 1; i < p; ++i)
            send_to(node, (node.pid + i) % p, much);
        synchronise_globally();
    });
    cost.g_ns = std::max(0.0, exchange_ns - cost.global_ns) /
                static_cast<double>(much.size() * static_cast<size_t>(p - 1));
    return cost;
}

// --- The table

// A line of the table: the maximum of all processes.
struct Row {
    double work_us = 0;
    uint64_t h_bytes = 0;
    double predicted_us = 0;
    double measured_us = 0;
    bool counted = false;
};

using Records = std::vector<SuperstepRecord>;

// Combines the records of all processes; `all`: by process. A process that ended early limits their
// number.
std::vector<Row> rows_of(const std::vector<Records> &all, const CostParameters &cost) {
    size_t count = SIZE_MAX;
    for (const Records &records : all)
        count = std::min(count, records.size());
    std::vector<Row> rows(count);
    for (size_t s = 0; s < count; ++s) {
        Row &row = rows[s];
        for (const Records &records : all) {
            const SuperstepRecord &r = records[s];
            row.work_us = std::max(row.work_us, 1e-3 * static_cast<double>(r.work_ns));
            row.measured_us = std::max(row.measured_us, 1e-3 * static_cast<double>(r.total_ns));
            row.h_bytes = std::max({row.h_bytes, r.bytes_in, r.bytes_out});
            row.counted = r.counted;
        }
        const double l_ns = row.counted ? cost.counted_ns : cost.global_ns;
        row.predicted_us =
            row.work_us + 1e-3 * (cost.g_ns * static_cast<double>(row.h_bytes) + l_ns);
    }
    return rows;
}

void print_row(std::FILE *file, size_t number, const Row &row) {
    std::fprintf(file, "%9zu  %-8s %12.1f %12llu %14.1f %14.1f\n", number,
                 row.counted ? "counted" : "global", row.work_us,
                 static_cast<unsigned long long>(row.h_bytes), row.predicted_us, row.measured_us);
}

// Prints all rows, or the first and the last ones if there are more than rows_max.
void print_table(std::FILE *file, size_t processes, const CostParameters &cost,
                 const std::vector<Row> &rows, size_t rows_max) {
    std::fprintf(
        file,
        "BSP report: %zu processes, %zu supersteps; g %.3f ns/byte, l %.1f us (counted %.1f "
        "us)\n%9s  %-8s %12s %12s %14s %14s\n",
        processes, rows.size(), cost.g_ns, 1e-3 * cost.global_ns, 1e-3 * cost.counted_ns,
        "superstep", "ended", "work us", "h bytes", "predicted us", "measured us");
    Row sum;
    for (size_t i = 0; i < rows.size(); ++i) {
        if (rows.size() <= rows_max || i < rows_max / 2 || i >= rows.size() - rows_max / 2)
            print_row(file, i, rows[i]);
        else if (i == rows_max / 2)
            std::fprintf(file, "      ...\n");
        sum.work_us += rows[i].work_us;
        sum.h_bytes += rows[i].h_bytes;
        sum.predicted_us += rows[i].predicted_us;
        sum.measured_us += rows[i].measured_us;
    }
    std::fprintf(file, "%9s  %-8s %12.1f %12llu %14.1f %14.1f\n", "sum", "", sum.work_us,
                 static_cast<unsigned long long>(sum.h_bytes), sum.predicted_us, sum.measured_us);
}

// --- The picture

constexpr double width = 800, height = 360, left = 70, right = 20, top = 40, bottom = 50;

// Draws one column of the table as a line. With many supersteps, a point is the maximum of its
// neighbours.
void draw_line(std::FILE *file, const std::vector<Row> &rows, double Row::*value, double highest,
               const char *colour, const char *name, int legend) {
    constexpr size_t points_max = 2000;
    const size_t step = rows.size() / points_max + 1;
    std::fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='1.2' points='", colour);
    for (size_t i = 0; i < rows.size(); i += step) {
        double most = 0;
        for (size_t k = i; k < std::min(i + step, rows.size()); ++k)
            most = std::max(most, rows[k].*value);
        std::fprintf(file, "%.1f,%.1f ",
                     left + (width - left - right) * static_cast<double>(i) /
                                static_cast<double>(std::max<size_t>(rows.size() - 1, 1)),
                     height - bottom - (height - top - bottom) * most / highest);
    }
    std::fprintf(file, "'/>\n<text x='%g' y='24' fill='%s'>%s</text>\n", left + 160.0 * legend,
                 colour, name);
}

// Writes the picture in SVG.
void draw(std::FILE *file, const std::vector<Row> &rows) {
    double highest = 1e-3;
    for (const Row &row : rows)
        highest = std::max({highest, row.measured_us, row.predicted_us});
    std::fprintf(file,
                 "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' "
                 "font-family='sans-serif' font-size='13'>\n<rect width='100%%' height='100%%' "
                 "fill='white'/>\n<path d='M%g,%gV%gH%g' fill='none' stroke='black'/>\n",
                 width, height, left, top, height - bottom, width - right);
    std::fprintf(file,
                 "<text x='%g' y='%g'>superstep 0</text>\n<text x='%g' y='%g' "
                 "text-anchor='end'>%zu</text>\n<text x='%g' y='%g' "
                 "text-anchor='end'>%.3g us</text>\n<text x='%g' y='%g' "
                 "text-anchor='end'>0</text>\n",
                 left, height - bottom + 20, width - right, height - bottom + 20,
                 rows.empty() ? 0 : rows.size() - 1, left - 6, top + 5, highest, left - 6,
                 height - bottom + 5);
    draw_line(file, rows, &Row::measured_us, highest, "#c0392b", "measured", 0);
    draw_line(file, rows, &Row::predicted_us, highest, "#2471a3", "predicted w + g h + l", 1);
    draw_line(file, rows, &Row::work_us, highest, "#7f8c8d", "work w", 2);
    std::fprintf(file, "</svg>\n");
}

// Opens a file and calls write(file); reports if that fails.
template <class F>
void write_file(const std::string &path, F write) {
    std::FILE *file = std::fopen(path.c_str(), "w");
    if (!file) {
        report("--bsp-report: cannot write %s: %s", path.c_str(), std::strerror(errno));
        return;
    }
    write(file);
    std::fclose(file);
}

void write_report(const std::vector<Records> &all, const CostParameters &cost) {
    constexpr size_t rows_shown = 30;
    const std::vector<Row> rows = rows_of(all, cost);
    const std::string prefix = report_prefix();
    write_file(prefix + ".txt",
               [&](std::FILE *file) { print_table(file, all.size(), cost, rows, SIZE_MAX); });
    write_file(prefix + ".svg", [&](std::FILE *file) { draw(file, rows); });
    print_table(stderr, all.size(), cost, rows, rows_shown);
    std::fprintf(stderr, "BSP report: all supersteps in %s.txt, drawn in %s.svg\n", prefix.c_str(),
                 prefix.c_str());
}

// Sends each process's records to process 0, by a superstep of its own, since that may be in
// another node process. Returns them in process 0, and nothing elsewhere.
std::vector<Records> gather(Node &node, const Records &own) MAY_SUSPEND {
    Message header;
    header.kind = MessageKind::Tagged;
    deliver(node, node.machine->nodes[0], header, {},
            {own.data(), own.size() * sizeof(SuperstepRecord)});
    synchronise_globally();
    std::vector<Records> all(node.pid == 0 ? static_cast<size_t>(node.machine->size) : 0);
    for (Message *message : node.queue) {
        auto *first = reinterpret_cast<const SuperstepRecord *>(message->payload());
        all[static_cast<size_t>(message->source)].assign(first, first + message->payload_bytes /
                                                                            sizeof *first);
    }
    return all;
}

} // namespace

bool is_profile_wanted() {
    const char *prefix = report_prefix();
    return prefix && *prefix;
}

void finish_profile(Node &node) {
    const std::unique_ptr<Profile> own = std::move(node.profile);
    const bsp_counters counters = node.counters;
    node.phase = Phase::Computing;
    const CostParameters cost = measure(node);
    const std::vector<Records> all = gather(node, own->records);
    node.counters = counters;
    if (node.pid == 0)
        write_report(all, cost);
}

} // namespace thrum::bsp
