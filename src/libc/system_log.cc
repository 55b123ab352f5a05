// openlog(), syslog() and setlogmask() of a rank. The C library keeps one set of their values, so
// it gets the rank's before each message. A lock keeps another rank from changing them in between.
#include "libc/libc_state.h"
#include "libc/signals.h"

#include <cstdarg>
#include <pthread.h>
#include <syslog.h>

extern "C" void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments);

namespace thrum {
namespace {

// What openlog() and setlogmask() have set in a rank.
struct LogState {
    const char *identity = nullptr;
    int options = 0;
    int facility = LOG_USER;
    int mask = LOG_UPTO(LOG_DEBUG);
};

LIBC_STATE(LogState, log_of)

pthread_mutex_t the_log = PTHREAD_MUTEX_INITIALIZER; // held while a message is sent

void override_openlog(const char *identity, int options, int facility) {
    LibcState &state = current_libc();
    log_of(state) = {identity, options, facility, log_of(state).mask};
    if (options & LOG_NDELAY)
        ::openlog(identity, options, facility);
}

void override_closelog() {
    LibcState &state = current_libc();
    log_of(state) = {nullptr, 0, LOG_USER, log_of(state).mask};
}

int override_setlogmask(int mask) {
    LogState &log = log_of(current_libc());
    int old = log.mask;
    if (mask)
        log.mask = mask;
    return old;
}

// Signals are held, because a handler that calls syslog() would wait for its own thread's lock.
void override_vsyslog(int priority, const char *format, va_list arguments) {
    const LogState &log = log_of(current_libc());
    SignalHold hold;
    ::pthread_mutex_lock(&the_log);
    ::openlog(log.identity ? log.identity : rank_program_name(), log.options, log.facility);
    ::setlogmask(log.mask);
    ::vsyslog(priority, format, arguments);
    ::pthread_mutex_unlock(&the_log);
}

void override_syslog(int priority, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    override_vsyslog(priority, format, arguments);
    va_end(arguments);
}

void override_syslog_chk(int priority, int, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    override_vsyslog(priority, format, arguments);
    va_end(arguments);
}

void override_vsyslog_chk(int priority, int, const char *format, va_list arguments) {
    override_vsyslog(priority, format, arguments);
}

const FunctionOverride table[] = {
    OVERRIDE("openlog", override_openlog),           OVERRIDE("closelog", override_closelog),
    OVERRIDE("setlogmask", override_setlogmask),     OVERRIDE("syslog", override_syslog),
    OVERRIDE("vsyslog", override_vsyslog),           OVERRIDE("__syslog_chk", override_syslog_chk),
    OVERRIDE("__vsyslog_chk", override_vsyslog_chk),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
