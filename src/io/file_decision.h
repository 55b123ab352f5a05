// One decision for all ranks of a file: every rank comes with its arguments and what is wrong with
// them, one of them decides, and all get the same result. If the ranks are in several node
// processes, one of each process decides, all with the same arguments before them.
#pragma once
#include "comm/byte_stream.h"
#include "exchange/exchange.h"
#include "io/io_error.h"
#include "meeting/round.h"

#include <vector>

namespace thrum {

// What a rank comes with. What the decision needs of ranks elsewhere travels by write() and read().
struct FileParticipant {
    FileParticipant() = default;
    FileParticipant(const FileParticipant &) = delete;
    FileParticipant &operator=(const FileParticipant &) = delete;
    virtual ~FileParticipant() = default;

    virtual void write(ByteWriter &) const {}

    virtual void read(ByteReader &) {}

    SharedError error;    // of this rank's arguments; afterwards: of the call
    bool is_copy = false; // of a rank in another process
};

struct FileDecision {
    FileParticipant *(*blank)(); // to read() a copy
    Error (*decide)(void *argument, const std::vector<FileParticipant *> &all);
    void *argument;
};

Error decide_together(Communicator &comm, Collective collective, FileParticipant &mine,
                      const FileDecision &decision) MAY_SUSPEND;

// Calls decide(participants) on the last rank (of each process) to come, unless a rank came with an
// error; what it returns, or the first such error, is everybody's. `Mine` is derived from
// FileParticipant. In several processes decide() must come to the same result everywhere.
template <class Mine, class Decide>
Error decide_together(Communicator &comm, Collective collective, Mine &mine,
                      Decide decide) MAY_SUSPEND {
    auto call = [](void *argument, const std::vector<FileParticipant *> &all) -> Error {
        std::vector<Mine *> each;
        for (FileParticipant *participant : all)
            each.push_back(static_cast<Mine *>(participant));
        return (*static_cast<Decide *>(argument))(static_cast<const std::vector<Mine *> &>(each));
    };
    auto blank = []() -> FileParticipant * {
        return new Mine;
    };
    return decide_together(comm, collective, static_cast<FileParticipant &>(mine),
                           FileDecision{blank, call, &decide});
}

// Nothing to be decided but whether somebody comes with an error.
Error agree_on_error(Communicator &comm, Collective collective, SharedError mine) MAY_SUSPEND;

// As Attendance::pass_with(), but the last one calls work() also if members of this process
// disagree: other processes wait for what it has to say.
template <class Work>
void pass_even_if_disputed(Attendance &attendance, Work work) MAY_SUSPEND {
    if (!attendance.arrive(Attendance::Until::Complete))
        return;
    if (attendance.finish_leaf()) {
        work();
        attendance.complete();
    } else {
        attendance.wait(Attendance::Until::Complete);
    }
}

// What every packet about a collective call on a file begins with, and what is wrong with the
// beginnings of all processes' packets.
void write_call(ByteWriter &to, Collective collective, const SharedError &dispute);
SharedError read_calls(std::vector<ByteReader> &packets);
SharedBytes packet_of(const ByteWriter &bytes);

} // namespace thrum
