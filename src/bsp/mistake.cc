// Reports of mistakes (mistake.h). The first one ends the job; later ones wait for the end.
#include "bsp/mistake.h"

#include "base/check.h"
#include "bsp/superstep_packet.h"
#include "comm/process.h"
#include "fiber/blocking_call.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "rank/job_end.h"
#include "rank/status_page.h"
#include "wireup/wireup.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace thrum::bsp {
namespace {

constexpr size_t sentence_bytes = 600;

// Sends the sentence to the node process of the rank, which ends the job with it.
void send_mistake(const Place &place, uint64_t superstep, const char *sentence) MAY_SUSPEND {
    PacketHeader header;
    header.what = PacketKind::Mistake;
    header.to = place.world_rank;
    header.superstep = superstep;
    set_place(header, place);
    iovec part = part_of(sentence, std::strlen(sentence));
    send_packet(node_process_of(place.world_rank), header, &part, 1);
}

// Ends the job with this sentence. Returns only if another node process does that.
void end_with(const Place &place, uint64_t superstep, const char *sentence) MAY_SUSPEND {
    char text[512];
    if (has_other_processes() && is_remote(process_at(place.world_rank)))
        return send_mistake(place, superstep, sentence);
    claim_end();
    announce_end_of_job();
    report("rank %d, superstep %llu: %s: %s (at %s)", place.world_rank,
           static_cast<unsigned long long>(superstep), name_of_function(place.function), sentence,
           describe_call_site(place.call_site, text, sizeof text));
    end_job(1);
}

// Reports the mistake and ends the job; waits if another node process ends it.
[[noreturn]] void end_here_with(const Place &place, uint64_t superstep, const char *format,
                                va_list arguments) MAY_SUSPEND {
    char sentence[sentence_bytes];
    std::vsnprintf(sentence, sizeof sentence, format, arguments);
    end_with(place, superstep, sentence);
    BlockingCall call;
    call.enter("the end of the job");
    for (;;)
        ::pause();
}

} // namespace

void mistake_at(const Place &place, uint64_t superstep, const char *format, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, format);
    end_here_with(place, superstep, format, arguments);
}

void mistake(uint64_t superstep, const char *format, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, format);
    end_here_with(current_place(), superstep, format, arguments);
}

void complain_at(const Place &place, uint64_t superstep, const char *format, ...) {
    char sentence[sentence_bytes];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    end_with(place, superstep, sentence);
}

} // namespace thrum::bsp
