#include "pt2pt/blocked.h"

#include "fiber/outside.h"

namespace thrum {

void wait_blocked(Completion &completion, const Blockage &blockage) {
    Waiting waiting(blockage);
    if (outside())
        look_until_done(completion);
    completion.wait();
}

} // namespace thrum
