// setlocale() and localeconv() of a rank.
//
// glibc lets a thread have a locale (uselocale), and each fiber is a thread to it. What a rank sets
// with setlocale() is such a locale, which all of its threads use from their start. Locales are
// made once for all ranks and never freed: 10,000 ranks that call setlocale(LC_ALL, "") share one.
//
// To the program this looks like the global locale: uselocale() returns LC_GLOBAL_LOCALE for it.
// Threads that exist already keep their locale when another thread of the rank calls setlocale().
#include "libc/locale.h"

#include "libc/environment.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/signals.h"

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <langinfo.h>
#include <map>

namespace thrum {

// What setlocale() has set in a rank.
struct LocaleState {
    static constexpr int categories = LC_IDENTIFICATION + 1;
    std::string names[categories]; // of the locales by category; entry LC_ALL is not used
    locale_t locale = nullptr;     // from the cache; nullptr: setlocale() has set none
    std::string answer;            // what setlocale(LC_ALL, ...) has returned
    lconv conventions = {};        // the result of localeconv()
};

namespace {

// The locale of a rank, and the conversion states of functions that are called without one.
struct RankLocale {
    LocaleState *made = nullptr; // by the first call that needs it
    mbstate_t mbrtowc_state = {}, mbrlen_state = {}, wcrtomb_state = {}, mbtowc_state = {};

    ~RankLocale() { delete made; }

