#include "places.h"

#include "function_names.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace observation {
namespace {

// Runs the program with the contents of a file as its input; returns its output, or "" if it fails.
// The input is a file, because a program that writes before it has read all would block a pipe.
std::string output_of(const std::string &program, const std::string &input) {
    char name[] = "/tmp/thrum-places-XXXXXX";
    const int file = ::mkstemp(name);
    if (file < 0)
        return "";
    ::unlink(name);
    if (::write(file, input.data(), input.size()) != static_cast<ssize_t>(input.size()) ||
        ::lseek(file, 0, SEEK_SET) != 0) {
        ::close(file);
        return "";
    }
    int ends[2];
    if (::pipe(ends) != 0) {
        ::close(file);
        return "";
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(file, STDIN_FILENO);
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::execl(program.c_str(), program.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(file);
    ::close(ends[1]);
    std::string output;
    char buffer[65536];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        output.append(buffer, static_cast<size_t>(n));
    ::close(ends[0]);
    int status = 0;
    if (child > 0)
        ::waitpid(child, &status, 0);
    return output;
}

// Parses "function \t file:line \t inlined"; "??" stands for what is unknown.
void parse_answer(const std::string &answer, Site &site) {
    std::istringstream fields(answer);
    std::string function, place;
    std::getline(fields, function, '\t');
    std::getline(fields, place, '\t');
    if (function != "??")
        site.in = function;
    const size_t colon = place.rfind(':');
    if (place == "??" || colon == std::string::npos)
        return;
    site.file = place.substr(0, colon);
    site.line = std::atoi(place.c_str() + colon + 1);
}

} // namespace

Site site_of_script(const std::string &text) {
    Site site;
    const size_t in = text.find(" in ");
    const std::string place = text.substr(0, in);
    const size_t colon = place.rfind(':');
    site.file = place.substr(0, colon);
    if (colon != std::string::npos)
        site.line = std::atoi(place.c_str() + colon + 1);
    if (in != std::string::npos)
        site.in = text.substr(in + 4);
    return site;
}

std::vector<Site> named_places(const std::vector<ObjectPlace> &places,
                               const std::string &symbolizer) {
    std::vector<Site> sites;
    std::string questions;
    for (const ObjectPlace &place : places) {
        Site site;
        site.file =
            place.path.empty()
                ? fmt::format("{:#x}", place.offset)
                : fmt::format("{}+{:#x}", std::filesystem::path(place.path).filename().string(),
                              place.offset);
        sites.push_back(site);
        if (!place.path.empty())
            questions += fmt::format("{} {:x}\n", place.path, place.offset);
    }
    if (questions.empty())
        return sites;
    std::istringstream answers(output_of(symbolizer, questions));
    for (size_t i = 0; i < places.size(); ++i) {
        std::string answer;
        if (!places[i].path.empty() && std::getline(answers, answer))
            parse_answer(answer, sites[i]);
    }
    return sites;
}

std::unordered_map<uint32_t, Site> read_sites(const Mapping &mapping,
                                              const std::string &symbolizer) {
    std::vector<const observe::Place *> places;
    std::vector<ObjectPlace> asked;
    // acquire [observe-2]: the places are complete.
    observe::Offset offset = mapping.observation().newest_place.load(std::memory_order_acquire);
    while (const auto *place = mapping.at<observe::Place>(offset)) {
        places.push_back(place);
        const bool is_script = place->offset == observe::line_of_script;
        asked.push_back({is_script ? "" : mapping.text(place->path), place->offset});
        offset = place->next;
    }
    const std::vector<Site> named = named_places(asked, symbolizer);
    std::unordered_map<uint32_t, Site> sites;
    for (size_t i = 0; i < places.size(); ++i) {
        Site site = asked[i].offset == observe::line_of_script
                        ? site_of_script(mapping.text(places[i]->path))
                        : named[i];
        site.function = function_name(places[i]->function);
        sites[places[i]->number] = std::move(site);
    }
    return sites;
}

} // namespace observation
