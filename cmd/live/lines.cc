#include "lines.h"

#include <algorithm>
#include <fmt/core.h>

namespace live {
namespace {

// Shortens a text to a number of characters, not bytes.
std::string shortened(const std::string &text, size_t columns_max) {
    if (columns_max == 0)
        return text;
    size_t columns = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
        if (begins && ++columns > columns_max)
            return text.substr(0, i);
    }
    return text;
}

// Control characters in names of the program must not reach the terminal.
std::string printable(std::string text) {
    for (char &c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 127)
            c = '?';
    return text;
}

std::string plural(size_t count, const char *what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string rate_text(double rate, const std::string &unit) {
    return rate < 0 ? "-" : (unit == "B" ? bytes_text(rate) : count_text(rate));
}

std::string title_of(const View &view) {
    std::string text = view.title.empty() ? "the job" : view.title;
    text += ": " + plural(view.ranks.size(), "rank");
    if (view.processes > 1)
        text += ", " + std::to_string(view.processes) + " processes";
    if (view.workers)
        text += ", " + plural(static_cast<size_t>(view.workers), "worker");
    if (view.seconds > 0)
        text += ", " + seconds_text(view.seconds);
    if (view.is_held)
        text += ", HELD";
    if (!view.ended.empty())
        text += "; " + view.ended;
    return text;
}

std::string counts_of(const View &view) {
    std::string text;
    for (int i = 0; i < activities; ++i)
        if (view.counts[i])
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", view.counts[i],
                                name_of(static_cast<Activity>(i)));
    if (view.memory_bytes)
        text += "; memory " + bytes_text(static_cast<double>(view.memory_bytes));
    return text;
}

std::string text_of_group(const View &view, const Group &group) {
    std::string text =
        fmt::format("{:>6} {}: ", group.ranks.size(), group.ranks.size() == 1 ? "rank" : "ranks");
    const std::string place = place_of(view, group.site);
    switch (group.activity) {
    case Activity::Starting:
        text += "before the first MPI call";
        break;
    case Activity::Computing:
        text += "computing";
        break;
    case Activity::Held:
        text += "held at " + (place.empty() ? "an MPI call" : place);
        break;
    case Activity::Ended:
        text += "ended";
        break;
    default:
        text += place.empty() ? "in an MPI call" : place;
        if (group.activity == Activity::Waiting)
            text += ", waiting";
        break;
    }
    if (group.seconds >= 0)
        text += (group.activity == Activity::Ended ? ", last call " : " for ") +
                seconds_text(group.seconds) + (group.activity == Activity::Ended ? " ago" : "");
    return text + "  (" + rank_list(group.ranks) + ")";
}

std::string text_of_dependence(const View &view, const Dependence &dependence) {
    std::string text =
        rank_list(dependence.waiting) +
        (dependence.waiting.size() == 1 ? " waits for " : " wait for ") +
        (dependence.for_ranks.empty() ? "any rank" : rank_list(dependence.for_ranks));
    if (dependence.site != no_site)
        text += ", " + place_of(view, dependence.site);
    return text;
}

std::string text_of_slow(const View &view, int number) {
    const RankView &rank = view.ranks[static_cast<size_t>(number)];
    return fmt::format("rank {}: computing {} of {}, {} calls", number,
                       seconds_text(rank.computing_seconds), seconds_text(rank.observed_seconds),
                       count_text(static_cast<double>(rank.calls)));
}

std::string text_of_totals(const View &view) {
    const Totals totals = totals_of(view);
    return fmt::format("  {} calls, {} messages, {} in all",
                       count_text(static_cast<double>(totals.calls)),
                       count_text(static_cast<double>(totals.messages)),
                       bytes_text(static_cast<double>(totals.bytes)));
}

// Cuts the lines to the size of the terminal.
std::vector<Line> fitted(std::vector<Line> lines, size_t rows_max, size_t columns_max) {
    if (rows_max && lines.size() > rows_max) {
        const size_t left_out = lines.size() - rows_max + 1;
        lines.resize(rows_max - 1);
        lines.push_back({Tone::Faint, "... " + plural(left_out, "more line")});
    }
    for (Line &line : lines)
        line = line_of(line.tone, line.text, columns_max);
    return lines;
}

} // namespace

