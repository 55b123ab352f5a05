// What a process may do in a superstep; see <thrum/bsp.h>. Each checks what the caller gives.
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
// cbsp_send
void send_with_handler(int pid, void *destination, const void *source, ptrdiff_t nbytes,
                       cbsp_handler *handler) MAY_SUSPEND;

void set_tagsize(int *tag_nbytes);
void send(int pid, const void *tag, const void *payload, ptrdiff_t payload_nbytes) MAY_SUSPEND;
void queue_size(int *nmessages, int *accum_nbytes);
void first_tag(int *status, void *tag);
void move(void *payload, ptrdiff_t reception_nbytes);
int move_unbuffered(void **tag, void **payload); // hpmove

} // namespace thrum::bsp
