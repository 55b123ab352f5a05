#include "start/mpi4py.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mpiexec {
namespace {

using std::filesystem::path;

// A directory with interpreters and packages, which the environment describes while a test runs.
struct Mpi4py : testing::Test {
    path root;

    void SetUp() override {
        char name[] = "/tmp/thrum-mpi4py-XXXXXX";
        root = mkdtemp(name);
        for (const char *variable : {"PYTHONPATH", "MPI4PY_MPIABI", "PYTHONUSERBASE"})
            unsetenv(variable);
        setenv("HOME", (root / "home").c_str(), 1);
    }

    void TearDown() override { std::filesystem::remove_all(root); }

    std::string make(const path &name) {
        std::filesystem::create_directories((root / name).parent_path());
        std::ofstream(root / name) << "";
        return root / name;
    }
};

// Returns the file name of the module that would be imported.
std::string module_of(const std::string &python) {
    return path(mpi4py_module(python)).filename();
}

constexpr char openmpi[] = "MPI.openmpi.cpython-311-x86_64-linux-gnu.so",
               mpich[] = "MPI.mpich.cpython-311-x86_64-linux-gnu.so",
               standard[] = "MPI.cpython-311-x86_64-linux-gnu.so";

TEST(Python, InterpretersAreKnownByTheirNames) {
    for (const char *name : {"/usr/bin/python3", "python", "/venv/bin/python3.11"})
        EXPECT_TRUE(is_python(name)) << name;
    for (const char *name : {"/usr/bin/python3-config", "pythonw", "/python3/a.out", "ipython3"})
        EXPECT_FALSE(is_python(name)) << name;
}

TEST_F(Mpi4py, AWheelOfAVirtualEnvironmentIsFound) {
    const std::string python = make("venv/bin/python3.11");
    make("venv/pyvenv.cfg");
    EXPECT_EQ(module_of(python), "");
    make(path("venv/lib/python3.11/site-packages/mpi4py") / mpich);
    EXPECT_EQ(module_of(python), mpich);
    make(path("venv/lib/python3.11/site-packages/mpi4py") / openmpi);
    EXPECT_EQ(module_of(python), openmpi);
    setenv("MPI4PY_MPIABI", "MPICH", 1);
    EXPECT_EQ(module_of(python), mpich);
    setenv("MPI4PY_MPIABI", "mpiabi", 1);
    EXPECT_EQ(module_of(python), "");
}

TEST_F(Mpi4py, ABuildForOneMpiComesFirstIfPythonImportsIt) {
    const std::string python = make("usr/bin/python3.11");
    make(path("usr/lib/python3.11/site-packages/mpi4py") / openmpi);
    EXPECT_EQ(module_of(python), openmpi);
    make(path("home/.local/lib/python3.11/site-packages/mpi4py") / standard);
    EXPECT_EQ(module_of(python), standard);
    make(path("path/mpi4py") / mpich);
    setenv("PYTHONPATH", (root / "path").c_str(), 1);
    EXPECT_EQ(module_of(python), mpich);
}

TEST_F(Mpi4py, OtherVersionsOfPythonDoNotCount) {
    const std::string python = make("usr/bin/python3.12");
    make(path("usr/lib/python3.11/site-packages/mpi4py") / openmpi);
    EXPECT_EQ(module_of(python), "");
}

} // namespace
} // namespace mpiexec
