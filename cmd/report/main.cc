// report: writes the page of `mpiexec --report`, and compares pages (`thrum report`).
//
//   report --write DIRECTORY PAGE ENDED WORD...   from the observations of a job's processes; ENDED
//                                                 says how it has ended, WORDs what was typed
//   report [-o PAGE] A B                          the differences between two pages
#include "json.h"
#include "plan/message.h"
#include "report.h"
#include "timeline.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace report {
namespace {

using mpiexec::say;

constexpr char data_marker[] = "/*DATA*/";
constexpr char data_begin[] = "<script type=\"application/json\" id=\"data\">";
constexpr char data_end[] = "</script>";
// The data of a run begin with this; those of a comparison do not.
constexpr char report_begin[] = R"({"format":"thrum report",)";

// Returns PREFIX of PREFIX/libexec/thrum/report.
std::filesystem::path find_tree() {
    return std::filesystem::read_symlink("/proc/self/exe")
        .parent_path()
        .parent_path()
        .parent_path();
}

std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        throw std::runtime_error(path + ": " + std::strerror(errno));
    return text.str();
}

// Writes the page with these data. It appears under its name when it is whole.
void write_page(const std::string &path, const std::string &json) {
    std::string page = read_file((find_tree() / THRUM_DATA_DIR / "thrum" / "report.html").string());
    std::string data;
    for (const char c : json) // the data are inside an element, which "</script" would end
        data += c == '<' ? "\\u003c" : std::string(1, c);
    page.replace(page.find(data_marker), std::strlen(data_marker), data);
    const std::string part = path + ".part";
    std::ofstream file(part, std::ios::binary);
    file << page;
    file.close();
    if (!file || std::rename(part.c_str(), path.c_str()) != 0) {
        const int error = errno;
        std::remove(part.c_str());
        throw std::runtime_error(path + ": " + std::strerror(error));
    }
}

// Returns the data of a page.
std::string data_of(const std::string &path) {
    const std::string page = read_file(path);
    const size_t element = page.find(data_begin);
    const size_t end = element == std::string::npos ? element : page.find(data_end, element);
    const size_t begin = element + std::strlen(data_begin);
    if (end == std::string::npos ||
        page.compare(begin, std::strlen(report_begin), report_begin) != 0)
        throw std::runtime_error(path + " is not a page of mpiexec --report");
    return page.substr(begin, end - begin);
}

// Returns the command line as one would type it.
std::string joined(const std::vector<std::string> &words) {
    std::string line;
    for (const std::string &word : words) {
        const bool is_plain =
            !word.empty() && word.find_first_of(" \t\n\"'\\$&|;<>()*?") == std::string::npos;
        std::string quoted;
        for (const char c : word)
            quoted += c == '\'' ? "'\\''" : std::string(1, c);
        line += (line.empty() ? "" : " ") + (is_plain ? word : "'" + quoted + "'");
    }
    return line;
}

int write_report(const std::vector<std::string> &arguments) {
    if (arguments.size() < 3) {
        say("--write needs a directory, a page and how the job has ended");
        return 2;
    }
    const std::string symbolizer = (find_tree() / "libexec" / "thrum" / "symbolize").string();
    Report report = read_observations(arguments[0], symbolizer);
    report.timeline = read_timeline(arguments[0], symbolizer, report.sites);
    report.ended = arguments[2];
    std::vector<std::string> words(arguments.begin() + 3, arguments.end());
    if (!words.empty())
        words[0] = std::filesystem::path(words[0]).filename().string();
    report.command = joined(words);
    write_page(arguments[1], json_of(report));
    return 0;
}

constexpr char usage[] = "Usage: thrum report [-o PAGE] A.html B.html\n\n"
                         "Writes a page (difference.html) that compares two pages of mpiexec "
                         "--report: times, calls, waits and load of the two runs.\n";

int compare(const std::vector<std::string> &arguments) {
    std::string page = "difference.html";
    std::vector<std::string> runs;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "-h" || arguments[i] == "--help") {
            std::fputs(usage, stdout);
            return 0;
        }
        if (arguments[i] == "-o" && i + 1 < arguments.size())
            page = arguments[++i];
        else if (arguments[i].starts_with("-")) {
            say("unknown option {}; see thrum report --help", arguments[i]);
            return 2;
        } else
            runs.push_back(arguments[i]);
    }
    if (runs.size() != 2) {
        say("two pages to compare are needed, not {}; see thrum report --help", runs.size());
        return 2;
    }
    write_page(page, "{\"compare\":[" + data_of(runs[0]) + "," + data_of(runs[1]) + "]}");
    say("the comparison is in {}", page);
    return 0;
}

} // namespace
} // namespace report

int main(int argc, char **argv) {
    mpiexec::speaker = "thrum report";
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        if (!arguments.empty() && arguments[0] == "--write") {
            mpiexec::speaker = "mpiexec: --report";
            return report::write_report({arguments.begin() + 1, arguments.end()});
        }
        return report::compare(arguments);
    } catch (const std::exception &error) {
        mpiexec::say("{}", error.what());
        return 1;
    }
}
