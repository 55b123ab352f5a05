#include "base/error.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace thrum {
namespace {

// The last error of a rank: its code and its sentence.
struct Record {
    int code;
    char sentence[508];
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

} // namespace thrum
