// Growing, mapping and reading the files of a record (record_file.h).
#include "record/record_file.h"

#include "base/check.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr char first_line[] = "thrum record, format 1\n";
constexpr char process_prefix[] = "process-";

std::string job_file_of(const std::string &directory) {
    return directory + "/job";
}

// Reads a whole file. Returns false if it cannot be read.
bool read_file(const std::string &path, std::string &content) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char buffer[1 << 16];
    ssize_t size;
    while ((size = ::read(fd, buffer, sizeof buffer)) > 0)
        content.append(buffer, static_cast<size_t>(size));
    ::close(fd);
    return size == 0;
}

std::string why_not_written(const std::string &path) {
    if (errno == EEXIST)
        return path + " exists: a record is never overwritten; choose another directory";
    return "cannot write " + path + ": " + std::strerror(errno);
}

// Returns the text of the job's file: the command line has one argument per line.
std::string description_of_job(int world_size) {
    std::string command;
    read_file("/proc/self/cmdline", command);
    std::replace(command.begin(), command.end(), '\0', '\n');
    return first_line + ("ranks " + std::to_string(world_size)) + "\ncommand\n" + command;
}

// Makes the directory of a record. Returns an error text, or "".
std::string make_directory(const char *directory) {
    if (::mkdir(directory, 0777) != 0 && errno != EEXIST)
        return std::string("cannot make the directory ") + directory + ": " + std::strerror(errno);
    return "";
}

// Writes a file that must not exist. Returns an error text, or "".
std::string write_new_file(const std::string &path, const std::string &content) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return why_not_written(path);
    const bool ok =
        ::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    const std::string error = ok ? "" : why_not_written(path);
    ::close(fd);
    return error;
}

// Returns the names of the binary files in a directory.
std::vector<std::string> process_files_of(const std::string &directory) {
    std::vector<std::string> names;
    DIR *stream = ::opendir(directory.c_str());
    while (const dirent *entry = stream ? ::readdir(stream) : nullptr)
        if (!std::strncmp(entry->d_name, process_prefix, sizeof process_prefix - 1))
            names.push_back(directory + "/" + entry->d_name);
    if (stream)
        ::closedir(stream);
    return names;
}

// Adds the outcomes of one file.
void add_blocks(const std::string &content, int first_rank, int ranks, RecordedOutcomes &outcomes) {
    constexpr size_t block_bytes = RecordFile::block_words * sizeof(uint32_t);
    for (size_t at = 0; at + block_bytes <= content.size(); at += block_bytes) {
        uint32_t words[RecordFile::block_words];
        std::memcpy(words, content.data() + at, block_bytes);
        const int64_t rank = int64_t{words[0]} - 1;
        if (rank < first_rank || rank >= first_rank + ranks)
            continue;
        std::vector<Outcome> &list = outcomes[{static_cast<int>(rank), words[1]}];
        for (size_t i = RecordFile::block_header_words; i < RecordFile::block_words && words[i];
             ++i)
            list.push_back(Outcome::of(words[i]));
    }
}

} // namespace

std::string why_not_replayed(const char *directory, int ranks) {
    std::string content;
    int recorded_ranks = 0;
    if (!read_file(job_file_of(directory), content))
        return std::string(directory) + " is not a record: " + std::strerror(errno) + ": " +
               job_file_of(directory);
    if (content.compare(0, sizeof first_line - 1, first_line) != 0 ||
        std::sscanf(content.c_str() + sizeof first_line - 1, "ranks %d\n", &recorded_ranks) != 1)
        return job_file_of(directory) + " does not begin like that of a record";
    if (recorded_ranks != ranks)
        return std::string(directory) + " is the record of a job of " +
               std::to_string(recorded_ranks) + " rank" + (recorded_ranks == 1 ? "" : "s") +
               ", but this one has " + std::to_string(ranks);
    return "";
}

RecordedOutcomes read_record(const char *directory, int first_rank, int ranks) {
    RecordedOutcomes outcomes;
    for (const std::string &path : process_files_of(directory)) {
        std::string content;
        if (!read_file(path, content))
            die(1, "cannot read %s: %s", path.c_str(), std::strerror(errno));
        add_blocks(content, first_rank, ranks, outcomes);
    }
    return outcomes;
}

