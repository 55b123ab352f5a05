// Settings: what mpiexec, or the user through the environment, requests from the library. The
// library's constructor reads them once, from the environment that the kernel has given to the
// process.
//
// settings.ini has a section for each, of which base/setting_fields.h is generated: the members,
// with their environment variables and defaults.
#pragma once
#include "base/setting_fields.h"

#include <cstdint>

namespace thrum {

struct Settings : SettingFields {
    static constexpr int stdin_of_none = -1, stdin_of_all = -2; // values of stdin_rank
    // Values of `check`: the positions of its words in settings.ini.
    static constexpr int check_warns = 0, check_is_strict = 1, check_is_off = 2, check_fails = 3;

    // What `seed` says, unless it is nullptr: the number, and how many choices follow it.
    uint64_t seed_number = 0, seeded_choices = 0;

    // Returns whether uses that the standard forbids are errors.
    bool is_strict() const { return check == check_is_strict || check == check_fails; }

    // Returns whether objects that are never freed are reported.
    bool finds_leaks() const { return check != check_is_off; }

    // Returns whether this process turns into ranks. A single rank with ordinary output needs
    // nothing of that and remains an ordinary process.
    bool takes_over() const {
        return ranks > 1 || prefix || output_dir || stdin_rank != 0 || spawn == 1;
    }
};

// mpiexec also sets LD_BIND_NOW and puts the library first in LD_PRELOAD. Ranks and their children
// must see neither these nor the settings of one job (hide_job_variables() in start_export.cc).

extern constinit Settings the_settings; // for settings() and settings.cc

inline const Settings &settings() {
    return the_settings;
}

// Fills settings(), fabric_settings() and job_settings() from `environment`. An invalid value ends
// the process with a message that names the variable and its value. Works before the C library is
// initialised.
void read_settings(const char *const *environment);
// Decides whether the job may get more ranks, if the environment does not say so.
void set_spawn(bool may_spawn);

} // namespace thrum
