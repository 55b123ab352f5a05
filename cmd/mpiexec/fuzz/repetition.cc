#include "fuzz/repetition.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>
#include <string_view>

namespace mpiexec {
namespace {

using namespace std::string_view_literals;

// Returns the name of the long option that a word gives, without its dashes and its value.
std::string_view option_name(std::string_view word) {
    if (!word.starts_with('-'))
        return {};
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    return word.substr(0, word.find('='));
}

} // namespace

std::string Schedule::text() const {
    return choices ? fmt::format("{}:{}", seed, *choices) : std::to_string(seed);
}

std::vector<std::string> words_without_fuzz(const std::vector<std::string> &words,
                                            size_t option_words) {
    std::vector<std::string> kept;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view name = i < option_words ? option_name(words[i]) : ""sv;
        if (name != "fuzz" && name != "fuzz-compare" && name != "seed")
            kept.push_back(words[i]);
        else if (words[i].find('=') == std::string::npos)
            ++i; // its value
    }
    return kept;
}

std::string quoted(const std::string &word) {
    const bool is_plain = std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) || "_@%+=:,./-"sv.find(static_cast<char>(c)) != std::string::npos;
    });
    if (is_plain && !word.empty())
        return word;
    std::string text = "'";
    for (char c : word)
        text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

} // namespace mpiexec
