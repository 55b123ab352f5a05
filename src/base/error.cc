#include "base/error.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace thrum {
namespace {

// The last error of a rank: its code, its sentence, and the calls of others that it names.
struct Record {
    int code;
    char sentence[508];
    OtherCalls others;
};

// A thread-local of libmpi is local to the rank, because each fiber has its own. The record is
// allocated on the first error, so that a million ranks without errors pay eight bytes each.
thread_local Record *record = nullptr;

} // namespace

Error fail(int code, const char *format, ...) {
    if (!record)
        record = static_cast<Record *>(std::calloc(1, sizeof(Record)));
    if (record) {
        record->code = code;
        record->others.count = 0;
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(record->sentence, sizeof record->sentence, format, arguments);
        va_end(arguments);
    }
    return Error(code);
}

const char *error_detail(int code) {
    return record && record->code == code ? record->sentence : "";
}

void add_other_call(const char *who, const void *call_site) {
    if (!record || record->others.count == other_calls_max)
        return;
    OtherCall &call = record->others.calls[record->others.count++];
    std::snprintf(call.who, sizeof call.who, "%s", who);
    call.call_site = call_site;
}

OtherCalls other_calls() {
    return record ? record->others : OtherCalls{};
}

} // namespace thrum
