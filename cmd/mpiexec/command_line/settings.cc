// Declares and reads settings (command_line/settings.h).
#include "command_line/settings.h"

#include "plan/usage_error.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <string_view>
#include <thread>

namespace mpiexec {
namespace {

using thrum::Setting;

// Translates two words of MPICH for the size of the universe: what the machine can take, and no
// limit.
std::string universe_size(const std::string &text) {
    if (text == "SYSTEM")
        return std::to_string(std::max(1u, std::thread::hardware_concurrency()));
    return text == "INFINITE" ? "" : text;
}

// Returns the form in which the library gets `text`, the value that `source` (an option or a
// variable) has. Paths become absolute, because ranks may have other directories. Throws
// UsageError.
std::string checked(const Setting &setting, const std::string &source, const std::string &text) {
    using namespace std::string_view_literals;
    const std::string value = setting.name == "universe_size"sv ? universe_size(text) : text;
    if ((!value.empty() || text.empty()) && !setting.parse(value.c_str()))
        throw UsageError(2, fmt::format("{}{}: expected {}", source, text, setting.expected));
    return setting.is_path && !value.empty() ? std::filesystem::absolute(value).string() : value;
}

// Returns the description as a line of the help text: "Bytes of ..., such as 64M." begins in lower
// case, has no full stop, and ends with the default.
std::string line_of_help(const Setting &setting) {
    std::string text = setting.description;
    if (text.ends_with('.'))
        text.pop_back();
    if (text.size() > 1 && !std::isupper(static_cast<unsigned char>(text[1])))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    const std::string_view usual = setting.default_text;
    if (*setting.metavar && usual != "not set")
        text += fmt::format("; default: {}", usual);
    return text;
}

} // namespace

void declare_settings(CLI::App &app, Options &options) {
    for (const Setting &setting : thrum::setting_table()) {
        if (!*setting.option)
            continue;
        auto take = [&](const std::string &text) {
            options.given_settings[setting.name] =
                checked(setting, fmt::format("{} ", setting.option), text);
        };
        const std::string help = line_of_help(setting);
        if (*setting.metavar)
            app.add_option_function<std::string>(setting.option, take, help)
                ->type_name(setting.metavar)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        else
            // "--check" or "--check=off": CLI11 calls the value of a flag that has none "true".
            app.add_flag(setting.option, help)->each([take, &setting](const std::string &text) {
                take(text == "true" ? setting.sets : text);
            });
    }
}

void read_environment_settings(Options &options) {
    for (const Setting &setting : thrum::setting_table()) {
        const char *text = *setting.option && !options.is_given(setting.name)
                               ? std::getenv(setting.variable)
                               : nullptr;
        if (text)
            options.environment_settings[setting.name] =
                checked(setting, fmt::format("{}=", setting.variable), text);
    }
}

std::string list_of_variables() {
    std::string list, line;
    for (const Setting &setting : thrum::setting_table()) {
        if (!setting.is_for_users())
            continue;
        const std::string item = fmt::format(" {}", setting.variable);
        if (line.size() + item.size() > 98) {
            list += line + "\n";
            line.clear();
        }
        line += (line.empty() ? " " : "") + item;
    }
    return list + line + "\n";
}

} // namespace mpiexec
