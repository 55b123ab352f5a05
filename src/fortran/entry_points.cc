// The Fortran entry points whose arguments are converted one by one; generated from mpi.api. They
// are reached by a jump, so the return address is the call in the program, which reports need.
#include "fortran/entry_points.h"

#include "entry/entry.h"
#include "fortran/convert.h"

using namespace thrum;
using namespace thrum::fortran;

namespace {

class Ignored { // a result that has no meaning in Fortran
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
