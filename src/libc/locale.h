// The locale of each rank (locale.cc).
#pragma once
#include "libc/libc_state.h"

namespace thrum {

// Makes the locale of the rank with this state that of the calling thread, which has just started.
void enter_locale_in_new_thread(LibcState &state);

} // namespace thrum
