#include "comm/amount_mismatch.h"

#include "base/check.h"
#include "comm/call_names.h"
#include "comm/warned_lines.h"

#include <mpi.h>

namespace thrum {
namespace {

std::string amount(TypedBytes data) {
    const std::string bytes = std::to_string(data.bytes) + " bytes";
    return data.bytes == 0 ? "nothing" : types_text(data, true) + " (" + bytes + ")";
}

} // namespace

std::string amount_text(const std::string &sender, TypedBytes sent, const std::string &receiver,
                        TypedBytes received) {
    return sender + " sends " + amount(sent) + ", but " + receiver + " expects " + amount(received);
}

std::string remote_amount_text(const std::string &sender, const RemoteTypes &types, size_t bytes,
                               const std::string &receiver, TypedBytes received) {
    const bool is_basic =
        types.number != RemoteTypes::unknown && types.number != RemoteTypes::several;
    const std::string sent = is_basic    ? amount({&basic_of_number(types.number), bytes})
                             : bytes > 0 ? std::to_string(bytes) + " bytes"
                                         : "nothing";
    return sender + " sends " + sent + ", but " + receiver + " expects " + amount(received);
}

Error judge_amount(const TypeMismatch &mismatch) {
    if (type_check() == TypeCheck::Off)
        return success;
    if (type_check() == TypeCheck::Error)
        return fail(MPI_ERR_COUNT, "%s%s", mismatch.text.c_str(),
                    sender_text(mismatch.sender).c_str());
    const RankThread &self = current_rank_thread();
    const CallPlace reporter = place_of(self.call);
    const CallPlace receiver = mismatch.receiver.call_site ? mismatch.receiver : reporter;
    if (!is_first_warning(PairMistake::Amounts, mismatch.sender, receiver))
        return success;
    std::string sent;
    if (mismatch.sender.call_site)
        sent = "sent by " + name_of_call(mismatch.sender) + " at " + site_of_call(mismatch.sender) +
               "; ";
    report("warning: rank %d: %s: %s (%sreceived at %s)", self.rank->world_rank,
           name_of_call(reporter).c_str(), mismatch.text.c_str(), sent.c_str(),
           site_of_call(receiver).c_str());
    return success;
}

Error judge(int error_class, const TypeMismatch &mismatch) {
    return error_class == MPI_ERR_TYPE ? judge_mismatch(mismatch) : judge_amount(mismatch);
}

} // namespace thrum
