// Packets of a spanning collective access: builds requests from accesses, and moves the chunk that
// a set of requests describes.
//
// Requester and aggregator walk the pieces of a chunk in the same order: access by access, each in
// the order of its stream. So data need no addresses; they follow each other without gaps.
#include "io/chunk_packets.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace thrum {
namespace {

constexpr size_t pass_pieces_max = 65536; // of a chunk, sorted and moved at a time
constexpr Offset page_bytes = 4096;       // passes are whole pages

// Calls use(piece) for each piece of the access in [first, end), in the order of the file.
template <class Use>
void for_pieces(const Access &access, Offset first, Offset end, Use use) {
    const size_t from = bytes_before(access.span, first);
    if (from == access.span.size_bytes)
        return;
    Pieces pieces(access.span, from);
    for (Piece piece = pieces.next(end); piece.size_bytes > 0; piece = pieces.next(end))
        use(piece);
}

// Appends a piece to the runs: it lengthens the last run, continues its stride, or begins a new
// run. The second piece of a run sets its stride.
void add_piece(std::vector<FileRun> &runs, const Piece &piece) {
    if (!runs.empty()) {
        FileRun &last = runs.back();
        const Offset distance = piece.position - last.position;
        if (last.count == 1 && distance == static_cast<Offset>(last.length_bytes)) {
            last.length_bytes += piece.size_bytes; // apart in memory only
            return;
        }
        const bool fits =
            last.count == 1 || distance == last.stride * static_cast<Offset>(last.count);
        if (fits && piece.size_bytes == last.length_bytes) {
            if (last.count == 1)
                last.stride = distance;
            ++last.count;
            return;
        }
    }
    runs.push_back({piece.position, piece.size_bytes, 0, 1});
}

// Copies `count` values to the packet and advances `to`. Values need not be aligned there.
template <class T>
void append(char *&to, const T *values, size_t count) {
    if (count > 0)
        std::memcpy(to, values, count * sizeof(T));
    to += count * sizeof(T);
}

} // namespace

// The last chunk of the largest possible file may end beyond the largest Offset.
Offset end_of_chunk(Offset chunk, Offset chunk_bytes) {
    Offset end;
    return __builtin_mul_overflow(chunk + 1, chunk_bytes, &end) ? no_end_of_file : end;
}

// Each step jumps to the end of the chunk just found, so a chunk costs two searches in the view,
// however many pieces lie in it.
std::vector<Offset> touched_chunks(const std::vector<Access *> &accesses, Offset chunk_bytes) {
    std::vector<Offset> all;
    for (const Access *access : accesses) {
        const Span &span = access->span;
        std::vector<Offset> chunks;
        for (size_t done = 0; done < span.size_bytes;) {
            const Offset place =
                file_position(*span.view, span.position + static_cast<Offset>(done));
            chunks.push_back(place / chunk_bytes);
            done = bytes_before(span, end_of_chunk(place / chunk_bytes, chunk_bytes));
        }
        all = merge_chunks(std::move(all), chunks);
    }
    return all;
}

std::vector<Offset> merge_chunks(std::vector<Offset> a, const std::vector<Offset> &b) {
    if (a.empty() || a == b)
        return b;
    std::vector<Offset> merged;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
    return merged;
}

// Usual accesses touch long runs of chunks, so runs are much shorter than the list.
std::vector<Offset> runs_of_chunks(const std::vector<Offset> &chunks) {
    std::vector<Offset> runs;
    for (Offset chunk : chunks) {
        if (!runs.empty() && runs.back() == chunk - 1)
            runs.back() = chunk;
        else
            runs.insert(runs.end(), {chunk, chunk});
    }
    return runs;
}

std::vector<Offset> chunks_of_runs(const std::vector<Offset> &runs) {
    std::vector<Offset> chunks;
    for (size_t i = 0; i < runs.size(); i += 2)
        for (Offset chunk = runs[i]; chunk <= runs[i + 1]; ++chunk)
            chunks.push_back(chunk);
    return chunks;
}

// Walks the pieces twice: the runs must be known before the packet can be allocated, and they
// precede the data in it.
SharedBytes make_request(const std::vector<Access *> &accesses, bool writing, Offset first,
                         Offset end) {
    std::vector<std::vector<FileRun>> sections;
    size_t data_bytes = 0, runs_bytes = sizeof(uint64_t);
    for (const Access *access : accesses) {
        std::vector<FileRun> runs;
        for_pieces(*access, first, end, [&](const Piece &piece) {
            add_piece(runs, piece);
            data_bytes += piece.size_bytes;
        });
        runs_bytes += sizeof(uint64_t) + runs.size() * sizeof(FileRun);
        sections.push_back(std::move(runs));
    }
    SharedBytes packet = SharedBytes::of_size(runs_bytes + (writing ? data_bytes : 0));
    char *to = packet.data();
    const uint64_t count = sections.size();
    append(to, &count, 1);
    for (const std::vector<FileRun> &runs : sections) {
        const uint64_t length = runs.size();
        append(to, &length, 1);
        append(to, runs.data(), runs.size());
    }
    if (writing)
        for (const Access *access : accesses)
            for_pieces(*access, first, end,
                       [&](const Piece &piece) { append(to, piece.memory, piece.size_bytes); });
    return packet;
}

