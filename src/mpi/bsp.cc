// The functions of <thrum/bsp.h>, implemented in src/bsp. In the library their names begin with
// thrum_. Each records itself for reports (ENTER); a wrong argument ends the job with a sentence
// (bsp/mistake.h).
#include "base/clock.h"
#include "base/tools.h"
#include "bsp/functions.h"
#include "bsp/machine_lifecycle.h"
#include "bsp/mistake.h"
#include "bsp/operations.h"
#include "bsp/superstep.h"
#include "bsp/superstep_packet.h"
#include "lifecycle/bound_ranks.h"
#include "lifecycle/node_processes.h"
#include "wireup/unlaunched_task.h"
#include "wireup/wireup.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <thrum/bsp.h>

namespace thrum::bsp {
namespace {

// Shows reports, during its life, that the calling process is in this function.
class Entered {
public:
    // BSP functions are numbered behind those of MPI.
    Entered(Function function, const void *call_site)
        : call_(current_rank_thread().call),
          function_(call_.function.load(std::memory_order_relaxed)),
          call_site_(call_.call_site.load(std::memory_order_relaxed)) {
        auto number = static_cast<uint16_t>(first_function + static_cast<unsigned>(function));
        call_.function.store(number, std::memory_order_relaxed);
        call_.call_site.store(call_site, std::memory_order_relaxed);
    }

    ~Entered() {
        call_.function.store(function_, std::memory_order_relaxed);
        call_.call_site.store(call_site_, std::memory_order_relaxed);
    }

    Entered(const Entered &) = delete;
    Entered &operator=(const Entered &) = delete;

private:
    [[no_unique_address]] WatchedCall watched_;
    Call &call_;
    uint16_t function_; // the function of the outer call
    const void *call_site_;
};

// Returns the node of a process that has called bsp_begin, and may have called bsp_end. Ends the
// job if it has not.
const Node &begun_node() {
    const Node *node = current_node_or_null();
    if (!node)
        mistake(0, "called before bsp_begin");
    return *node;
}

// Joins the other processes of the job, as MPI_Init would, before the machine is made. A program
// may use supersteps without MPI.
void join_and_begin(int maxprocs) MAY_SUSPEND {
    if (has_other_processes()) {
        join_job();
        bind_to_others(current_rank());
    }
    refuse_unlaunched_task();
    begin(maxprocs);
    let_children_be_jobs();
}

// The rank is bound until its last superstep is over.
void end_and_part() MAY_SUSPEND {
    end();
    if (has_other_processes())
        unbind_from_others(current_rank());
}

} // namespace
} // namespace thrum::bsp

using namespace thrum::bsp;

// Records function and place of the call; must be the first line, for the return address.
#define ENTER(name) Entered entered(thrum::bsp::Function::name, __builtin_return_address(0))

