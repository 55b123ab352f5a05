// The library lists offsets and addresses in thrum_debug_facts (entry/debugger_facts.cc), for
// debuggers and for this.
#include "job_without_observations.h"

#include "observation/function_names.h"
#include "running_process.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fmt/core.h>
#include <fstream>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace live {
namespace {

constexpr int facts_max = 256, objects_max = 4096;
constexpr uint64_t ranks_max = 10'000'000;

uint64_t field(const std::vector<char> &bytes, size_t offset, size_t size_bytes) {
    uint64_t number = 0;
    if (offset + size_bytes <= bytes.size())
        std::memcpy(&number, bytes.data() + offset, size_bytes);
    return number;
}

// Reads from a file at an offset; empty if it is shorter.
template <class T>
std::vector<T> read_array(std::ifstream &file, uint64_t offset, size_t count) {
    std::vector<T> array(count);
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char *>(array.data()),
              static_cast<std::streamsize>(count * sizeof(T)));
    return file ? array : std::vector<T>();
}

// Returns the address of a dynamic symbol as the file numbers it; 0: it has none.
uint64_t symbol_in(const std::string &path, const char *name) {
    std::ifstream file(path, std::ios::binary);
    const auto header = read_array<Elf64_Ehdr>(file, 0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0)
        return 0;
    const auto sections = read_array<Elf64_Shdr>(file, header[0].e_shoff, header[0].e_shnum);
    for (const Elf64_Shdr &section : sections) {
        if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size())
            continue;
        const Elf64_Shdr &strings = sections[section.sh_link];
        const auto names = read_array<char>(file, strings.sh_offset, strings.sh_size);
        for (const Elf64_Sym &symbol :
             read_array<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
            if (symbol.st_name < names.size() && !std::strcmp(names.data() + symbol.st_name, name))
                return symbol.st_value;
    }
    return 0;
}

// Returns the difference between an address in a mapped file and that in the file itself.
uint64_t bias_of(const std::string &path, uint64_t begin) {
    std::ifstream file(path, std::ios::binary);
    const auto header = read_array<Elf64_Ehdr>(file, 0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0)
        return begin;
    for (const Elf64_Phdr &part :
         read_array<Elf64_Phdr>(file, header[0].e_phoff, header[0].e_phnum))
        if (part.p_type == PT_LOAD && part.p_offset == 0)
            return begin - part.p_vaddr;
    return begin;
}

} // namespace

// The memory of one process.
class JobWithoutObservations::Process {
public:
    // Throws std::runtime_error if its library is of another version.
    explicit Process(pid_t pid) : process_(pid) {
        for (const MappedFile &file : mapped_files(pid)) {
            if (!is_library(file.path) || file.offset != 0)
                continue;
            const uint64_t symbol = symbol_in(file.path, "thrum_debug_facts");
            if (symbol == 0)
                throw std::runtime_error(fmt::format(
                    "{} is of another version: it has no thrum_debug_facts", file.path));
            facts_address_ = bias_of(file.path, file.begin) + symbol;
        }
    }

    // Returns whether it has made its ranks. Before, its library may not be relocated, and only
    // some facts be there.
    bool has_ranks() {
        if (has_ranks_)
            return true;
        read_facts();
        const auto table = facts_.find("rank_table"), ranks = facts_.find("rank_table.ranks");
        if (table == facts_.end() || ranks == facts_.end() ||
            word(table->second + ranks->second) == 0)
            return false;
        read_facts();
        return has_ranks_ = true;
    }

    pid_t pid() const { return process_.id(); }

    uint64_t fact(const char *name) const {
        const auto found = facts_.find(name);
        if (found == facts_.end())
            throw std::runtime_error(fmt::format(
                "the library of process {} is of another version: it has no {}", pid(), name));
        return found->second;
    }

    // Returns the bytes at an address; empty if they cannot be read.
    std::vector<char> read(uint64_t address, size_t size_bytes) const {
        return read_memory(pid(), address, size_bytes);
    }

    uint64_t word(uint64_t address) const { return field(read(address, 8), 0, 8); }

    std::string text(uint64_t address) const { return read_text(pid(), address); }

    bool has_ended() const { return !process_.is_alive(); }

    // Finds the place of a call of a rank with this image: the path of the object and the address
    // there.
    std::pair<std::string, uint64_t> place_of(uint64_t image, uint64_t address);

private:
    struct Object {
        std::string path;
        uint64_t bias, low, high, number, program;
    };

    void read_facts() {
        uint64_t address = facts_address_;
        for (int i = 0; i < facts_max; ++i, address += 16) {
            const std::vector<char> fact = read(address, 16);
            if (fact.size() < 16 || field(fact, 0, 8) == 0)
                return;
            facts_[text(field(fact, 0, 8))] = field(fact, 8, 8);
        }
    }

    void find_objects();

    RunningProcess process_;
    uint64_t facts_address_ = 0;
    bool has_ranks_ = false;
    std::unordered_map<std::string, uint64_t> facts_;
    std::vector<Object> objects_;                   // private ones
    std::unordered_map<uint64_t, uint64_t> deltas_; // by the address of the word
};