// The answer has the data of all pieces, including those beyond the end of the file, whose bytes
// are undefined. So `from` advances by whole pieces, and only what lies before the end is copied.
void scatter_answer(const SharedBytes &answer, const std::vector<Access *> &accesses, Offset first,
                    Offset end) {
    ChunkResult result;
    std::memcpy(&result, answer.data(), sizeof result);
    if (result.error_number)
        return;
    const char *from = answer.data() + sizeof result;
    for (const Access *access : accesses)
        for_pieces(*access, first, end, [&](const Piece &piece) {
            const Offset there = std::clamp<Offset>(result.end_of_file - piece.position, 0,
                                                    static_cast<Offset>(piece.size_bytes));
            if (there > 0)
                std::memcpy(piece.memory, from, static_cast<size_t>(there));
            from += piece.size_bytes;
        });
}

// The packet is not aligned for its contents, so everything is copied out. The data stay where they
// are: the packet must outlive this object.
ChunkRequest::ChunkRequest(const SharedBytes &packet) {
    const char *from = packet.data();
    auto take = [&from](void *to, size_t size_bytes) {
        if (size_bytes > 0)
            std::memcpy(to, from, size_bytes);
        from += size_bytes;
    };
    uint64_t sections;
    take(&sections, sizeof sections);
    for (uint64_t i = 0; i < sections; ++i) {
        uint64_t runs;
        take(&runs, sizeof runs);
        Section section;
        section.runs.resize(runs);
        take(section.runs.data(), runs * sizeof(FileRun));
        for (const FileRun &run : section.runs) {
            section.size_bytes += run.length_bytes * run.count;
            pieces_ += run.count;
        }
        data_bytes_ += section.size_bytes;
        sections_.push_back(std::move(section));
    }
    set_data(const_cast<char *>(from));
}

void ChunkRequest::set_data(char *data) {
    for (Section &section : sections_) {
        section.data = data;
        data += section.size_bytes;
    }
}

// Each section keeps its place, so that pass after pass takes the pieces in the order of the file.
// A piece that crosses `end` is cut there.
void ChunkRequest::take_pieces(Offset end, std::vector<Piece> &pieces) {
    for (Section &section : sections_) {
        while (section.run < section.runs.size()) {
            const FileRun &run = section.runs[section.run];
            const Offset position = run.position +
                                    run.stride * static_cast<Offset>(section.number) +
                                    static_cast<Offset>(section.offset);
            if (position >= end)
                break;
            const size_t size_bytes =
                std::min(run.length_bytes - section.offset, static_cast<size_t>(end - position));
            pieces.push_back({position, section.data, size_bytes});
            section.data += size_bytes;
            section.offset += size_bytes;
            if (section.offset < run.length_bytes)
                break; // the rest is beyond `end`
            section.offset = 0;
            if (++section.number == run.count) {
                section.number = 0;
                ++section.run;
            }
        }
    }
}

// An answer is allocated for each request before anything is read: the pieces point into the
// answers, behind the ChunkResult. Passes stop at an error or at the end of the file.
void move_chunk(OpenFile &file, bool writing, Offset first, Offset end,
                const std::vector<SharedBytes> &requests, std::vector<SharedBytes> &answers,
                TransferResult &result) {
    std::vector<ChunkRequest> asked;
    size_t count = 0;
    for (const SharedBytes &packet : requests) {
        ChunkRequest request(packet);
        if (!writing) {
            answers.push_back(SharedBytes::of_size(sizeof(ChunkResult) + request.data_bytes()));
            request.set_data(answers.back().data() + sizeof(ChunkResult));
        }
        count += request.pieces();
        asked.push_back(std::move(request));
    }
    if (writing)
        file.written.store(true, std::memory_order_relaxed);
    // As many passes as keep the list of pieces short, if they are spread evenly.
    const auto passes = static_cast<Offset>(count / pass_pieces_max + 1);
    const Offset pass_bytes = ((end - first) / passes + page_bytes - 1) / page_bytes * page_bytes;
    std::vector<Piece> pieces;
    auto go_on = [&result] {
        return !result.error_number && result.end_of_file == no_end_of_file;
    };
    for (Offset place = first; place < end && go_on();) {
        place = end - place > pass_bytes ? place + pass_bytes : end;
        pieces.clear();
        for (ChunkRequest &request : asked)
            request.take_pieces(place, pieces);
        if (!pieces.empty())
            result.merge(writing ? write_pieces(file.descriptor, pieces)
                                 : read_pieces(file.descriptor, pieces));
    }
    const ChunkResult told{result.error_number, result.end_of_file};
    for (const SharedBytes &answer : answers)
        std::memcpy(answer.data(), &told, sizeof told);
}

} // namespace thrum
