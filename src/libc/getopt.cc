// The three getopt functions (libc/getopt.h). The behaviour is that documented for POSIX and glibc:
// permutation of operands, "+" and "-" and ":" at the head of the short options, abbreviated long
// options, "W;".
//
// With permutation, the words before optind are options and a block of operands that have been
// skipped. When options follow the block, it is rotated behind them. At the end all operands are
// behind all options, and optind is set to the first.
#include "libc/getopt.h"

#include <algorithm>
#include <cstring>
#include <getopt.h>

namespace thrum {
namespace {

using Ordering = GetoptPosition::Ordering;
constexpr int operand_code = 1; // the result for an operand with "-" at the head

// One call of a getopt function.
class Parser {
public:
    Parser(GetoptPosition &position, const GetoptVariables &variables, const GetoptCall &call,
           int argc, char **argv)
        : position_(position), optarg_(*variables.optarg), optind_(*variables.optind),
          optopt_(position.unknown), call_(call), argc_(argc), argv_(argv),
          short_options_(call.short_options) {
        speaks_ = *variables.opterr != 0;
    }

    int next();

private:
    void start();
    int next_word(bool &is_option);
    void move_operands_behind_options();

    bool is_operand(int index) const { return argv_[index][0] != '-' || argv_[index][1] == '\0'; }

    // Whether a missing argument is reported as ':' instead of '?'. `short_options_` is behind "+"
    // or "-".
    bool missing_is_colon() const { return short_options_[0] == ':'; }

    int next_short();
    int short_argument(char letter);
    int find_long(char *name, const char *prefix, bool &is_long);
    const option *match_long(const char *name, size_t length, bool &ambiguous) const;
    int take_long(const option &found, char *after_name, const char *prefix);
    void report_ambiguous(const char *name, size_t length, const char *prefix) const;

    // Prints a message as one line of the rank, unless opterr is 0 or the short options begin with
    // ':'.
    template <class... Values>
    void say(const char *format, Values... values) const {
        if (!speaks_)
            return;
        flockfile(call_.err);
        std::fprintf(call_.err, "%s: ", argv_[0]);
        std::fprintf(call_.err, format, values...);
        putc_unlocked('\n', call_.err);
        funlockfile(call_.err);
    }

