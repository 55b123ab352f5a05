// Two habits of MPI's users are beyond CLI11 and handled here: long options with one dash (-np,
// -wdir), and everything after the first word that is not an option belongs to the program.
#include "command_line/words.h"

#include "command_line/habits.h"
#include "command_line/suggest.h"
#include "plan/usage_error.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

namespace mpiexec {
namespace {

UsageError wrong(const std::string &text) {
    return {2, text};
}

// Returns the option that a word names, or nullptr. "-np", "--np" and "--np=4" all name --np; "-n"
// names -n.
const CLI::Option *find_option(const CLI::App &app, const std::string &word) {
    std::string name = word.substr(word.find_first_not_of('-'));
    name = name.substr(0, name.find('='));
    if (name.size() == 1)
        return word[1] == '-' ? nullptr : app.get_option_no_throw("-" + name);
    return app.get_option_no_throw("--" + name);
}

// Throws UsageError for an unknown option, with a suggestion.
[[noreturn]] void refuse_option(const CLI::App &app, const std::string &word) {
    std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known{"--help", "--version"};
    for (const CLI::Option *option : app.get_options())
        if (!option->get_group().empty())
            for (const std::string &long_name : option->get_lnames())
                known.push_back("--" + long_name);
    for (const std::string &name : names_of_habits())
        if (name.size() > 2)
            known.push_back("--" + name);
    std::string closest = closest_option(name, known);
    throw wrong(fmt::format("unknown option {}{}", name,
                            closest.empty() ? "" : fmt::format("; did you mean {}?", closest)));
}

// Reads the words of one program specification: options of ours, those of other MPIs (habits.h),
// then the program. Words that an option of another MPI stands for are inserted and read next.
class WordReader {
public:
    WordReader(const CLI::App &app, const Words &words, Words &notes)
        : app_(app), words_(words), notes_(notes) {}

    // Returns the options, spelled as CLI11 wants them, and sets `program` to the program with its
    // arguments.
    Words read(Words &program) {
        while (at_ < words_.size()) {
            const std::string word = words_[at_];
            if (word == "--") {
                ++at_;
                break;
            }
            if (word.size() < 2 || word[0] != '-')
                break;
            if (!take_prefix_of_open_mpi(word))
                take(word);
        }
        program.assign(words_.begin() + static_cast<ptrdiff_t>(at_), words_.end());
        return std::move(options_);
    }

private:
    void take(const std::string &word) {
        ++at_;
        const bool has_name = word.find_first_not_of('-') != std::string::npos;
        if (const CLI::Option *option = has_name ? find_option(app_, word) : nullptr)
            take_ours(*option, word);
        else if (const Habit *habit = has_name ? find_habit(word) : nullptr)
            take_habit(*habit, word);
        else if (!take_glued(word))
            refuse_option(app_, word);
    }

    // Adds an option of ours, with its value joined to it: CLI11 would take a value that begins
    // with a dash for an option.
    void take_ours(const CLI::Option &option, const std::string &word) {
        const bool takes_value = option.get_expected_min() > 0 && option.get_type_size() > 0;
        const std::string stem = word.substr(word.find_first_not_of('-'));
        options_.push_back((option.get_lnames().empty() || stem.size() == 1 ? "-" : "--") + stem);
        if (!takes_value || word.find('=') != std::string::npos)
            return;
        const std::string value = next_value(word, option.get_type_name());
        options_.back() += options_.back()[1] == '-' ? "=" + value : value;
    }

    // Splits -n4, -N2 and -xVAR: a value glued to a one-letter option. Returns false for other
    // words.
    bool take_glued(const std::string &word) {
        if (word.size() < 3 || word[1] == '-')
            return false;
        const std::string letter = word.substr(0, 2), value = word.substr(2);
        const bool is_number = isdigit(static_cast<unsigned char>(value[0]));
        if (word[1] != 'x' && !(is_number && (word[1] == 'n' || word[1] == 'N' || word[1] == 'c')))
            return false;
        words_.insert(words_.begin() + static_cast<ptrdiff_t>(at_), {letter, value});
        return true;
    }

