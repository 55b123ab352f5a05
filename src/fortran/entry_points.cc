// The Fortran entry points whose arguments are converted one by one; entries.inc is generated from
// mpi.api. They are reached by a jump, so the return address is the call in the program, which
// reports need. Functions that need more are written by hand: attribute.cc, callbacks.cc,
// environment.cc, spawn.cc, strings.cc.
#include "fortran/entry_points.h"

#include "entry/entry.h"
#include "fortran/convert.h"

using namespace thrum;
using namespace thrum::fortran;

namespace {

// A result that has no meaning in Fortran.
class Ignored {
public:
    explicit Ignored(void *) {}

    void *c() { return &address_; }

private:
    void *address_ = nullptr;
};

} // namespace

extern "C" {
#include "fortran/entries.inc"
}