void JobWithoutObservations::Process::find_objects() {
    uint64_t at = word(fact("debugged_objects"));
    for (int i = 0; at && i < objects_max; ++i, at += fact("debugged_object_bytes")) {
        const std::vector<char> bytes = read(at, 48);
        if (bytes.size() < 48 || field(bytes, 0, 8) == 0)
            return;
        objects_.push_back({text(field(bytes, 0, 8)), field(bytes, 8, 8), field(bytes, 16, 8),
                            field(bytes, 24, 8), field(bytes, 32, 8), field(bytes, 40, 8)});
    }
}

std::pair<std::string, uint64_t> JobWithoutObservations::Process::place_of(uint64_t image,
                                                                           uint64_t address) {
    if (objects_.empty())
        find_objects();
    const uint64_t program = image ? word(image + fact("image.program")) : 0;
    const uint64_t deltas = image ? word(image + fact("image.deltas")) : 0;
    for (const Object &object : objects_) {
        if (image && object.program != program)
            continue;
        uint64_t delta = 0;
        if (image) {
            const uint64_t at = deltas + 8 * object.number;
            const auto [known, is_new] = deltas_.try_emplace(at, 0);
            if (is_new)
                known->second = word(at);
            delta = known->second;
        }
        if (address >= object.low + delta && address < object.high + delta)
            return {object.path, address - delta - object.bias};
    }
    const std::vector<MappedFile> files = mapped_files(pid());
    const auto part = std::ranges::find_if(
        files, [&](const MappedFile &file) { return address >= file.begin && address < file.end; });
    if (part != files.end())
        for (const MappedFile &file : files)
            if (file.path == part->path && file.offset == 0)
                return {file.path, address - bias_of(file.path, file.begin)};
    return {"", address};
}

JobWithoutObservations::JobWithoutObservations(pid_t pid, const FoundJob &job)
    : pid_(pid), symbolizer_(find_symbolizer()) {
    add_processes(job);
}

void JobWithoutObservations::add_processes(const FoundJob &job) {
    for (const pid_t pid : job.processes)
        processes_.push_back(std::make_unique<Process>(pid));
}

// A script may run several programs, one after the other, itself a process of the job.
void JobWithoutObservations::find_next_program() {
    try {
        const FoundJob job = find_job(pid_);
        processes_.clear();
        add_processes(job);
    } catch (const std::runtime_error &) {
        return; // there is none, or not yet
    }
}

JobWithoutObservations::~JobWithoutObservations() = default;

bool JobWithoutObservations::has_ended() const {
    return std::ranges::all_of(processes_,
                               [](const auto &process) { return process->has_ended(); });
}

// A call returns to behind the instruction that calls, which may be on the next line.
int JobWithoutObservations::site_of(Process &process, uint64_t image, uint32_t function,
                                    uint64_t address) {
    std::pair<std::string, uint64_t> place = process.place_of(image, address - 1);
    const std::string name = observation::function_name(function);
    const std::pair key{name + '\n' + place.first, place.second};
    const auto known = site_of_place_.find(key);
    if (known != site_of_place_.end())
        return known->second;
    Site site = observation::named_places({{place.first, place.second}}, symbolizer_)[0];
    site.function = name;
    const auto same = std::ranges::find(sites_, site);
    const int number = static_cast<int>(same - sites_.begin());
    if (same == sites_.end())
        sites_.push_back(std::move(site));
    site_of_place_[key] = number;
    return number;
}

// Reads a rank of the table, whose bytes begin at `begin`.
void JobWithoutObservations::read_rank(Process &process, const std::vector<char> &table,
                                       size_t begin, View &view) {
    const auto read = [&](const char *fact, size_t size_bytes) {
        return field(table, begin + process.fact(fact), size_bytes);
    };
    const uint64_t number = read("rank.world_rank", 4);
    if (number >= ranks_max)
        return;
    view.ranks.resize(std::max<size_t>(view.ranks.size(), number + 1));
    RankView &rank = view.ranks[number];
    rank.seconds = -1;
    const auto function = static_cast<uint32_t>(read("call.function", 2));
    if (read("rank.ended", 1)) {
        rank.activity = Activity::Ended;
    } else if (function == 0) {
        rank.activity = Activity::Computing;
    } else {
        rank.activity = read("call.blockage", 8) ? Activity::Waiting : Activity::InMpi;
        if (const uint64_t call_site = read("call.call_site", 8))
            rank.site = site_of(process, read("rank.image", 8), function, call_site);
    }
}

View JobWithoutObservations::look() {
    View view;
    view.is_observed = false;
    if (std::ranges::any_of(processes_, [](const auto &process) { return process->has_ended(); }))
        find_next_program();
    for (const auto &owner : processes_) {
        Process &process = *owner;
        if (process.has_ended() || !process.has_ranks())
            continue;
        if (view.title.empty())
            view.title = program_of(process.pid());
        view.memory_bytes += resident_bytes_of(process.pid());
        ++view.processes;
        const uint64_t table = process.fact("rank_table"), rank_bytes = process.fact("rank_bytes");
        const uint64_t count = std::min(
            ranks_max, field(process.read(table + process.fact("rank_table.count"), 4), 0, 4));
        const std::vector<char> ranks = process.read(
            process.word(table + process.fact("rank_table.ranks")), count * rank_bytes);
        for (size_t begin = 0; begin + rank_bytes <= ranks.size(); begin += rank_bytes)
            read_rank(process, ranks, begin, view);
    }
    view.sites = sites_;
    summarize(view);
    return view;
}

} // namespace live
