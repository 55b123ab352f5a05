#include "process_state.h"

#include "parcel.h"

namespace mpiexec {

std::string encode(const ProcessState &state) {
    Parcel parcel;
    parcel.put(state.handles_errors);
    parcel.put(state.ends_job);
    parcel.put(state.is_bound);
    parcel.put(state.last_calls);
    parcel.put(static_cast<int64_t>(state.ranks_in.size()));
    for (const auto &[what, count] : state.ranks_in) {
        parcel.put(what);
        parcel.put(count);
    }
    return parcel.text();
}

ProcessState decode_state(const std::string &text) {
    Parcel parcel(text);
    ProcessState state;
    state.handles_errors = parcel.take_number() != 0;
    state.ends_job = parcel.take_number() != 0;
    state.is_bound = parcel.take_number() != 0;
    state.last_calls = parcel.take();
    for (int64_t left = parcel.take_number(); left > 0; --left) {
        std::string what = parcel.take();
        state.ranks_in[what] = static_cast<int>(parcel.take_number());
    }
    return state;
}

} // namespace mpiexec
