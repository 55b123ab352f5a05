// The files of a record: a directory with
//
//   job          text: the format, the number of ranks, the command line
//   process-R    binary: the outcomes of the ranks of one operating-system process, whose first is
//                world rank R
//
// A binary file is a sequence of 32-bit words in blocks of 1 KiB, each for one thread of one rank:
// the rank + 1 (0: the block is unused), the number of the thread in its rank, and outcomes
// (record/outcome.h) up to the first word that is 0. The blocks of a thread follow one another in
// the order of its calls. The file is mapped into memory, so it is complete however its process
// ends.
#pragma once
#include "base/sleeping_lock.h"
#include "record/outcome.h"

#include <atomic>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace thrum {

// Returns why the directory is not a record of a job of `ranks` ranks; "": it is one.
std::string why_not_replayed(const char *directory, int ranks);

// Which thread an outcome belongs to.
struct RecordedThread {
    int world_rank = 0;
    uint32_t thread = 0; // 0: the main one. Others in the order of their first outcomes.

    auto operator<=>(const RecordedThread &) const = default;
};

using RecordedOutcomes = std::map<RecordedThread, std::vector<Outcome>>;

// Reads the outcomes of the ranks [first_rank, first_rank + ranks) from all files of a record. They
// may have been written by any number of processes.
RecordedOutcomes read_record(const char *directory, int first_rank, int ranks);

// Writes a whole record of a job of `ranks` ranks to a new directory. Returns an error text, or "".
std::string write_record(const char *directory, int ranks, const RecordedOutcomes &outcomes);

// Writes the file of this process. Any thread may use it.
class RecordFile {
public:
    using Word = std::atomic<uint32_t>;
    static constexpr uint32_t block_words = 256, block_header_words = 2;

    // Makes the directory and the file; with rank 0 also the text file. Returns an error text, or
    // "".
    std::string create(const char *directory, int first_rank, int world_size);

    // Returns the number of the first word of a new block for the thread; the header is before it.
    // If the disk is full, a line says so, and what follows is not recorded.
    uint32_t new_block(const RecordedThread &owner);

    // Returns a word of a block. Its owner writes it, and the sender that matches a receive.
    Word &at(uint32_t number) const {
        // acquire [record-1]: the segment is mapped
        Word *segment = segments_[number / segment_words].load(std::memory_order_acquire);
        return segment[number % segment_words];
    }

private:
    static constexpr size_t segment_words = size_t{1} << 18, segments_max = 1024;
    static constexpr size_t grown_words_min = size_t{1} << 14; // that the file gets at a time

    void grow();
    size_t extend();

    std::string path_;
    int fd_ = -1;
    SleepingLock lock_;                      // guards what follows; segments are only added
    size_t used_words_ = 0, file_words_ = 0; // of the blocks; on the disk
    bool is_full_ = false;                   // the disk, or the file
    std::atomic<Word *> segments_[segments_max] = {};
};

} // namespace thrum