    // Does what the row of another MPI's option says. Throws UsageError if it is refused.
    void take_habit(const Habit &habit, const std::string &word) {
        if (habit.action == HabitAction::Refuse)
            throw wrong(fmt::format("{}: {}", word.substr(0, word.find('=')), habit.text));
        const Words values = values_of(habit, word);
        if (habit.action == HabitAction::Translate) {
            const Words ours = translate(habit, values);
            words_.insert(words_.begin() + static_cast<ptrdiff_t>(at_), ours.begin(), ours.end());
        } else if (habit.action == HabitAction::Ignore) {
            std::string text = word;
            for (const std::string &value : values)
                if (word.find('=') == std::string::npos)
                    text += " " + value;
            notes_.push_back(fmt::format("{} ({})", text, habit.text));
        }
    }

    // Returns the values of another MPI's option. "--rank-by=slot" has its value behind the sign;
    // "-genv A=B" has two in one word.
    Words values_of(const Habit &habit, const std::string &word) {
        const size_t sign = word.find('=');
        Words values;
        if (habit.values > 0 && sign != std::string::npos)
            values.push_back(word.substr(sign + 1));
        while (static_cast<int>(values.size()) < habit.values) {
            const std::string value = next_value(word, "VALUE");
            const size_t equals = value.find('=');
            if (habit.values == 2 && values.empty() && equals != std::string::npos)
                values = {value.substr(0, equals), value.substr(equals + 1)};
            else
                values.push_back(value);
        }
        return values;
    }

    std::string next_value(const std::string &word, const std::string &type) {
        if (at_ == words_.size() || words_[at_] == ":")
            throw wrong(fmt::format("{} needs a value ({})", word, type));
        return words_[at_++];
    }

    // There --prefix names the directory of the installation. Nobody runs a directory.
    bool take_prefix_of_open_mpi(const std::string &word) {
        const bool is_separate = word == "--prefix" || word == "-prefix";
        if (!is_separate && !word.starts_with("--prefix=/"))
            return false;
        const size_t value = at_ + (is_separate ? 1 : 0);
        std::error_code error;
        if (value >= words_.size() ||
            (is_separate && !std::filesystem::is_directory(words_[value], error)))
            return false;
        notes_.push_back(fmt::format("{}{} (not needed: this installation is found anyway)", word,
                                     is_separate ? " " + words_[value] : ""));
        at_ = value + 1;
        return true;
    }

    const CLI::App &app_;
    Words words_;
    size_t at_ = 0;
    Words options_;
    Words &notes_;
};

// Returns the words of a line of a configuration file; quotes keep blanks together.
Words split_line(const std::string &line) {
    Words words;
    bool inside = false;
    char quote = 0;
    for (char c : line) {
        if (!quote && (c == ' ' || c == '\t' || c == '\r')) {
            inside = false;
            continue;
        }
        if (!inside)
            words.emplace_back();
        inside = true;
        if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else
            words.back() += c;
    }
    return words;
}

} // namespace

Words read_words(const CLI::App &app, const Words &words, Words &program, Words &notes) {
    return WordReader(app, words, notes).read(program);
}

std::vector<Words> split_at_colons(const Words &words) {
    std::vector<Words> parts(1);
    for (const std::string &word : words) {
        if (word == ":")
            parts.emplace_back();
        else
            parts.back().push_back(word);
    }
    return parts;
}

// MPI 5.0 section 11.5, form B: "Lines beginning with '#' are comments, and lines may be continued
// by terminating the partial line with '\'."
std::vector<Words> read_config_file(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        throw wrong(fmt::format("-configfile {}: {}", path, strerror(errno)));
    std::vector<Words> specifications;
    std::string line, whole;
    while (std::getline(file, line)) {
        if (whole.empty() && line.starts_with('#'))
            continue;
        if (line.ends_with('\\')) {
            whole += line.substr(0, line.size() - 1) + ' ';
            continue;
        }
        for (Words &words : split_at_colons(split_line(whole + line)))
            if (!words.empty())
                specifications.push_back(std::move(words));
        whole.clear();
    }
    return specifications;
}

} // namespace mpiexec
