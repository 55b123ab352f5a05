#include "runs/repetition.h"

#include <algorithm>
#include <cctype>
#include <set>
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

std::vector<std::string> words_of_run(const std::vector<std::string> &words, size_t option_words) {
    static const std::set<std::string_view> with_value{"fuzz", "fuzz-compare", "seed",
                                                       "explore-time", "record"};
    std::vector<std::string> kept;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view name = i < option_words ? option_name(words[i]) : ""sv;
        const bool has_value = with_value.contains(name);
        if (!has_value && name != "explore")
            kept.push_back(words[i]);
        else if (has_value && words[i].find('=') == std::string::npos)
            ++i;
    }
    return kept;
}

std::string command_of_run(const std::vector<std::string> &words, size_t option_words,
                           const std::vector<std::string> &options, const std::string &input) {
    std::string line = "  " + quoted(words[0]);
    for (const std::string &option : options)
        line += " " + quoted(option);
    for (const std::string &word : words_of_run({words.begin() + 1, words.end()}, option_words))
        line += " " + quoted(word);
    return input.empty() ? line : line + " < " + quoted(input);
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
