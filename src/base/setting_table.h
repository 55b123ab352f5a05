// The table of settings (settings.ini) at run time: their names, descriptions and parsers. mpiexec
// makes its options from it; the library reads its environment with it.
#pragma once
#include <span>
#include <string_view>

namespace thrum {

struct Setting {
    enum class Scope { User, Job, Internal, Test }; // settings.ini says what these mean
    enum class Reader { Library, Mpiexec, Wrapper };

    const char *name;         // "stack"
    const char *variable;     // "THRUM_STACK"
    const char *option;       // of mpiexec: "--stack"; "": none
    const char *metavar;      // what the help calls the option's value; "": it takes none
    const char *sets;         // the value that an option without one sets
    const char *description;  // sentences
    const char *default_text; // for readers
    const char *expected;     // "a whole number of at least 1"
    Scope scope;
    Reader reader;
    bool is_path;
    // Stores the value of `text` in settings(), fabric_settings() or job_settings(), if it is the
    // library's. Returns false, perhaps with a part of it stored, if it is not valid.
    bool (*parse)(const char *text);

    bool is_for_users() const { return scope == Scope::User || scope == Scope::Job; }
};

std::span<const Setting> setting_table();

// The setting must exist.
const Setting &find_setting(std::string_view name);

} // namespace thrum
