// localtime, gmtime, asctime and ctime with buffers of the rank; tzset and mktime, whose variables
// (tzname, timezone, daylight) a clone may hold as COPYs; the clocks.
//
// The time zone itself is the process's, from the environment that the job was started with. A rank
// that changes TZ in its own environment does not change it.
#include "libc/libc_state.h"
#include "libc/statics.h"
#include "rank/vain_polls.h"

#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>

namespace thrum {
namespace {

// Writes `value` to the image's COPY of the variable, if it has one.
template <class T>
void refresh(const Image &image, const char *name, const T &value) {
    if (void *copy = copied_variable(&image, name))
        std::memcpy(copy, &value, sizeof value);
}

// Brings the COPYs of this rank's clone up to date with the C library's variables. The library sees
// its own through the originals, so it cannot do that. Rank 0 needs nothing.
void refresh_time_zone() {
    const Image *image = current_rank().image;
    if (!image)
        return;
    refresh(*image, "timezone", timezone);
    refresh(*image, "daylight", daylight);
    refresh(*image, "tzname", tzname);
}

tm *override_localtime(const time_t *time) {
    tm *result = localtime_r(time, &statics_of(current_libc()).broken_down_time);
    refresh_time_zone();
    return result;
}

tm *override_localtime_r(const time_t *time, tm *result) {
    result = localtime_r(time, result);
    refresh_time_zone();
    return result;
}

tm *override_gmtime(const time_t *time) {
    return gmtime_r(time, &statics_of(current_libc()).broken_down_time);
}

char *override_asctime(const tm *time) {
    return asctime_r(time, statics_of(current_libc()).time_text);
}

char *override_ctime(const time_t *time) {
    tm *broken_down = override_localtime(time);
    return broken_down ? override_asctime(broken_down) : nullptr;
}

time_t override_mktime(tm *broken_down) {
    time_t result = mktime(broken_down);
    refresh_time_zone();
    return result;
}

void override_tzset() {
    tzset();
    refresh_time_zone();
}

// The next three are the C library's own, but tell that the rank may wait for a time
// (rank/vain_polls.h).

time_t override_time(time_t *result) {
    count_outside_look();
    return ::time(result);
}

int override_gettimeofday(timeval *time, void *zone) {
    count_outside_look();
    return ::gettimeofday(time, zone);
}

int override_timespec_get(timespec *time, int base) {
    count_outside_look();
    return ::timespec_get(time, base);
}

const FunctionOverride table[] = {
    OVERRIDE("localtime", override_localtime),
    OVERRIDE("localtime_r", override_localtime_r),
    OVERRIDE("gmtime", override_gmtime),
    OVERRIDE("asctime", override_asctime),
    OVERRIDE("ctime", override_ctime),
    OVERRIDE("mktime", override_mktime),
    OVERRIDE("timelocal", override_mktime),
    OVERRIDE("tzset", override_tzset),
    OVERRIDE("time", override_time),
    OVERRIDE("gettimeofday", override_gettimeofday),
    OVERRIDE("timespec_get", override_timespec_get),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
