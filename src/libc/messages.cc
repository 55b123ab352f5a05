// gettext() and related functions: the text domain of a rank. glibc keeps one in the process. The
// functions that name their domain (dgettext ...) are glibc's own, except that a null domain means
// the rank's.
//
// bindtextdomain() and bind_textdomain_codeset() are not replaced: a program binds a domain to the
// same directory in all of its ranks. Where ranks differ, the last call counts.
#include "libc/libc_state.h"
#include "libc/signals.h"

#include <clocale>
#include <libintl.h>
#include <string>

namespace thrum {
namespace {

using TextDomain = std::string; // of textdomain(); empty: the default

LIBC_STATE(TextDomain, text_domain_of)

constexpr const char *default_domain = "messages";

// Returns `domain`, or the calling rank's if it is null.
const char *domain_or_own(const char *domain) {
    const std::string &own = text_domain_of(current_libc());
    return domain ? domain : own.empty() ? default_domain : own.c_str();
}

char *override_textdomain(const char *domain) {
    LibcState &state = current_libc();
    if (domain) {
        StateGuard guard(state.lock);
        text_domain_of(state) = domain; // "": the default
    }
    return const_cast<char *>(domain_or_own(nullptr));
}

char *override_dcgettext(const char *domain, const char *text, int category) {
    return ::dcgettext(domain_or_own(domain), text, category);
}

char *override_dgettext(const char *domain, const char *text) {
    return override_dcgettext(domain, text, LC_MESSAGES);
}

char *override_gettext(const char *text) {
    return override_dcgettext(nullptr, text, LC_MESSAGES);
}

char *override_dcngettext(const char *domain, const char *one, const char *many, unsigned long n,
                          int category) {
    return ::dcngettext(domain_or_own(domain), one, many, n, category);
}

char *override_dngettext(const char *domain, const char *one, const char *many, unsigned long n) {
    return override_dcngettext(domain, one, many, n, LC_MESSAGES);
}

char *override_ngettext(const char *one, const char *many, unsigned long n) {
    return override_dcngettext(nullptr, one, many, n, LC_MESSAGES);
}

const FunctionOverride table[] = {
    OVERRIDE("textdomain", override_textdomain), OVERRIDE("gettext", override_gettext),
    OVERRIDE("dgettext", override_dgettext),     OVERRIDE("dcgettext", override_dcgettext),
    OVERRIDE("ngettext", override_ngettext),     OVERRIDE("dngettext", override_dngettext),
    OVERRIDE("dcngettext", override_dcngettext),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
