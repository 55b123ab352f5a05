#include "pt2pt/blocked.h"

#include "fiber/external_waits.h"

namespace thrum {

void wait_blocked(Completion &completion, const Blockage &blockage) {
    Waiting waiting(blockage);
    if (external_waits())
        look_until_done(completion);
    completion.wait();
}

} // namespace thrum
