// The locale of each rank.
#pragma once
#include "libc/libc_state.h"

namespace thrum {

void enter_locale_in_new_thread(LibcState &state);

} // namespace thrum
