// See mistake.h.
#include "bsp/mistake.h"

#include "base/check.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "rank/job.h"

#include <cstdarg>
#include <cstdio>

namespace thrum::bsp {
namespace {

[[noreturn]] void end_with(const Place &place, uint64_t superstep, const char *format,
                           va_list arguments) {
    char sentence[600], text[512];
    std::vsnprintf(sentence, sizeof sentence, format, arguments);
    claim_end();
    report("rank %d, superstep %llu: %s: %s (at %s)", place.world_rank,
           static_cast<unsigned long long>(superstep), name_of_function(place.function), sentence,
           describe_call_site(place.call_site, text, sizeof text));
    end_job(1);
}

} // namespace

Place current_place() {
    const RankThread &self = current_rank_thread();
    return {self.rank->world_rank, self.call.function.load(std::memory_order_relaxed),
            self.call.call_site.load(std::memory_order_relaxed)};
}

void mistake_at(const Place &place, uint64_t superstep, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_with(place, superstep, format, arguments);
}

void mistake(uint64_t superstep, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_with(current_place(), superstep, format, arguments);
}

} // namespace thrum::bsp
