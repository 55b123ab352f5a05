#include "check/choice_file.h"

#include "base/check.h"
#include "base/settings.h"
#include "check/causality.h"
#include "record/outcome.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace thrum {
namespace {

std::string text_of(const KnowledgeSnapshot &known) {
    std::string text;
    const size_t ranks = known->size() / 2;
    for (size_t rank = 0; rank < ranks; ++rank)
        if (const uint32_t number = (*known)[rank], words = (*known)[ranks + rank]; number || words)
            text += " : " + std::to_string(rank) + " " + std::to_string(number) + " " +
                    std::to_string(words);
    return text + "\n";
}

std::string text_of(const char *verb, const OpenChoice::Match &match) {
    std::string text = verb + (" " + std::to_string(match.source));
    for (const uint32_t word : match.matched_before)
        text += " " + std::to_string(word);
    return text + text_of(match.known);
}

std::string text_of(const OpenChoice &choice) {
    std::string text = "choice " + std::to_string(choice.rank) + " " + std::to_string(choice.word) +
                       " " + std::to_string(choice.number) + text_of(choice.posted) +
                       text_of("taken", choice.taken);
    for (const OpenChoice::Match &other : choice.others)
        text += text_of("other", other);
    return text;
}

} // namespace

void prepare_choice_file(int ranks) {
    if (settings().explored)
        track_causality(ranks, Remember::Everything);
}

bool write_choice_file() {
    if (!settings().explored)
        return true;
    std::string text = "thrum choices, format 1\n";
    if (!tracks_causality())
        text += "lost\n";
    else
        for (const OpenChoice &choice : open_choices())
            text += text_of(choice);
    text += "end\n";
    const std::string path = std::string(settings().explored) + explored_choices;
    FILE *file = std::fopen(path.c_str(), "wx");
    const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file && std::fclose(file) == 0 && is_written)
        return true;
    report("--explore: cannot write %s: %s", path.c_str(), std::strerror(errno));
    return false;
}

} // namespace thrum