std::string write_record(const char *directory, int ranks, const RecordedOutcomes &outcomes) {
    constexpr size_t room = RecordFile::block_words - RecordFile::block_header_words;
    std::string content;
    for (const auto &[thread, list] : outcomes)
        for (size_t first = 0; first < list.size(); first += room) {
            uint32_t block[RecordFile::block_words] = {static_cast<uint32_t>(thread.world_rank) + 1,
                                                       thread.thread};
            for (size_t i = 0; i < std::min(room, list.size() - first); ++i)
                block[RecordFile::block_header_words + i] = list[first + i].word();
            content.append(reinterpret_cast<const char *>(block), sizeof block);
        }
    std::string error = make_directory(directory);
    if (error.empty())
        error = write_new_file(job_file_of(directory), description_of_job(ranks));
    if (error.empty())
        error = write_new_file(std::string(directory) + "/" + process_prefix + "0", content);
    return error;
}

std::string RecordFile::create(const char *directory, int first_rank, int world_size) {
    if (std::string error = make_directory(directory); !error.empty())
        return error;
    if (first_rank == 0) {
        std::string error = write_new_file(job_file_of(directory), description_of_job(world_size));
        if (!error.empty())
            return error;
    }
    path_ = std::string(directory) + "/" + process_prefix + std::to_string(first_rank);
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return fd_ < 0 ? why_not_written(path_) : "";
}

// Makes the file twice as long, later longer by a segment; by little if the disk is nearly full.
// Returns by how many words; 0: errno says why not.
size_t RecordFile::extend() {
    const size_t offset = file_words_ % segment_words, rest = segment_words - offset;
    const size_t wanted =
        file_words_ < segment_words ? std::clamp(offset, grown_words_min, rest) : rest;
    for (const size_t words : {wanted, grown_words_min}) {
        do
            errno = ::posix_fallocate(fd_, static_cast<off_t>(file_words_ * sizeof(Word)),
                                      static_cast<off_t>(words * sizeof(Word)));
        while (errno == EINTR);
        if (errno == 0)
            return words;
    }
    return 0;
}

// Extends the file, so that a full disk is noticed here and not by a signal later; and maps the
// next segment if the last one is used up. What cannot be in the file is in memory alone.
void RecordFile::grow() {
    const size_t segment = used_words_ / segment_words, offset = used_words_ % segment_words;
    if (offset == 0) {
        CHECK(segment < segments_max, "%zu segments", segment);
        void *memory = ::mmap(nullptr, segment_words * sizeof(Word), PROT_READ | PROT_WRITE,
                              MAP_SHARED, fd_, static_cast<off_t>(used_words_ * sizeof(Word)));
        if (memory == MAP_FAILED)
            die(1, "cannot map %s: %s", path_.c_str(), std::strerror(errno));
        // release [record-1]
        segments_[segment].store(static_cast<Word *>(memory), std::memory_order_release);
    }
    errno = EFBIG;
    const size_t words = segment + 1 == segments_max ? 0 : extend();
    is_full_ = words == 0;
    if (is_full_) {
        report("warning: the record ends here, but the job goes on: cannot extend %s: %s",
               path_.c_str(), std::strerror(errno));
        void *rest = &at(static_cast<uint32_t>(used_words_));
        if (::mmap(rest, (segment_words - offset) * sizeof(Word), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            die(1, "cannot allocate memory for a record: %s", std::strerror(errno));
    } else {
        // Faults once for all pages. A kernel that cannot do so faults for each.
        (void)::madvise(&at(static_cast<uint32_t>(used_words_)), words * sizeof(Word),
                        MADV_POPULATE_WRITE);
    }
    file_words_ += words;
}

uint32_t RecordFile::new_block(const RecordedThread &owner) {
    SleepingLock::Guard guard(lock_);
    if (used_words_ == file_words_ && !is_full_)
        grow();
    const auto number = static_cast<uint32_t>(used_words_);
    if (!is_full_)
        used_words_ += block_words;
    at(number).store(static_cast<uint32_t>(owner.world_rank) + 1, std::memory_order_relaxed);
    at(number + 1).store(owner.thread, std::memory_order_relaxed);
    return number + block_header_words;
}

} // namespace thrum
