// Finds the names of this test's own functions, through the symbolize program of the build tree.
#include "comm/call_names.h"
#include "inspect/python_line.h"
#include "inspect/symbols.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>

namespace thrum {
namespace {

[[gnu::noinline]] const void *here() {
    return __builtin_return_address(0);
}

struct Symbols : testing::Test {
    void SetUp() override { find_symbolizer(); }
};

TEST_F(Symbols, NameTheFunctionAndTheLineOfACall) {
    Symbol symbol;
    const int line = __LINE__ + 1;
    symbol.address = static_cast<const char *>(here()) - 1;
    symbolize(&symbol, 1);
    EXPECT_NE(std::string(symbol.function).find("NameTheFunctionAndTheLineOfACall"),
              std::string::npos)
        << symbol.function;
    EXPECT_NE(std::string(symbol.place).find("symbols_test.cc:" + std::to_string(line)),
              std::string::npos)
        << symbol.place;
}

TEST_F(Symbols, NameALibraryFunctionWithoutALine) {
    Symbol symbol;
    symbol.address = ::dlsym(RTLD_DEFAULT, "getenv");
    symbolize(&symbol, 1);
    char text[256];
    EXPECT_NE(std::string(symbol_text(symbol, text, sizeof text)).find("getenv"), std::string::npos)
        << text;
}

// Crashes are described on the signal stack, from which AddressSanitizer's vfork() writes far away.
TEST_F(Symbols, NameAFunctionOnASignalStack) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "TSan forks with an allocation, which it reports in a handler";
#endif
    static Symbol symbol;
    symbol.address = reinterpret_cast<const void *>(&find_symbolizer);
    const size_t size_bytes = size_t{256} << 10;
    stack_t stack = {}, old_stack = {};
    stack.ss_sp =
        ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(stack.ss_sp, MAP_FAILED);
    stack.ss_size = size_bytes;
    ASSERT_EQ(::sigaltstack(&stack, &old_stack), 0);
    struct sigaction action = {}, old_action = {};
    action.sa_handler = [](int) {
        symbolize(&symbol, 1);
    };
    action.sa_flags = SA_ONSTACK;
    ASSERT_EQ(::sigaction(SIGUSR1, &action, &old_action), 0);
    ::raise(SIGUSR1);
    ::sigaction(SIGUSR1, &old_action, nullptr);
    ::sigaltstack(&old_stack, nullptr);
    ::munmap(stack.ss_sp, size_bytes);
    EXPECT_NE(std::string(symbol.function).find("find_symbolizer"), std::string::npos)
        << symbol.function;
}

TEST_F(Symbols, AnswerManyQuestionsInOrder) {
    Symbol symbols[64];
    for (int i = 0; i < 64; ++i)
        symbols[i].address = i % 2 ? reinterpret_cast<const void *>(&symbolize)
                                   : reinterpret_cast<const void *>(&find_symbolizer);
    symbolize(symbols, 64);
    for (int i = 0; i < 64; ++i)
        EXPECT_NE(std::string(symbols[i].function).find(i % 2 ? "symbolize(" : "find_symbolizer"),
                  std::string::npos)
            << symbols[i].function;
}

TEST_F(Symbols, AnAddressInNoObjectIsItsNumber) {
    Symbol symbol;
    symbol.address = reinterpret_cast<const void *>(0x10);
    symbolize(&symbol, 1);
    char text[64];
    EXPECT_STREQ(symbol_text(symbol, text, sizeof text), "0x10");
}

TEST_F(Symbols, AMissingSymbolizerLeavesFileAndOffset) {
    Symbol symbol;
    symbol.location = {"/somewhere/a.out", 0x1139, 3};
    char text[64];
    EXPECT_STREQ(symbol_text(symbol, text, sizeof text), "a.out+0x1139");
}

TEST_F(Symbols, ACallSiteIsItsLineAndFunction) {
    char text[512];
    const int line = __LINE__ + 1;
    describe_call_site(here(), text, sizeof text);
    EXPECT_NE(std::string(text).find("symbols_test.cc:" + std::to_string(line) + " in "),
              std::string::npos)
        << text;
}

TEST_F(Symbols, ACodeNamesACallSiteAgain) {
    const void *site = here();
    const uint64_t code = code_of_call_site(site);
    EXPECT_NE(code, 0u);
    EXPECT_EQ(code >> call_code_bits, 0u);
    EXPECT_EQ(call_site_of_code(code), site);
}

TEST_F(Symbols, ACodeNamesALineOfPythonAgain) {
    const void *site = call_site_of_python("/data/solve.py", 17, "main");
    const void *other = call_site_of_python("/data/solve.py", 18, "main");
    const uint64_t code = code_of_call_site(site);
    EXPECT_NE(code, code_of_call_site(other));
    EXPECT_EQ(code >> call_code_bits, 0u);
    EXPECT_EQ(call_site_of_code(code), site);
    EXPECT_EQ(call_site_of_code(code_of_call_site(other)), other);
    EXPECT_EQ(call_site_of_code(code ^ 1), nullptr);
}

TEST_F(Symbols, ACodeOfNoObjectOrOfAnUnknownOneNamesNothing) {
    EXPECT_EQ(code_of_call_site(reinterpret_cast<const void *>(0x10)), 0u);
    EXPECT_EQ(call_site_of_code(code_of_call_site(here()) ^ uint64_t{1} << 40), nullptr);
}

} // namespace
} // namespace thrum
