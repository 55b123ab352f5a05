// Collective decisions on a file: every rank brings its arguments and what is wrong with them, one
// rank decides, and all get the same result. If the ranks are in several node processes, one rank
// of each process decides; all of these see the same arguments, so they decide alike.
//
// Used by all collective calls of file.cc. Accesses have their own exchange (spanning_access.h),
// which begins with the same header (write_call()).
#pragma once
#include "comm/byte_stream.h"
#include "exchange/exchange.h"
#include "io/io_error.h"
#include "meeting/round.h"

#include <vector>

namespace thrum {

// What one rank brings to a decision, on its stack. The rank waits while others read and write it.
struct FileParticipant {
    FileParticipant() = default;
    FileParticipant(const FileParticipant &) = delete;
    FileParticipant &operator=(const FileParticipant &) = delete;
    virtual ~FileParticipant() = default;

    // Writes what the decision needs of this rank, for other processes.
    virtual void write(ByteWriter &) const {}

    // Reads what write() has written, into a blank object.
    virtual void read(ByteReader &) {}

    SharedError error;    // of this rank's arguments; afterwards the result of the call
    bool is_copy = false; // describes a rank of another process; freed after the decision
};

// A decision with its types erased, so that the exchange is compiled once.
struct FileDecision {
    FileParticipant *(*blank)(); // makes an object to read() into; owned by the caller
    // Called on one rank of each process. It may write into the participants.
    Error (*decide)(void *argument, const std::vector<FileParticipant *> &all);
    void *argument;
};

// The template below says what it does.
Error decide_together(Communicator &comm, Collective collective, FileParticipant &mine,
                      const FileDecision &decision) MAY_SUSPEND;

// Calls decide(participants) on the last rank of each process to arrive, unless a rank brought an
// error. Everybody's result is the first such error, or what decide() returned. `Mine` is derived
// from FileParticipant. In several processes decide() must return the same everywhere, and must not
// block: other members of the process wait for it.
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

// Returns the same error to all ranks: that of the lowest rank that brought one.
Error agree_on_error(Communicator &comm, Collective collective, SharedError mine) MAY_SUSPEND;

// Does what Attendance::pass_with() does, but the last arrival calls work() even if members of this
// process disagree: the other processes wait for its packet.
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

// Writes the header of every packet about a collective call on a file: which function is called,
// and a dispute between the members of this process.
void write_call(ByteWriter &to, Collective collective, const SharedError &dispute);
// Reads these headers of all processes' packets. Returns the first dispute, or an error if
// processes call different functions.
SharedError read_calls(std::vector<ByteReader> &packets);
// Returns a copy of the bytes as a packet.
SharedBytes packet_of(const ByteWriter &bytes);

} // namespace thrum
