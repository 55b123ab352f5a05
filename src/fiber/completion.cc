#include "fiber/completion.h"

#include "base/check.h"

namespace thrum {
namespace {

SecondWaiterFunction *second_waiter_function = nullptr; // set before ranks run

} // namespace

void set_second_waiter_function(SecondWaiterFunction *function) {
    second_waiter_function = function;
}

void Completion::refuse_second_waiter() {
    if (second_waiter_function)
        second_waiter_function();
    die(1, "two tasks wait for one completion");
}

} // namespace thrum
