// Looks for misspelled variables (command_line/variables.h). Those of tests (THRUM_TEST_...) are
// ignored.
#include "command_line/variables.h"

#include "base/setting_table.h"
#include "command_line/suggest.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>

namespace mpiexec {
namespace {

constexpr std::string_view ours = "THRUM_";

// Returns the variables of all settings, without THRUM_.
std::vector<std::string> known_suffixes() {
    std::vector<std::string> suffixes;
    for (const thrum::Setting &setting : thrum::setting_table())
        suffixes.emplace_back(std::string_view(setting.variable).substr(ours.size()));
    return suffixes;
}

} // namespace

std::vector<std::string> misspelled_variables(const char *const *environment) {
    const std::vector<std::string> known = known_suffixes();
    std::vector<std::string> sentences;
    for (; *environment; ++environment) {
        const std::string_view variable = *environment;
        const std::string name(variable.substr(0, variable.find('=')));
        if (!name.starts_with(ours) || name.starts_with("THRUM_TEST_"))
            continue;
        const std::string suffix = name.substr(ours.size());
        if (std::find(known.begin(), known.end(), suffix) != known.end())
            continue;
        if (const std::string closest = closest_option(suffix, known); !closest.empty())
            sentences.push_back(fmt::format(
                "warning: {} is not a variable of Thrum; did you mean {}{}?", name, ours, closest));
    }
    return sentences;
}

} // namespace mpiexec