    GetoptPosition &position_;
    char *&optarg_;
    int &optind_;
    int &optopt_;
    const GetoptCall &call_;
    int argc_;
    char **argv_;
    const char *short_options_;
    bool speaks_;
};

// Reads the head of the short options, on the first call and when the program has set optind to 0.
void Parser::start() {
    if (optind_ == 0)
        optind_ = 1;
    position_.first_operand = position_.last_operand = optind_;
    position_.cluster = nullptr;
    if (short_options_[0] == '-')
        position_.ordering = Ordering::ReturnInOrder;
    else if (short_options_[0] == '+' || call_.posixly_correct)
        position_.ordering = Ordering::RequireOrder;
    else
        position_.ordering = Ordering::Permute;
    position_.started = true;
}

// Exchanges the operands [first, last) with the options [last, optind).
void Parser::move_operands_behind_options() {
    std::rotate(argv_ + position_.first_operand, argv_ + position_.last_operand, argv_ + optind_);
    position_.first_operand += optind_ - position_.last_operand;
    position_.last_operand = optind_;
}

// Advances optind to the next word that is an option and sets `is_option`. Otherwise returns what
// getopt returns: -1 at the end, or `operand_code`.
int Parser::next_word(bool &is_option) {
    is_option = false;
    // The program may have moved optind back.
    position_.last_operand = std::min(position_.last_operand, optind_);
    position_.first_operand = std::min(position_.first_operand, optind_);
    if (position_.ordering == Ordering::Permute) {
        if (position_.first_operand != position_.last_operand && position_.last_operand != optind_)
            move_operands_behind_options();
        else if (position_.last_operand != optind_)
            position_.first_operand = optind_;
        while (optind_ < argc_ && is_operand(optind_))
            ++optind_;
        position_.last_operand = optind_;
    }
    if (optind_ != argc_ && !std::strcmp(argv_[optind_], "--")) {
        ++optind_;
        if (position_.first_operand != position_.last_operand && position_.last_operand != optind_)
            move_operands_behind_options();
        else if (position_.first_operand == position_.last_operand)
            position_.first_operand = optind_;
        position_.last_operand = argc_;
        optind_ = argc_;
    }
    if (optind_ == argc_) {
        if (position_.first_operand != position_.last_operand)
            optind_ = position_.first_operand; // the program finds the operands here
        return -1;
    }
    if (is_operand(optind_)) {
        if (position_.ordering == Ordering::RequireOrder)
            return -1;
        optarg_ = argv_[optind_++];
        return operand_code;
    }
    is_option = true;
    return 0;
}

// Returns the result of the call. A cluster that an earlier call has begun comes before the next
// word.
int Parser::next() {
    if (argc_ < 1)
        return -1;
    optarg_ = nullptr;
    if (optind_ == 0 || !position_.started)
        start();
    if (short_options_[0] == '-' || short_options_[0] == '+')
        ++short_options_;
    if (missing_is_colon())
        speaks_ = false;
    if (position_.cluster && *position_.cluster)
        return next_short();

    bool is_option = false;
    int result = next_word(is_option);
    if (!is_option)
        return result;
    char *word = argv_[optind_];
    if (call_.long_options) {
        bool is_long = true;
        if (word[1] == '-')
            return find_long(word + 2, "--", is_long);
        // With long_only "-x" is short only if it is one letter and a short option.
        if (call_.long_only && (word[2] || !std::strchr(short_options_, word[1]))) {
            result = find_long(word + 1, "-", is_long);
            if (is_long)
                return result;
        }
    }
    position_.cluster = word + 1;
    return next_short();
}

// Takes the next letter of the cluster, with its argument if it has one. optind moves on with the
// last letter of a word.
int Parser::next_short() {
    char letter = *position_.cluster++;
    const char *entry = std::strchr(short_options_, letter);
    if (*position_.cluster == '\0')
        ++optind_;
    if (!entry || letter == ':' || letter == ';') {
        say("invalid option -- '%c'", letter);
        optopt_ = letter;
        return '?';
    }
    if (entry[0] == 'W' && entry[1] == ';' && call_.long_options) { // "-W foo" is "--foo"
        if (*position_.cluster != '\0') {
            optarg_ = position_.cluster;
        } else if (optind_ == argc_) {
            say("option requires an argument -- '%c'", letter);
            optopt_ = letter;
            return missing_is_colon() ? ':' : '?';
        } else {
            optarg_ = argv_[optind_];
        }
        char *name = optarg_;
        position_.cluster = nullptr;
        optarg_ = nullptr;
        bool is_long = true;
        return find_long(name, "-W ", is_long);
    }
    if (entry[1] != ':')
        return letter;
    if (entry[2] == ':') { // optional: only in the same word
        if (*position_.cluster != '\0') {
            optarg_ = position_.cluster;
            ++optind_;
        }
        position_.cluster = nullptr;
        return letter;
    }
    return short_argument(letter);
}

// Takes the required argument of a short option: the rest of the word, or the next word.
int Parser::short_argument(char letter) {
    int result = letter;
    if (*position_.cluster != '\0') {
        optarg_ = position_.cluster;
        ++optind_;
    } else if (optind_ == argc_) {
        say("option requires an argument -- '%c'", letter);
        optopt_ = letter;
        result = missing_is_colon() ? ':' : '?';
    } else {
        optarg_ = argv_[optind_++];
    }
    position_.cluster = nullptr;
    return result;
}

// Returns the option that the first `length` bytes of `name` mean: an exact match, or the only
// abbreviation. Abbreviations of options that do the same are not ambiguous, except with long_only.
const option *Parser::match_long(const char *name, size_t length, bool &ambiguous) const {
    const option *found = nullptr;
    ambiguous = false;
    for (const option *o = call_.long_options; o->name; ++o)
        if (!std::strncmp(o->name, name, length) && std::strlen(o->name) == length)
            return o;
    for (const option *o = call_.long_options; o->name; ++o) {
        if (std::strncmp(o->name, name, length) != 0)
            continue;
        if (!found)
            found = o;
        else if (call_.long_only || found->has_arg != o->has_arg || found->flag != o->flag ||
                 found->val != o->val)
            ambiguous = true;
    }
    return found;
}

void Parser::report_ambiguous(const char *name, size_t length, const char *prefix) const {
    if (!speaks_)
        return;
    flockfile(call_.err);
    std::fprintf(call_.err, "%s: option '%s%s' is ambiguous; possibilities:", argv_[0], prefix,
                 name);
    for (const option *o = call_.long_options; o->name; ++o)
        if (!std::strncmp(o->name, name, length))
            std::fprintf(call_.err, " '%s%s'", prefix, o->name);
    putc_unlocked('\n', call_.err);
    funlockfile(call_.err);
}

// Returns the result for a long option `name`, which may end with "=argument". `prefix` is what
// precedes it, for messages. Clears `is_long` if the word must be read as short options.
int Parser::find_long(char *name, const char *prefix, bool &is_long) {
    size_t length = std::strcspn(name, "=");
    bool ambiguous = false;
    const option *found = match_long(name, length, ambiguous);
    if (ambiguous) {
        report_ambiguous(name, length, prefix);
        position_.cluster = nullptr;
        ++optind_;
        optopt_ = 0;
        return '?';
    }
    if (!found) {
        // With long_only a word that is not a long option may be a cluster of short ones.
        if (call_.long_only && argv_[optind_][1] != '-' && std::strchr(short_options_, *name)) {
            is_long = false;
            return -1; // what the caller returns after "-W"
        }
        say("unrecognized option '%s%s'", prefix, name);
        position_.cluster = nullptr;
        ++optind_;
        optopt_ = 0;
        return '?';
    }
    return take_long(*found, name + length, prefix);
}

// Takes the argument of a long option that was found and returns getopt's result for it.
// `after_name` points to "=argument" or the end of the word.
int Parser::take_long(const option &found, char *after_name, const char *prefix) {
    position_.cluster = nullptr;
    ++optind_;
    if (*after_name) {
        if (!found.has_arg) {
            say("option '%s%s' doesn't allow an argument", prefix, found.name);
            optopt_ = found.val;
            return '?';
        }
        optarg_ = after_name + 1;
    } else if (found.has_arg == required_argument) {
        if (optind_ >= argc_) {
            say("option '%s%s' requires an argument", prefix, found.name);
            optopt_ = found.val;
            return missing_is_colon() ? ':' : '?';
        }
        optarg_ = argv_[optind_++];
    }
    if (call_.long_index)
        *call_.long_index = static_cast<int>(&found - call_.long_options);
    if (found.flag) {
        *found.flag = found.val;
        return 0;
    }
    return found.val;
}

} // namespace

int parse_option(GetoptPosition &position, const GetoptVariables &variables, const GetoptCall &call,
                 int argc, char **argv) {
    int result = Parser(position, variables, call, argc, argv).next();
    *variables.optopt = position.unknown;
    return result;
}

} // namespace thrum
