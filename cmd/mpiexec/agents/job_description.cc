// Encodes a job for agents (agents/job_description.h). Both sides have the same version, which the
// greeting checks, so the fields follow one another without names. Only what an agent needs is
// sent.
#include "agents/job_description.h"

#include "server/complete_message.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

extern char **environ;

namespace mpiexec {
namespace {

constexpr double milliseconds = 1000; // of a second

using thrum::Decoder;
using thrum::Encoder;

void put_program(Encoder &encoder, const ProgramSpec &spec) {
    encoder.put_number(spec.ranks);
    encoder.put_text(spec.working_dir);
    encoder.put_text(spec.path);
    encoder.put_text(spec.front);
    encoder.put_number(spec.is_script);
    encoder.put_number(spec.is_launcher);
    encoder.put_number(spec.is_passed);
    encoder.put_texts(spec.argv);
    encoder.put_texts(spec.environment);
}

ProgramSpec take_program(Decoder &decoder) {
    ProgramSpec spec;
    spec.ranks = decoder.take_int(1);
    spec.working_dir = decoder.take_text();
    spec.path = decoder.take_text();
    spec.front = decoder.take_text();
    spec.is_script = decoder.take_bool();
    spec.is_launcher = decoder.take_bool();
    spec.is_passed = decoder.take_bool();
    spec.argv = decoder.take_texts();
    spec.environment = decoder.take_texts();
    return spec;
}

void put_place(Encoder &encoder, const RankPlace &place) {
    encoder.put_number(place.rank);
    encoder.put_text(place.host);
    encoder.put_list(place.cores, [&](int core) { encoder.put_number(core); });
    encoder.put_number(place.line);
}

RankPlace take_place(Decoder &decoder) {
    RankPlace place;
    place.rank = decoder.take_int();
    place.host = decoder.take_text();
    place.cores = decoder.take_list([&] { return decoder.take_int(); });
    place.line = decoder.take_int();
    return place;
}

using Settings = std::map<std::string, std::string>;

void put_settings(Encoder &encoder, const Settings &settings) {
    encoder.put_list(settings, [&](const auto &setting) {
        encoder.put_text(setting.first);
        encoder.put_text(setting.second);
    });
}

Settings take_settings(Decoder &decoder) {
    const auto pairs = decoder.take_list([&] {
        std::string name = decoder.take_text();
        return std::pair(std::move(name), decoder.take_text());
    });
    return {pairs.begin(), pairs.end()};
}

void put_options(Encoder &encoder, const Options &o) {
    put_settings(encoder, o.given_settings);
    put_settings(encoder, o.environment_settings);
    for (const std::string *text : {&o.bind_to, &o.map_by, &o.rank_file, &o.trace.request})
        encoder.put_text(*text);
    for (bool flag : {o.processes, o.report_bindings, o.merge_stderr})
        encoder.put_number(flag);
    encoder.put_number(o.ranks_per_process);
    encoder.put_list(o.rank_places, [&](const RankPlace &place) { put_place(encoder, place); });
    encoder.put_list(o.hosts, [&](const Host &host) {
        encoder.put_text(host.name);
        encoder.put_number(host.slots);
    });
    encoder.put_list(o.programs, [&](const ProgramSpec &spec) { put_program(encoder, spec); });
}

// Reads what put_options() has written.
Options take_options(Decoder &decoder) {
    Options o;
    o.given_settings = take_settings(decoder);
    o.environment_settings = take_settings(decoder);
    for (std::string *text : {&o.bind_to, &o.map_by, &o.rank_file, &o.trace.request})
        *text = decoder.take_text();
    for (bool *flag : {&o.processes, &o.report_bindings, &o.merge_stderr})
        *flag = decoder.take_bool();
    o.ranks_per_process = decoder.take_int(0);
    o.rank_places = decoder.take_list([&] { return take_place(decoder); });
    o.hosts = decoder.take_list([&] {
        std::string name = decoder.take_text();
        return Host{std::move(name), decoder.take_int()};
    });
    o.programs = decoder.take_list([&] { return take_program(decoder); });
    o.given_settings["launcher"] = "fork"; // the plan must have agents, even if all is on this host
    return o;
}

// Returns whether a variable describes a host or a login, and must not be carried to another.
bool belongs_to_host(const std::string &variable) {
    static const std::string names[] = {
        "HOSTNAME=",   "TMPDIR=",         "XDG_RUNTIME_DIR=", "SSH_AUTH_SOCK=",
        "SSH_CLIENT=", "SSH_CONNECTION=", "SSH_TTY="};
    return std::any_of(std::begin(names), std::end(names),
                       [&](const std::string &name) { return variable.starts_with(name); });
}

} // namespace

std::string encode(const JobDescription &job) {
    Encoder encoder;
    put_options(encoder, job.options);
    encoder.put_text(job.job_name);
    encoder.put_number(job.node);
    encoder.put_text(job.directory);
    encoder.put_number(job.file_mask);
    encoder.put_number(std::llround(job.patience_s * milliseconds));
    encoder.put_texts(job.variables);
    return encoder.text();
}

JobDescription decode_job(std::string_view text) {
    Decoder decoder(text);
    JobDescription job;
    job.options = take_options(decoder);
    job.job_name = decoder.take_text();
    job.node = decoder.take_int(0);
    job.directory = decoder.take_text();
    job.file_mask = static_cast<unsigned>(decoder.take_int(0));
    job.patience_s = static_cast<double>(decoder.take_number(0)) / milliseconds;
    job.variables = decoder.take_texts();
    require_complete(decoder);
    return job;
}

std::vector<std::string> variables_for_hosts() {
    std::vector<std::string> variables;
    for (char **e = environ; *e; ++e)
        if (!belongs_to_host(*e))
            variables.emplace_back(*e);
    return variables;
}

void take_variables_of_host(std::vector<std::string> &variables) {
    std::erase_if(variables, belongs_to_host);
    for (char **e = environ; *e; ++e)
        if (belongs_to_host(*e))
            variables.emplace_back(*e);
}

void take_variables(const std::vector<std::string> &variables) {
    std::vector<std::string> own;
    for (char **e = environ; *e; ++e)
        if (belongs_to_host(*e))
            own.emplace_back(*e);
    own.insert(own.end(), variables.begin(), variables.end());
    clearenv();
    for (const std::string &item : own)
        if (size_t equals = item.find('='); equals != std::string::npos)
            setenv(item.substr(0, equals).c_str(), item.c_str() + equals + 1, 1);
}

} // namespace mpiexec
