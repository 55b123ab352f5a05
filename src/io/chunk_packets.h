// What node processes tell each other in a collective access (spanning_access.h): which chunks of
// the file the accesses of a process touch, and the pieces of one chunk, in packets.
//
//   request   sections | of each: runs | FileRun ... | the data, if they are to be written
//   answer    ChunkResult | the data, if they have been read, in the order of the request
#pragma once
#include "exchange/exchange.h"
#include "io/access.h"

#include <vector>

namespace thrum {

// Pieces of equal length at equal distances: a description of most views that is short.
struct FileRun {
    Offset position;
    size_t length_bytes;
    Offset stride;
    size_t count;
};

struct ChunkResult {
    int error_number;
    Offset end_of_file;
};

Offset end_of_chunk(Offset chunk, Offset chunk_bytes);

// Chunks, by their numbers, ascending and each once.
std::vector<Offset> touched_chunks(const std::vector<Access *> &accesses, Offset chunk_bytes);
std::vector<Offset> merge_chunks(std::vector<Offset> a, const std::vector<Offset> &b);
// As runs of consecutive numbers: first, last, first, last ...
std::vector<Offset> runs_of_chunks(const std::vector<Offset> &chunks);
std::vector<Offset> chunks_of_runs(const std::vector<Offset> &runs);

// The pieces of all accesses in [first, end), with their data if `writing`.
SharedBytes make_request(const std::vector<Access *> &accesses, bool writing, Offset first,
                         Offset end);
// Takes over what has been read for such a request.
void scatter_answer(const SharedBytes &answer, const std::vector<Access *> &accesses, Offset first,
                    Offset end);

// A request as its aggregator reads it.
class ChunkRequest {
public:
    explicit ChunkRequest(const SharedBytes &packet);

    // Where the bytes that are read shall go; those to be written are in the packet.
    void set_data(char *data);

    size_t data_bytes() const { return data_bytes_; }

    size_t pieces() const { return pieces_; }

    // Appends the pieces before `end` in the file that have not been taken.
    void take_pieces(Offset end, std::vector<Piece> &pieces);

private:
    struct Section {
        std::vector<FileRun> runs;
        size_t run = 0;    // the next piece's,
        size_t number = 0; // which it is in that,
        size_t offset = 0; // and how much of it has been taken
        char *data = nullptr;
        size_t size_bytes = 0;
    };

    std::vector<Section> sections_;
    size_t data_bytes_ = 0;
    size_t pieces_ = 0;
};

// Writes, or reads, all that is asked for of the chunk [first, end); if it reads, `answers` becomes
// a packet for each request. `result` is that of this process so far: after an error nothing is
// done any more.
void move_chunk(OpenFile &file, bool writing, Offset first, Offset end,
                const std::vector<SharedBytes> &requests, std::vector<SharedBytes> &answers,
                TransferResult &result);

} // namespace thrum