extern "C" {
#pragma GCC visibility push(default)

// The scope ends before init(), which may not return: it runs the program in all processes except
// the first.
void bsp_init(void (*spmd)(void), int, char **) MAY_SUSPEND {
    {
        ENTER(bsp_init);
        if (!spmd)
            mistake(0, "the function is a null pointer");
    }
    init(spmd); // runs the program in all processes except the first
}

void bsp_begin(int maxprocs) MAY_SUSPEND {
    ENTER(bsp_begin);
    join_and_begin(maxprocs);
}

void bsp_end(void) MAY_SUSPEND {
    ENTER(bsp_end);
    end_and_part();
}

// The message is reported in one line, so it is cut at its first line break.
void bsp_abort(const char *format, ...) {
    ENTER(bsp_abort);
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    sentence[std::strcspn(sentence, "\n")] = 0;
    const Node *node = current_node_or_null();
    mistake(node ? node->superstep : 0, "%s", sentence);
}

// Before bsp_begin it is the number of processes that a machine may have.
int bsp_nprocs(void) {
    ENTER(bsp_nprocs);
    const Node *node = current_node_or_null();
    return node ? node->machine->size : available_processes();
}

int bsp_pid(void) {
    ENTER(bsp_pid);
    return begun_node().pid;
}

// Seconds since bsp_begin, the same clock for all processes of the machine.
double bsp_time(void) {
    ENTER(bsp_time);
    return 1e-9 * static_cast<double>(thrum::now_ns() - begun_node().machine->start_ns);
}

void bsp_sync(void) MAY_SUSPEND {
    ENTER(bsp_sync);
    synchronise_globally();
}

void bsp_sync_count(long count) MAY_SUSPEND {
    ENTER(bsp_sync_count);
    synchronise_by_counting(count);
}

void bsp_push_reg(const void *area, ptrdiff_t nbytes) {
    ENTER(bsp_push_reg);
    push_registration(area, nbytes);
}

void bsp_pop_reg(const void *area) {
    ENTER(bsp_pop_reg);
    pop_registration(area);
}

// Puts and gets: the names with hp are unbuffered.
void bsp_put(int pid, const void *source, void *destination, ptrdiff_t offset,
             ptrdiff_t nbytes) MAY_SUSPEND {
    ENTER(bsp_put);
    put(pid, source, destination, offset, nbytes);
}

void bsp_get(int pid, const void *source, ptrdiff_t offset, void *destination,
             ptrdiff_t nbytes) MAY_SUSPEND {
    ENTER(bsp_get);
    get(pid, source, offset, destination, nbytes);
}

void bsp_hpput(int pid, const void *source, void *destination, ptrdiff_t offset,
               ptrdiff_t nbytes) MAY_SUSPEND {
    ENTER(bsp_hpput);
    hpput(pid, source, destination, offset, nbytes);
}

void bsp_hpget(int pid, const void *source, ptrdiff_t offset, void *destination,
               ptrdiff_t nbytes) MAY_SUSPEND {
    ENTER(bsp_hpget);
    hpget(pid, source, offset, destination, nbytes);
}

void bsp_set_tagsize(int *tag_nbytes) {
    ENTER(bsp_set_tagsize);
    set_tagsize(tag_nbytes);
}

void bsp_send(int pid, const void *tag, const void *payload, ptrdiff_t payload_nbytes) MAY_SUSPEND {
    ENTER(bsp_send);
    send(pid, tag, payload, payload_nbytes);
}

void bsp_qsize(int *nmessages, int *accum_nbytes) {
    ENTER(bsp_qsize);
    queue_size(nmessages, accum_nbytes);
}

void bsp_get_tag(int *status, void *tag) {
    ENTER(bsp_get_tag);
    first_tag(status, tag);
}

void bsp_move(void *payload, ptrdiff_t reception_nbytes) {
    ENTER(bsp_move);
    move(payload, reception_nbytes);
}

int bsp_hpmove(void **tag, void **payload) {
    ENTER(bsp_hpmove);
    return move_unbuffered(tag, payload);
}

// May be called in a machine that has begun: then it does nothing.
void cbsp_initialize(void) MAY_SUSPEND {
    ENTER(cbsp_initialize);
    if (!current_node_or_null())
        join_and_begin(available_processes());
}

void cbsp_send(int node, void *destination, const void *source, ptrdiff_t nbytes,
               cbsp_handler *handler) MAY_SUSPEND {
    ENTER(cbsp_send);
    send_with_handler(node, destination, source, nbytes, handler);
}

void cbsp_nsync(long count) MAY_SUSPEND {
    ENTER(cbsp_nsync);
    synchronise_by_counting(count);
}

void cbsp_gsync(void) MAY_SUSPEND {
    ENTER(cbsp_gsync);
    synchronise_globally();
}

// Counters are of the calling process; packets are those of its node process.
void bsp_get_counters(struct bsp_counters *counters) {
    ENTER(bsp_get_counters);
    const Node &node = begun_node();
    if (!counters)
        mistake(node.superstep, "counters is a null pointer");
    *counters = node.counters;
    counters->packets = static_cast<long long>(packets_sent());
}

#pragma GCC visibility pop
}
