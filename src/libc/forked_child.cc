// Remembers that this process is a child of fork() (libc/forked_child.h). Its only thread writes
// the mark once, before anything else runs in the child, so it needs no atomic.
#include "libc/forked_child.h"

namespace thrum {
namespace {

bool forked_child = false;

} // namespace

bool in_forked_child() {
    return forked_child;
}

void mark_forked_child() {
    forked_child = true;
}

} // namespace thrum