std::vector<Line> lines_of(const View &view, size_t rows_max, size_t columns_max) {
    std::vector<Line> lines;
    const auto add = [&](Tone tone, const std::string &text) {
        lines.push_back({tone, text});
    };
    if (view.ranks.empty()) {
        add(Tone::Title,
            view.ended.empty() ? "the job: no rank has begun yet" : "the job; " + view.ended);
        return fitted(lines, rows_max, columns_max);
    }
    add(Tone::Title, title_of(view));
    add(Tone::Plain, "  " + counts_of(view));
    if (view.is_observed && !view.ended.empty())
        add(Tone::Plain, text_of_totals(view));
    else if (view.is_observed)
        add(Tone::Plain,
            fmt::format("  {} calls/s, {} messages/s, {}/s", rate_text(view.calls_rate, ""),
                        rate_text(view.messages_rate, ""), rate_text(view.bytes_rate, "B")));
    else
        add(Tone::Faint, "  not observed: times, messages and who waits for whom are known in jobs "
                         "started with --top or --live");
    for (const Group &group : view.groups)
        add(group.activity == Activity::Waiting     ? Tone::Waiting
            : group.activity == Activity::Computing ? Tone::Computing
            : group.activity == Activity::Held      ? Tone::Held
            : group.activity == Activity::Ended     ? Tone::Faint
                                                    : Tone::Plain,
            text_of_group(view, group));
    if (!view.dependences.empty())
        add(Tone::Heading, "Who waits for whom");
    for (const Dependence &dependence : view.dependences)
        add(Tone::Plain, "  " + text_of_dependence(view, dependence));
    if (!view.slowest.empty())
        add(Tone::Heading, "Slowest");
    for (const int rank : view.slowest)
        add(Tone::Plain, "  " + text_of_slow(view, rank));
    if (!view.longest_queues.empty())
        add(Tone::Heading, "Messages that nobody has received yet");
    for (const int rank : view.longest_queues)
        add(Tone::Plain,
            fmt::format("  rank {}: {}", rank,
                        plural(view.ranks[static_cast<size_t>(rank)].queued, "message")));
    return fitted(std::move(lines), rows_max, columns_max);
}

std::vector<Line> lines_of(const Queues &queues, size_t rows_max, size_t columns_max) {
    std::vector<Line> lines;
    const auto add = [&](const std::string &text) {
        lines.push_back({Tone::Plain, text});
    };
    lines.push_back({Tone::Heading, queues.entries.empty() && queues.rests.empty()
                                        ? "No messages and no receives are queued"
                                        : "Queues"});
    for (const QueueEntry &entry : queues.entries) {
        const std::string source = entry.source == any_peer  ? "any rank"
                                   : entry.source == no_peer ? "an unknown rank"
                                                             : fmt::format("rank {}", entry.source);
        const std::string tag = entry.tag < 0 ? "any tag" : fmt::format("tag {}", entry.tag);
        add(fmt::format("  rank {}: {} from {}, {}, {}{}, {}", entry.rank,
                        entry.is_posted ? "posted receive" : "unexpected message", source, tag,
                        entry.is_posted ? "at most " : "",
                        bytes_text(static_cast<double>(entry.bytes)), entry.communicator));
    }
    for (const QueueRest &rest : queues.rests) {
        if (rest.posted)
            add(fmt::format("  rank {}: {}", rest.rank,
                            plural(rest.posted, "more posted receive")));
        if (rest.unexpected)
            add(fmt::format("  rank {}: {}", rest.rank,
                            plural(rest.unexpected, "more unexpected message")));
    }
    return fitted(std::move(lines), rows_max, columns_max);
}

Line line_of(Tone tone, const std::string &text, size_t columns_max) {
    return {tone, shortened(printable(text), columns_max)};
}

} // namespace live
