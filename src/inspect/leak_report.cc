// Writes the warnings about leaks (leak_report.h).
#include "inspect/leak_report.h"

#include "inspect/deadlock_report.h"
#include "rank/rank_list.h"

#include <tuple>

namespace thrum {
namespace {

constexpr size_t lines_max = 20;

// How the objects of a kind are called, and what the program has not done with them.
struct Words {
    const char *one;
    const char *several;
    const char *origin; // how the program got them; nullptr: by the name of the function
    const char *missing;
};

Words words_of(MadeKind kind) {
    switch (kind) {
    case MadeKind::Request:
        return {"request", "requests", nullptr, "never completed"};
    case MadeKind::StartedRequest:
        return {"persistent request", "persistent requests", nullptr,
                "started but never completed"};
    case MadeKind::PersistentRequest:
        return {"persistent request", "persistent requests", nullptr, "never freed"};
    case MadeKind::SentMessage:
        return {"message", "messages", "sent", "never received"};
    case MadeKind::MatchedMessage:
        return {"message", "messages", "matched", "never received"};
    case MadeKind::Communicator:
        return {"communicator", "communicators", nullptr, "never freed"};
    case MadeKind::Group:
        return {"group", "groups", nullptr, "never freed"};
    case MadeKind::Datatype:
        return {"datatype", "datatypes", nullptr, "never freed"};
    case MadeKind::Window:
        return {"window", "windows", nullptr, "never freed"};
    case MadeKind::File:
        return {"file", "files", "opened", "never closed"};
    case MadeKind::Info:
        return {"info object", "info objects", nullptr, "never freed"};
    case MadeKind::Errhandler:
        return {"error handler", "error handlers", nullptr, "never freed"};
    case MadeKind::Keyval:
        return {"keyval", "keyvals", nullptr, "never freed"};
    case MadeKind::Op:
        return {"operation", "operations", nullptr, "never freed"};
    case MadeKind::Session:
        return {"session", "sessions", nullptr, "never finalized"};
    }
    return {"object", "objects", nullptr, "never freed"};
}

// MPI_Comm_get_errhandler returns an object that exists; still its handle must be freed.
const char *origin_of(const Words &words, const std::string &function) {
    if (words.origin)
        return words.origin;
    return function.find("_get_") != std::string::npos ? "returned" : "made";
}

// Returns "rank 2", "ranks 0-3, one each" or "ranks 0-3, 5 each"; only the ranks if their numbers
// differ.
std::string owners(const std::map<int, int> &by_rank) {
    std::vector<int> ranks;
    bool alike = true;
    for (const auto &[rank, count] : by_rank) {
        ranks.push_back(rank);
        alike &= count == by_rank.begin()->second;
    }
    std::string text = rank_list(ranks);
    if (ranks.size() < 2 || !alike)
        return text;
    const int each = by_rank.begin()->second;
    return text + ", " + (each == 1 ? "one" : std::to_string(each)) + " each";
}

std::string line_of(const Leak &leak) {
    const Words words = words_of(leak.kind);
    int64_t count = 0;
    for (const auto &[rank, of_rank] : leak.by_rank)
        count += of_rank;
    std::string text =
        "warning: " + std::to_string(count) + " " + (count == 1 ? words.one : words.several) + " ";
    if (leak.place.empty()) {
        text += leak.message;
    } else {
        text += origin_of(words, leak.function);
        if (!leak.function.empty())
            text += " by " + leak.function;
        text += " at " + leak.place;
    }
    const bool has_receivers = leak.kind == MadeKind::SentMessage;
    return text + (count == 1 ? " was " : " were ") + words.missing + " (" +
           (has_receivers ? "by " : "") + owners(leak.by_rank) + ")";
}

} // namespace

std::vector<std::string> leak_lines(const std::vector<Leak> &leaks, size_t &places) {
    using Key = std::tuple<MadeKind, std::string, std::string, std::string>;
    std::map<Key, Leak> merged;
    for (const Leak &leak : leaks) {
        Leak &all = merged[{leak.kind, leak.place, leak.function, leak.message}];
        std::map<int, int> counts = std::move(all.by_rank);
        all = leak;
        for (const auto &[rank, count] : counts)
            all.by_rank[rank] += count;
    }
    places = merged.size();
    std::vector<std::string> lines;
    for (const auto &[key, leak] : merged) {
        if (lines.size() == lines_max) {
            const size_t rest = places - lines_max;
            lines.push_back("warning: ... and leaks at " + std::to_string(rest) +
                            (rest == 1 ? " more place" : " more places"));
            break;
        }
        lines.push_back(line_of(leak));
    }
    return lines;
}

} // namespace thrum
