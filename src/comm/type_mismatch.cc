// Warnings and errors about type mismatches (type_mismatch.h).
#include "comm/type_mismatch.h"

#include "base/check.h"
#include "comm/call_names.h"
#include "comm/warned_lines.h"

#include <mpi.h>

namespace thrum {
bool types_are_accepted(TypedBytes sent, TypedBytes received) {
    return type_check() == TypeCheck::Off || types_match(sent, received, type_rules());
}

std::string mismatch_text(const std::string &sender, TypedBytes sent, const std::string &receiver,
                          TypedBytes received) {
    std::string text = sender + " has " + types_text(sent, true) + ", but " + receiver +
                       " expects " + types_text(received, false);
    const std::string difference =
        difference_text(sent, received, type_rules(), "the message", "the receive");
    return difference.empty() ? text : text + "; " + difference;
}

std::string sender_text(const CallPlace &sender) {
    if (!sender.call_site)
        return "";
    return " (sent by " + name_of_call(sender) + " at " + site_of_call(sender) + ")";
}

// The place of the reporting call follows the sentence of an error anyway.
Error judge_mismatch(const TypeMismatch &mismatch) {
    const RankThread &self = current_rank_thread();
    const CallPlace reporter = place_of(self.call);
    const CallPlace receiver = mismatch.receiver.call_site ? mismatch.receiver : reporter;
    if (type_check() == TypeCheck::Error)
        return fail(MPI_ERR_TYPE, "%s%s", mismatch.text.c_str(),
                    sender_text(mismatch.sender).c_str());
    if (!is_first_warning(PairMistake::Types, mismatch.sender, receiver))
        return success;
    std::string places;
    if (mismatch.sender.call_site)
        places = "sent by " + name_of_call(mismatch.sender) + " at " +
                 site_of_call(mismatch.sender) + "; ";
    places += (mismatch.has_one_call ? "at " : "received at ") + site_of_call(receiver);
    report("warning: rank %d: %s: %s (%s)", self.rank->world_rank, name_of_call(reporter).c_str(),
           mismatch.text.c_str(), places.c_str());
    return success;
}

} // namespace thrum