    // Threads of the rank may use the locale.
    bool is_referred_to() const { return made; }
};

LIBC_STATE(RankLocale, locale_of)

// A category and the name of the environment variable that sets it.
struct Category {
    int number;
    const char *name;
};

constexpr Category all_categories[] = {
    {LC_CTYPE, "LC_CTYPE"},
    {LC_NUMERIC, "LC_NUMERIC"},
    {LC_TIME, "LC_TIME"},
    {LC_COLLATE, "LC_COLLATE"},
    {LC_MONETARY, "LC_MONETARY"},
    {LC_MESSAGES, "LC_MESSAGES"},
    {LC_PAPER, "LC_PAPER"},
    {LC_NAME, "LC_NAME"},
    {LC_ADDRESS, "LC_ADDRESS"},
    {LC_TELEPHONE, "LC_TELEPHONE"},
    {LC_MEASUREMENT, "LC_MEASUREMENT"},
    {LC_IDENTIFICATION, "LC_IDENTIFICATION"},
};

// Guards the cache, and the C library's one struct of localeconv().
SpinLock cache_lock;

// Returns the locales made so far, by what join() says of their names. Never destroyed: other
// threads may use it while the process exits.
std::map<std::string, locale_t> &cache() {
    static auto *map = new std::map<std::string, locale_t>;
    return *map;
}

// Returns the calling rank's; the first call makes it, with "C" in all categories.
LocaleState &locale_state() {
    LibcState &libc = current_libc();
    if (!locale_of(libc).made) {
        locale_of(libc).made = new LocaleState;
        for (const Category &category : all_categories)
            locale_of(libc).made->names[category.number].assign(1, 'C'); // not "C": GCC 12 warns
    }
    return *locale_of(libc).made;
}

// Returns the locale that `name` means. "" is what the environment of the rank says (POSIX: LC_ALL,
// then the category, then LANG). "POSIX" becomes "C", so that the cache has one of them.
std::string resolve(const Category &category, const char *name) {
    if (*name)
        return std::strcmp(name, "POSIX") ? name : "C";
    for (const char *variable : {"LC_ALL", category.name, "LANG"}) {
        const char *value = rank_getenv(variable);
        if (value && *value)
            return std::strcmp(value, "POSIX") ? value : "C";
    }
    return "C";
}

// Returns the names as setlocale(LC_ALL, nullptr) shows them: one name if all categories agree,
// else "LC_CTYPE=de_DE.UTF-8;LC_NUMERIC=C;...", as glibc writes it.
std::string join(const std::string *names) {
    bool same = true;
    for (const Category &category : all_categories)
        same = same && names[category.number] == names[LC_CTYPE];
    if (same)
        return names[LC_CTYPE];
    std::string text;
    for (const Category &category : all_categories) {
        if (!text.empty())
            text += ';';
        text.append(category.name).append("=").append(names[category.number]);
    }
    return text;
}

// Sets `names` from a text that join() has made. Returns false if a category is unknown or missing.
bool split(const char *text, std::string *names) {
    size_t found = 0;
    while (*text) {
        size_t length = std::strcspn(text, ";");
        std::string part(text, length);
        size_t equals = part.find('=');
        bool known = false;
        for (const Category &category : all_categories)
            if (equals != std::string::npos && part.compare(0, equals, category.name) == 0) {
                names[category.number] = resolve(category, part.c_str() + equals + 1);
                known = true;
            }
        if (!known)
            return false;
        ++found;
        text += length + (text[length] == ';');
    }
    return found == std::size(all_categories);
}

// Makes a locale, category by category. Returns nullptr if one is not installed.
locale_t make_locale(const std::string *names) {
    locale_t locale = nullptr;
    for (const Category &category : all_categories) {
        locale_t next = ::newlocale(1 << category.number, names[category.number].c_str(), locale);
        if (!next) {
            if (locale)
                ::freelocale(locale);
            return nullptr;
        }
        locale = next;
    }
    return locale;
}

// Returns the locale of these names, made by the first rank that asks; nullptr if one is not
// installed. newlocale() reads files, so it runs without the lock; of two that are made at once one
// is freed.
locale_t find_locale(const std::string *names) {
    std::string key = join(names);
    {
        StateGuard guard(cache_lock);
        auto at = cache().find(key);
        if (at != cache().end())
            return at->second;
    }
    locale_t locale = make_locale(names);
    if (!locale)
        return nullptr;
    StateGuard guard(cache_lock);
    auto [at, inserted] = cache().emplace(key, locale);
    if (!inserted)
        ::freelocale(locale);
    return at->second;
}

// Changes `names` as setlocale(category, name) asks. Returns false for a text that split() refuses.
bool apply_names(int category, const char *name, std::string *names) {
    if (category == LC_ALL && std::strchr(name, ';'))
        return split(name, names);
    for (const Category &c : all_categories)
        if (category == LC_ALL || category == c.number)
            names[c.number] = resolve(c, name);
    return true;
}

// Without a name it only asks. The result is valid until the rank's next call, as C asks.
char *override_setlocale(int category, const char *name) {
    bool known = category == LC_ALL;
    for (const Category &c : all_categories)
        known = known || c.number == category;
    if (in_forked_child() || !known)
        return ::setlocale(category, name);
    LocaleState &state = locale_state();
    if (name) {
        // In a copy: if one locale is missing, the call must change nothing.
        std::string names[LocaleState::categories];
        for (const Category &c : all_categories)
            names[c.number] = state.names[c.number];
        if (!apply_names(category, name, names))
            return nullptr;
        locale_t locale = find_locale(names);
        if (!locale)
            return nullptr;
        // A thread that has chosen a locale by uselocale() keeps it.
        bool in_use =
            ::uselocale(nullptr) == state.locale || ::uselocale(nullptr) == LC_GLOBAL_LOCALE;
        state.locale = locale;
        for (const Category &c : all_categories)
            state.names[c.number] = names[c.number];
        if (in_use)
            ::uselocale(locale);
    }
    if (category != LC_ALL)
        return state.names[category].data();
    state.answer = join(state.names);
    return state.answer.data();
}

// Shows the rank's own locale to the program as LC_GLOBAL_LOCALE, and accepts it as such.
locale_t override_uselocale(locale_t locale) {
    LibcState &libc = current_libc();
    locale_t own = locale_of(libc).made ? locale_of(libc).made->locale : nullptr;
    if (locale == LC_GLOBAL_LOCALE && own)
        locale = own;
    locale_t old = ::uselocale(locale);
    return old == own && own ? LC_GLOBAL_LOCALE : old;
}

locale_t override_duplocale(locale_t locale) {
    LibcState &libc = current_libc();
    if (locale == LC_GLOBAL_LOCALE && locale_of(libc).made && locale_of(libc).made->locale)
        locale = locale_of(libc).made->locale;
    return ::duplocale(locale);
}

// Resolves an empty name in the rank's environment, category by category; glibc would read the
// process's.
locale_t override_newlocale(int mask, const char *name, locale_t base) {
    if (!name || *name || in_forked_child())
        return ::newlocale(mask, name, base);
    for (const Category &category : all_categories) {
        if (!(mask & (1 << category.number)))
            continue;
        locale_t next = ::newlocale(1 << category.number, resolve(category, "").c_str(), base);
        if (!next)
            return nullptr;
        base = next;
    }
    return base;
}

// Copies the C library's struct, which is one for all threads. The strings it points to belong to
// the locale, which is never freed.
lconv *override_localeconv() {
    LocaleState &state = locale_state();
    StateGuard guard(cache_lock);
    state.conventions = *::localeconv();
    return &state.conventions;
}

// ---- characters, where the C library keeps a conversion state of its own

// Returns the state that the program names, or the rank's own one for the function.
mbstate_t &own_state(mbstate_t *given, mbstate_t &own) {
    return given ? *given : own;
}

size_t override_mbrtowc(wchar_t *wide, const char *text, size_t size_bytes, mbstate_t *state) {
    return ::mbrtowc(wide, text, size_bytes,
                     &own_state(state, locale_of(current_libc()).mbrtowc_state));
}

size_t override_mbrlen(const char *text, size_t size_bytes, mbstate_t *state) {
    return ::mbrtowc(nullptr, text, size_bytes,
                     &own_state(state, locale_of(current_libc()).mbrlen_state));
}

size_t override_wcrtomb(char *text, wchar_t wide, mbstate_t *state) {
    return ::wcrtomb(text, wide, &own_state(state, locale_of(current_libc()).wcrtomb_state));
}

// A null text asks whether the encoding has shift states. Those of Linux locales have none: 0.
int override_mbtowc(wchar_t *wide, const char *text, size_t size_bytes) {
    mbstate_t &state = locale_of(current_libc()).mbtowc_state;
    if (!text) {
        state = {};
        return 0;
    }
    size_t n = ::mbrtowc(wide, text, size_bytes, &state);
    // (size_t)-1 is an error and (size_t)-2 an incomplete character: both are -1 here.
    if (n < static_cast<size_t>(-2))
        return static_cast<int>(n);
    state = {};
    return -1;
}

int override_mblen(const char *text, size_t size_bytes) {
    return override_mbtowc(nullptr, text, size_bytes);
}

const FunctionOverride table[] = {
    OVERRIDE("setlocale", override_setlocale),   OVERRIDE("uselocale", override_uselocale),
    OVERRIDE("__uselocale", override_uselocale), OVERRIDE("newlocale", override_newlocale),
    OVERRIDE("__newlocale", override_newlocale), OVERRIDE("duplocale", override_duplocale),
    OVERRIDE("__duplocale", override_duplocale), OVERRIDE("localeconv", override_localeconv),
    OVERRIDE("mbrtowc", override_mbrtowc),       OVERRIDE("mbrlen", override_mbrlen),
    OVERRIDE("wcrtomb", override_wcrtomb),       OVERRIDE("mbtowc", override_mbtowc),
    OVERRIDE("mblen", override_mblen),
};

} // namespace

LIBC_FUNCTIONS(table);

void enter_locale_in_new_thread(LibcState &state) {
    if (locale_of(state).made && locale_of(state).made->locale)
        ::uselocale(locale_of(state).made->locale);
}

} // namespace thrum
