#include "image/sharing.h"
#include "image/symbol.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace thrum {
namespace {

bool anywhere(const Object &) {
    return true;
}

TEST(SymbolLookup, FindsWhatTheDynamicLinkerFinds) {
    scan_objects(nullptr);
    for (const char *name :
         {"printf", "qsort", "pthread_create", "environ", "memcpy", "strlen", "getopt_long",
          "_ZNSt6localeC1Ev", "_ZSt4cout", "__cxa_throw", "_Unwind_Resume"}) {
        void *expected = ::dlsym(RTLD_DEFAULT, name);
        if (!expected)
            continue; // not in this program's libraries
        Definition found = find_definition(name, nullptr, anywhere);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(reinterpret_cast<void *>(found.address()), expected) << name;
    }
    EXPECT_FALSE(find_definition("thrum_no_such_symbol", nullptr, anywhere));
}

TEST(SymbolLookup, TellsVersionsApart) {
    // A function that no sanitizer intercepts: theirs have no versions.
    scan_objects(nullptr);
    for (const char *version : {"GLIBC_2.2.5", "GLIBC_2.3.3"}) {
        Definition found = find_definition("nftw", version, anywhere);
        ASSERT_TRUE(found) << version;
        EXPECT_EQ(reinterpret_cast<void *>(found.address()),
                  ::dlvsym(RTLD_DEFAULT, "nftw", version));
    }
    Definition old_one = find_definition("nftw", "GLIBC_2.2.5", anywhere);
    Definition new_one = find_definition("nftw", nullptr, anywhere);
    EXPECT_NE(old_one.address(), new_one.address());
    EXPECT_FALSE(find_definition("nftw", "GLIBC_1.0", anywhere));
}

TEST(Sharing, TheCLibraryIsSharedAndTheCxxLibraryIsPrivate) {
    EXPECT_EQ(sharing_of("/lib/x86_64-linux-gnu/libc.so.6", nullptr), Sharing::CLibrary);
    EXPECT_EQ(sharing_of("/opt/thrum/lib/libmpi_abi.so.1", nullptr), Sharing::Infrastructure);
    EXPECT_EQ(sharing_of("/usr/lib/libstdc++.so.6", nullptr), Sharing::Private);
    EXPECT_EQ(sharing_of("/usr/lib/libgfortran.so.5", nullptr), Sharing::Private);
    EXPECT_EQ(sharing_of("/opt/libcustom.so", nullptr), Sharing::Private);
}

TEST(Sharing, TheUserMayAddLibraries) {
    EXPECT_EQ(sharing_of("/opt/libmine.so.1", "libother:libmine.so"), Sharing::CLibrary);
    EXPECT_EQ(sharing_of("/opt/libmine.so.1", "libother::"), Sharing::Private);
}

TEST(Objects, TheExecutableIsFirstAndHoldsThisCode) {
    scan_objects(nullptr);
    ASSERT_FALSE(objects().empty());
    EXPECT_TRUE(objects()[0].is_executable);
    EXPECT_TRUE(objects()[0].is_private());
    EXPECT_EQ(find_object(reinterpret_cast<uintptr_t>(&anywhere)), &objects()[0]);
}

} // namespace
} // namespace thrum
