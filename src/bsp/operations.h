// The operations of a superstep; <thrum/bsp.h> describes them. Each checks its arguments and
// reports a mistake, which ends the job. Operations on other processes wait if the caller is too
// far ahead.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

void push_registration(const void *area, ptrdiff_t nbytes);
void pop_registration(const void *area);

void put(int pid, const void *source, void *destination, ptrdiff_t offset,
         ptrdiff_t nbytes) MAY_SUSPEND;
void get(int pid, const void *source, ptrdiff_t offset, void *destination,
         ptrdiff_t nbytes) MAY_SUSPEND;
void hpput(int pid, const void *source, void *destination, ptrdiff_t offset,
           ptrdiff_t nbytes) MAY_SUSPEND;
void hpget(int pid, const void *source, ptrdiff_t offset, void *destination,
           ptrdiff_t nbytes) MAY_SUSPEND;
// Does cbsp_send().
void send_with_handler(int pid, void *destination, const void *source, ptrdiff_t nbytes,
                       cbsp_handler *handler) MAY_SUSPEND;

void set_tagsize(int *tag_nbytes);
void send(int pid, const void *tag, const void *payload, ptrdiff_t payload_nbytes) MAY_SUSPEND;
void queue_size(int *nmessages, int *accum_nbytes);
void first_tag(int *status, void *tag);
void move(void *payload, ptrdiff_t reception_nbytes);
// Does bsp_hpmove(): returns addresses in the queue, which are valid during this superstep.
int move_unbuffered(void **tag, void **payload);

} // namespace thrum::bsp
