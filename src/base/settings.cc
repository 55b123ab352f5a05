#include "base/settings.h"

#include "base/check.h"
#include "base/environment_variables.h"
#include "base/fabric_settings.h"
#include "base/job_settings.h"
#include "base/setting_table.h"

#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <strings.h>

namespace thrum {

constinit Settings the_settings;

namespace {

constinit FabricSettings the_fabric_settings;
constinit JobSettings the_job_settings;

// ---- Parsers of the types in settings.ini. They return false if `text` is not a value of theirs.

constexpr struct NoLimit {
    operator int() const { return INT_MAX; }

    operator size_t() const { return SIZE_MAX; }
} no_limit;

bool parse_count(const char *text, int least, int most, int &value) {
    char *end = nullptr;
    const long number = std::strtol(text, &end, 10);
    if (end == text || *end || number < least || number > most)
        return false;
    value = static_cast<int>(number);
    return true;
}

bool parse_count(const char *text, int least, int most, std::atomic<unsigned> &value) {
    int number = 0;
    if (!parse_count(text, least, most, number))
        return false;
    value.store(static_cast<unsigned>(number), std::memory_order_relaxed);
    return true;
}

bool parse_size(const char *text, size_t least, size_t most, size_t &bytes) {
    return thrum::parse_size(text, bytes) && bytes >= least && bytes <= most;
}

// An empty text leaves the default, as mpiexec's own reader does.
bool parse_seconds(const char *text, double least, double most, int &seconds) {
    double value = 0;
    if (!*text)
        return true;
    if (!thrum::parse_seconds(text, least, most, value))
        return false;
    seconds = static_cast<int>(value);
    return true;
}

bool parse_switch(const char *text, bool &value) {
    value = *text == '1';
    return (*text == '0' || *text == '1') && !text[1];
}

template <class Number>
bool parse_name(const char *text, const char *name, Number number, Number &value) {
    if (std::strcmp(text, name) != 0)
        return false;
    value = number;
    return true;
}

bool parse_choice(const char *text, std::initializer_list<const char *> words, int &position) {
    position = 0;
    for (const char *word : words) {
        if (!std::strcmp(text, word))
            return true;
        ++position;
    }
    return false;
}

// MPI 5.0 section 11.8.4 gives the names of error handlers in any case.
bool parse_word(const char *text, std::initializer_list<const char *> words, const char *&value) {
    for (const char *word : words)
        if (!::strcasecmp(text, word)) {
            value = word;
            return true;
        }
    return false;
}

bool parse_text(const char *text, const char *&value) {
    value = text;
    return true;
}

bool parse_path(const char *text, const char *&value) {
    return parse_text(text, value);
}

// Remembers where the entry is, because /proc/PID/environ shows that place to other processes.
bool parse_launch_pid(const char *text, Settings &settings) {
    the_job_settings.launch_entry = text - std::strlen("THRUM_LAUNCH_PID=");
    return parse_count(text, 0, no_limit, settings.launcher_pid);
}

// Reads decimal digits up to a ':' or the end. Returns nullptr if there are none, or if the number
// is 2^64 or more; otherwise where they end.
const char *parse_digits(const char *text, uint64_t &number) {
    const char *at = text;
    for (number = 0; *at >= '0' && *at <= '9'; ++at)
        if (__builtin_mul_overflow(number, uint64_t{10}, &number) ||
            __builtin_add_overflow(number, static_cast<uint64_t>(*at - '0'), &number))
            return nullptr;
    return at == text ? nullptr : at;
}

// SEED or SEED:CHOICES.
bool parse_seed(const char *text, Settings &settings) {
    settings.seed = text;
    settings.seeded_choices = UINT64_MAX;
    const char *end = parse_digits(text, settings.seed_number);
    if (end && *end == ':')
        end = parse_digits(end + 1, settings.seeded_choices);
    return end && !*end;
}

constexpr Setting table[] = {
#include "base/settings.inc"
};

} // namespace

std::span<const Setting> setting_table() {
    return table;
}

const Setting &find_setting(std::string_view name) {
    for (const Setting &setting : table)
        if (setting.name == name)
            return setting;
    die(1, "settings.ini has no setting \"%.*s\"", static_cast<int>(name.size()), name.data());
}

void read_settings(const char *const *environment) {
    for (const Setting &setting : table)
        if (const char *text = find_variable(environment, setting.variable);
            text && setting.reader == Setting::Reader::Library && !setting.parse(text))
            die(2, "%s=%s: expected %s", setting.variable, text, setting.expected);
}

const FabricSettings &fabric_settings() {
    return the_fabric_settings;
}

const JobSettings &job_settings() {
    return the_job_settings;
}

void set_spawn(bool may_spawn) {
    the_settings.spawn = may_spawn;
}

} // namespace thrum
