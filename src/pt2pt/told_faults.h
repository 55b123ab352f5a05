// Collective operations that other processes have told to have failed, by the envelope of their
// packets (pt2pt/remote.cc).
#pragma once
#include "match/envelope.h"

#include <string>
#include <vector>

namespace thrum {

// Not thread-safe: the lock of the mailbox for packets guards it.
class ToldFaults {
public:
    struct Fault {
        uint32_t context;
        int tag;
        int code; // error class
        std::string sentence;
    };

    void add(Fault fault) { faults_.push_back(std::move(fault)); }

    // nullptr: none of the operation with this envelope.
    const Fault *find(const Envelope &envelope) const {
        for (const Fault &fault : faults_)
            if (fault.context == envelope.context && fault.tag == envelope.tag)
                return &fault;
        return nullptr;
    }

private:
    std::vector<Fault> faults_; // seldom any
};

} // namespace thrum
