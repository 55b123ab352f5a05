#include "plan/hosts.h"
#include "plan/usage_error.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace mpiexec {
namespace {

std::string error_of(const std::string &hosts) {
    try {
        (void)parse_hosts(hosts);
    } catch (const UsageError &error) {
        EXPECT_EQ(error.exit_code, 2);
        return error.what();
    }
    return "";
}

class HostFile {
public:
    explicit HostFile(const std::string &text) {
        char name[] = "/tmp/thrum-hosts-XXXXXX";
        ::close(::mkstemp(name));
        path_ = name;
        std::ofstream(path_) << text;
    }

    ~HostFile() { ::unlink(path_.c_str()); }

    std::vector<Host> read() const { return read_host_file(path_); }

    std::string error() const {
        try {
            (void)read();
        } catch (const UsageError &error) {
            return error.what();
        }
        return "";
    }

private:
    std::string path_;
};

TEST(Hosts, HaveOneSlotUnlessTheySayMore) {
    const std::vector<Host> hosts = parse_hosts("a,b:8");
    ASSERT_EQ(hosts.size(), 2u);
    EXPECT_EQ(hosts[0], (Host{.name = "a", .slots = 1, .slots_given = false}));
    EXPECT_EQ(hosts[1], (Host{.name = "b", .slots = 8, .slots_given = true}));
}

TEST(Hosts, OneThatIsNamedAgainHasTheSumOfItsSlots) {
    const std::vector<Host> hosts = parse_hosts("a:2,b:1,a:3");
    ASSERT_EQ(hosts.size(), 2u);
    EXPECT_EQ(hosts[0].slots, 5);
    EXPECT_EQ(list_of(hosts), "a:5,b:1");
}

TEST(Hosts, AddressesOfIpVersion6AreInBrackets) {
    const std::vector<Host> hosts = parse_hosts("[::1]:4,[fe80::1]");
    EXPECT_EQ(hosts[0].name, "::1");
    EXPECT_EQ(hosts[0].slots, 4);
    EXPECT_EQ(hosts[1].name, "fe80::1");
    EXPECT_NE(error_of("::1"), "");
    EXPECT_NE(error_of("[::1"), "");
}

TEST(Hosts, WrongOnesAreNamedInTheError) {
    for (const char *slots : {"a:0", "a:-1", "a:x", "a:1x", "a:99999999999", "a:"})
        EXPECT_NE(error_of(slots).find("slots"), std::string::npos) << slots;
    for (const char *name : {"", ",a", "-oProxyCommand=x", "a b", "a;b", "$(x)"})
        EXPECT_NE(error_of(name).find("host"), std::string::npos) << name;
}

TEST(Hosts, LongListsAreCutInMessages) {
    std::string text = "h0";
    for (int i = 1; i < 20; ++i)
        text += ",h" + std::to_string(i);
    EXPECT_EQ(list_of(parse_hosts(text)), "h0:1,h1:1,h2:1,h3:1,h4:1,h5:1,h6:1,h7:1,...");
}

TEST(Hosts, ThisMachineIsKnownByItsNames) {
    EXPECT_TRUE(is_this_machine("localhost"));
    EXPECT_TRUE(is_this_machine("127.0.0.1"));
    EXPECT_TRUE(is_this_machine(name_of_this_machine()));
    EXPECT_FALSE(is_this_machine("host.invalid"));
}

TEST(HostFiles, AreReadInAllSpellings) {
    const auto hosts =
        HostFile("# cluster\na\nb:4\n\nc slots=2 max_slots=8 # big\nd max-slots=3\r\n").read();
    ASSERT_EQ(hosts.size(), 4u);
    EXPECT_EQ(hosts[0], (Host{.name = "a"}));
    EXPECT_EQ(hosts[1], (Host{.name = "b", .slots = 4, .slots_given = true}));
    EXPECT_EQ(hosts[2], (Host{.name = "c", .slots = 2, .slots_given = true, .slots_max = 8}));
    EXPECT_EQ(hosts[3], (Host{.name = "d", .slots = 3, .slots_given = true, .slots_max = 3}));
}

TEST(HostFiles, ErrorsNameTheLine) {
    EXPECT_NE(HostFile("a\nb slots=0\n").error().find("line 2"), std::string::npos);
    EXPECT_NE(HostFile("a\nb:2 slots=2\n").error().find("twice"), std::string::npos);
    EXPECT_NE(HostFile("a slots=5 max_slots=4\n").error().find("max_slots=4"), std::string::npos);
    EXPECT_NE(HostFile("a cores=5\n").error().find("\"cores=5\""), std::string::npos);
    EXPECT_NE(HostFile("# nothing\n").error().find("no host"), std::string::npos);
    EXPECT_THROW((void)read_host_file("/nonexistent/hosts"), UsageError);
}

} // namespace
} // namespace mpiexec
