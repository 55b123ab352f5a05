// Packets of a collective access between node processes (spanning_access.h): which chunks of the
// file the accesses of a process touch, and the pieces of one chunk.
//
//   request   sections | for each: runs | FileRun ... | the data, if they are to be written
//   answer    ChunkResult | the data, if they have been read, in the order of the request
//
// A section is one rank's access. A process sends one request per chunk, for all its ranks.
#pragma once
#include "exchange/exchange.h"
#include "io/access.h"

#include <vector>

namespace thrum {

// `count` pieces of equal length at equal distances in the file. Most views have few of them.
struct FileRun {
    Offset position; // of the first piece, in bytes of the file
    size_t length_bytes;
    Offset stride; // between the beginnings of two pieces; 0 if there is only one
    size_t count;
};

// What an aggregator reports about a chunk; the first bytes of an answer.
struct ChunkResult {
    int error_number;   // as TransferResult's
    Offset end_of_file; // as TransferResult's; no_end_of_file: the chunk is complete
};

// Returns where chunk number `chunk` ends in the file; no_end_of_file if that cannot be
// represented.
Offset end_of_chunk(Offset chunk, Offset chunk_bytes);

// Returns the numbers of the chunks in which the accesses have data, ascending, without duplicates.
std::vector<Offset> touched_chunks(const std::vector<Access *> &accesses, Offset chunk_bytes);
// Returns the union of two such lists.
std::vector<Offset> merge_chunks(std::vector<Offset> a, const std::vector<Offset> &b);
// Converts a list to runs of consecutive numbers, and back: first, last, first, last ...
std::vector<Offset> runs_of_chunks(const std::vector<Offset> &chunks);
std::vector<Offset> chunks_of_runs(const std::vector<Offset> &runs);

// Returns a request for the pieces of all accesses in [first, end), with their data if `writing`.
SharedBytes make_request(const std::vector<Access *> &accesses, bool writing, Offset first,
                         Offset end);
// Copies the data of an answer into the accesses for which make_request() made the request with the
// same range. Does nothing if the answer reports an error.
void scatter_answer(const SharedBytes &answer, const std::vector<Access *> &accesses, Offset first,
                    Offset end);

// A request as its aggregator reads it. It points into the packet, which must outlive it.
class ChunkRequest {
public:
    explicit ChunkRequest(const SharedBytes &packet);

    // Sets where data that are read shall go: data_bytes() bytes. Data to be written are in the
    // packet.
    void set_data(char *data);

    // Returns the bytes of all pieces.
    size_t data_bytes() const { return data_bytes_; }

    // Returns how many pieces the request has in all.
    size_t pieces() const { return pieces_; }

    // Appends the pieces before `end` in the file that have not been taken yet. `end` only grows.
    void take_pieces(Offset end, std::vector<Piece> &pieces);

private:
    // One rank's part, and how much of it take_pieces() has handed out.
    struct Section {
        std::vector<FileRun> runs;
        size_t run = 0;        // index of the next piece's run
        size_t number = 0;     // index of the next piece in that run
        size_t offset = 0;     // bytes of the next piece that have been taken
        char *data = nullptr;  // of the next piece
        size_t size_bytes = 0; // of all its pieces
    };

    std::vector<Section> sections_;
    size_t data_bytes_ = 0;
    size_t pieces_ = 0;
};

// Writes or reads all pieces that the requests name in the chunk [first, end). If it reads,
// `answers` gets a packet for each request, in their order. `result` accumulates the result of this
// process; if it has an error already, nothing is moved. Blocks in the kernel.
void move_chunk(OpenFile &file, bool writing, Offset first, Offset end,
                const std::vector<SharedBytes> &requests, std::vector<SharedBytes> &answers,
                TransferResult &result);

} // namespace thrum
