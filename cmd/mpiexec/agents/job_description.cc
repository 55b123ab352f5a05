#include "agents/job_description.h"

#include "server/parcel.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

extern char **environ;

namespace mpiexec {
namespace {

void put_program(Parcel &parcel, const ProgramSpec &spec) {
    parcel.put(spec.ranks);
    parcel.put(spec.working_dir);
    parcel.put(spec.path);
    parcel.put(spec.is_script);
    parcel.put(spec.is_launcher);
    parcel.put(spec.is_passed);
    parcel.put_list(spec.argv, [&](const std::string &word) { parcel.put(word); });
    parcel.put_list(spec.environment, [&](const std::string &item) { parcel.put(item); });
}

ProgramSpec take_program(Parcel &parcel) {
    ProgramSpec spec;
    spec.ranks = static_cast<int>(parcel.take_number());
    spec.working_dir = parcel.take();
    spec.path = parcel.take();
    spec.is_script = parcel.take_number() != 0;
    spec.is_launcher = parcel.take_number() != 0;
    spec.is_passed = parcel.take_number() != 0;
    spec.argv = parcel.take_list([&] { return parcel.take(); });
    spec.environment = parcel.take_list([&] { return parcel.take(); });
    return spec;
}

void put_place(Parcel &parcel, const RankPlace &place) {
    parcel.put(place.rank);
    parcel.put(place.host);
    parcel.put_list(place.cores, [&](int core) { parcel.put(core); });
    parcel.put(place.line);
}

RankPlace take_place(Parcel &parcel) {
    RankPlace place;
    place.rank = static_cast<int>(parcel.take_number());
    place.host = parcel.take();
    place.cores = parcel.take_list([&] { return static_cast<int>(parcel.take_number()); });
    place.line = static_cast<int>(parcel.take_number());
    return place;
}

using Settings = std::map<std::string, std::string>;

void put_settings(Parcel &parcel, const Settings &settings) {
    parcel.put(static_cast<int64_t>(settings.size()));
    for (const auto &[name, value] : settings) {
        parcel.put(name);
        parcel.put(value);
    }
}

Settings take_settings(Parcel &parcel) {
    Settings settings;
    for (int64_t left = parcel.take_number(); left > 0; --left) {
        std::string name = parcel.take();
        settings[name] = parcel.take();
    }
    return settings;
}

void put_options(Parcel &parcel, const Options &o) {
    put_settings(parcel, o.given_settings);
    put_settings(parcel, o.environment_settings);
    for (const std::string *text : {&o.bind_to, &o.map_by, &o.rank_file})
        parcel.put(*text);
    for (int number :
         {int{o.processes}, int{o.report_bindings}, int{o.merge_stderr}, o.ranks_per_process})
        parcel.put(number);
    parcel.put_list(o.rank_places, [&](const RankPlace &place) { put_place(parcel, place); });
    parcel.put_list(o.hosts, [&](const Host &host) {
        parcel.put(host.name);
        parcel.put(host.slots);
    });
    parcel.put_list(o.programs, [&](const ProgramSpec &spec) { put_program(parcel, spec); });
}

Options take_options(Parcel &parcel) {
    Options o;
    o.given_settings = take_settings(parcel);
    o.environment_settings = take_settings(parcel);
    for (std::string *text : {&o.bind_to, &o.map_by, &o.rank_file})
        *text = parcel.take();
    for (bool *flag : {&o.processes, &o.report_bindings, &o.merge_stderr})
        *flag = parcel.take_number();
    o.ranks_per_process = static_cast<int>(parcel.take_number());
    o.rank_places = parcel.take_list([&] { return take_place(parcel); });
    o.hosts = parcel.take_list([&] {
        std::string name = parcel.take();
        return Host{std::move(name), static_cast<int>(parcel.take_number())};
    });
    o.programs = parcel.take_list([&] { return take_program(parcel); });
    o.given_settings["launcher"] = "fork"; // wherever we are: somebody has started agents
    return o;
}

bool belongs_to_host(const std::string &variable) {
    static const std::string names[] = {
        "HOSTNAME=",   "TMPDIR=",         "XDG_RUNTIME_DIR=", "SSH_AUTH_SOCK=",
        "SSH_CLIENT=", "SSH_CONNECTION=", "SSH_TTY="};
    return std::any_of(std::begin(names), std::end(names),
                       [&](const std::string &name) { return variable.starts_with(name); });
}

} // namespace

std::string encode(const JobDescription &job) {
    Parcel parcel;
    put_options(parcel, job.options);
    parcel.put(job.job_name);
    parcel.put(job.node);
    parcel.put(job.directory);
    parcel.put(int64_t{job.file_mask});
    parcel.put(std::to_string(job.patience_s));
    parcel.put_list(job.variables, [&](const std::string &variable) { parcel.put(variable); });
    return parcel.text();
}

JobDescription decode_job(std::string text) {
    Parcel parcel(std::move(text));
    JobDescription job;
    job.options = take_options(parcel);
    job.job_name = parcel.take();
    job.node = static_cast<int>(parcel.take_number());
    job.directory = parcel.take();
    job.file_mask = static_cast<unsigned>(parcel.take_number());
    job.patience_s = std::stod(parcel.take());
    job.variables = parcel.take_list([&] { return parcel.take(); });
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
