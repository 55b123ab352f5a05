// Calls as a Fortran program makes them: everything by reference, lengths of CHARACTER arguments
// at the end; and callbacks that are subroutines.
#include "comm/testing/processes.h"
#include "fortran/convert.h"
#include "fortran/entry_points.h"

#include <gtest/gtest.h>
#include <string>

namespace thrum::fortran {
namespace {

// A CHARACTER variable of a program, padded with blanks.
struct Character {
    std::string text;

    explicit Character(std::string value, size_t length = 16) : text(std::move(value)) {
        text.resize(length, ' ');
    }

    char *data() { return text.data(); }

    size_t size() const { return text.size(); }
};

MPI_Fint new_info_object() {
    MPI_Fint info = -1, ierror = -1;
    thrum_fortran_info_create(&info, &ierror);
    EXPECT_EQ(ierror, MPI_SUCCESS);
    return info;
}

void set(MPI_Fint info, const char *with_key, const char *with_value) {
    Character key(with_key), value(with_value);
    MPI_Fint ierror = -1;
    thrum_fortran_info_set(&info, key.data(), value.data(), &ierror, key.size(), value.size());
    EXPECT_EQ(ierror, MPI_SUCCESS);
}

TEST(InfoGetString, CountsCharactersWithoutTheNullOfC) {
    run_processes(1, [](Process &) {
        MPI_Fint info = new_info_object(), flag = 0, length = 16, ierror = -1;
        set(info, " key ", " four ");
        Character key("key"), value("");
        auto get = [&] {
            thrum_fortran_info_get_string(&info, key.data(), &length, value.data(), &flag, &ierror,
                                          key.size(), value.size());
            EXPECT_EQ(ierror, MPI_SUCCESS);
        };
        get();
        EXPECT_TRUE(flag);
        EXPECT_EQ(length, 4);
        EXPECT_EQ(value.text, "four            ");
        // A length of 0 asks for the length alone.
        length = 0, value = Character("untouched");
        get();
        EXPECT_EQ(length, 4);
        EXPECT_EQ(value.text, "untouched       ");
        // "four" does not fit into 3 characters.
        length = 3;
        get();
        EXPECT_EQ(length, 4);
        EXPECT_EQ(value.text, "fou             ");
        key = Character("missing"), length = 16, value = Character("untouched");
        get();
        EXPECT_FALSE(flag);
        EXPECT_EQ(value.text, "untouched       ");
        thrum_fortran_info_free(&info, &ierror);
        EXPECT_EQ(info, to_fortran(MPI_INFO_NULL));
    });
}

TEST(InfoGet, TruncatesToValuelenAndPads) {
    run_processes(1, [](Process &) {
        MPI_Fint info = new_info_object(), flag = 0, length = 2, ierror = -1;
        set(info, "key", "four");
        Character key("key"), value("untouched");
        thrum_fortran_info_get(&info, key.data(), &length, value.data(), &flag, &ierror, key.size(),
                               value.size());
        EXPECT_EQ(ierror, MPI_SUCCESS);
        EXPECT_TRUE(flag);
        EXPECT_EQ(value.text, "fo              ");
        thrum_fortran_info_free(&info, &ierror);
    });
}

TEST(Waitany, ReturnsAnIndexFromOne) {
    run_processes(1, [](Process &) {
        MPI_Fint one = 1, tag = 5, me = 0, comm = to_fortran(MPI_COMM_WORLD), index = -1, count = 3;
        MPI_Fint integer = to_fortran(MPI_INT), null = to_fortran(MPI_REQUEST_NULL);
        MPI_Fint requests[3] = {null, null, null}, received = 0, sent = 77, ierror = -1;
        MPI_Status status;
        thrum_fortran_irecv(&received, &one, &integer, &me, &tag, &comm, &requests[2], &ierror);
        EXPECT_NE(requests[2], null);
        thrum_fortran_send(&sent, &one, &integer, &me, &tag, &comm, &ierror);
        thrum_fortran_waitany(&count, requests, &index, &status, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        EXPECT_EQ(index, 3);
        EXPECT_EQ(requests[2], null);
        EXPECT_EQ(received, 77);
        EXPECT_EQ(status.MPI_TAG, 5);
        thrum_fortran_waitany(&count, requests, &index, &status, &ierror);
        EXPECT_EQ(index, MPI_UNDEFINED);
    });
}

TEST(Waitsome, ReturnsIndicesFromOne) {
    run_processes(1, [](Process &) {
        MPI_Fint one = 1, me = 0, comm = to_fortran(MPI_COMM_WORLD), count = 3, done = -1;
        MPI_Fint integer = to_fortran(MPI_INT), null = to_fortran(MPI_REQUEST_NULL);
        MPI_Fint requests[3], received[3], indices[3] = {-9, -9, -9}, tags[3] = {1, 2, 3},
                                           ierror = -1;
        MPI_Status statuses[3];
        for (int i = 0; i < 3; ++i)
            thrum_fortran_irecv(&received[i], &one, &integer, &me, &tags[i], &comm, &requests[i],
                                &ierror);
        for (int i : {0, 2})
            thrum_fortran_send(&tags[i], &one, &integer, &me, &tags[i], &comm, &ierror);
        thrum_fortran_waitsome(&count, requests, &done, indices, statuses, &ierror);
        EXPECT_EQ(done, 2);
        EXPECT_EQ(indices[0] + indices[1], 1 + 3);
        EXPECT_EQ(indices[2], -9);
        EXPECT_NE(requests[1], null);
        thrum_fortran_send(&tags[1], &one, &integer, &me, &tags[1], &comm, &ierror);
        thrum_fortran_wait(&requests[1], statuses, &ierror);
        EXPECT_EQ(received[1], 2);
    });
}

// SUBROUTINE multiply(invec, inoutvec, len, datatype)
void multiply(void *invec, void *inoutvec, MPI_Fint *length, MPI_Fint *datatype) {
    EXPECT_EQ(*datatype, to_fortran(MPI_INT));
    for (int i = 0; i < *length; ++i)
        static_cast<int *>(inoutvec)[i] *= static_cast<const int *>(invec)[i];
}

TEST(OpCreate, LetsASubroutineCombine) {
    run_processes(3, [](Process &self) {
        MPI_Fint op = -1, yes = 1, commutes = 0, count = 2, integer = to_fortran(MPI_INT);
        MPI_Fint comm = to_fortran(MPI_COMM_WORLD), ierror = -1;
        thrum_fortran_op_create(reinterpret_cast<void (*)()>(multiply), &yes, &op, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        thrum_fortran_op_commutative(&op, &commutes, &ierror);
        EXPECT_EQ(commutes, 1);
        int own[2] = {self.world_rank() + 1, 10}, result[2] = {};
        thrum_fortran_allreduce(own, result, &count, &integer, &op, &comm, &ierror);
        EXPECT_EQ(result[0], 6);
        EXPECT_EQ(result[1], 1000);
        thrum_fortran_op_free(&op, &ierror);
        EXPECT_EQ(op, to_fortran(MPI_OP_NULL));
    });
}

MPI_Fint handled_comm, handled_code;

void handler(MPI_Fint *comm, MPI_Fint *code) {
    handled_comm = *comm;
    handled_code = *code;
}

TEST(ErrorHandlers, AreSubroutinesThatGetHandleAndCode) {
    run_processes(1, [](Process &) {
        MPI_Fint comm = to_fortran(MPI_COMM_WORLD), errhandler = -1, code = MPI_ERR_OTHER,
                 ierror = -1;
        thrum_fortran_comm_create_errhandler(reinterpret_cast<void (*)()>(handler), &errhandler,
                                             &ierror);
        thrum_fortran_comm_set_errhandler(&comm, &errhandler, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        thrum_fortran_comm_call_errhandler(&comm, &code, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        EXPECT_EQ(handled_comm, comm);
        EXPECT_EQ(handled_code, MPI_ERR_OTHER);
    });
}

// SUBROUTINE copy(comm, keyval, extra_state, in, out, flag, ierror)
void copy_attribute(MPI_Fint *, MPI_Fint *, MPI_Aint *extra_state, MPI_Aint *in, MPI_Aint *out,
                    MPI_Fint *flag, MPI_Fint *error) {
    *out = *in + *extra_state;
    *flag = 1;
    *error = MPI_SUCCESS;
}

MPI_Aint deleted;

void delete_attribute(MPI_Fint *, MPI_Fint *, MPI_Aint *value, MPI_Aint *, MPI_Fint *error) {
    deleted = *value;
    *error = MPI_SUCCESS;
}

TEST(Attributes, AreCopiedAndDeletedBySubroutines) {
    run_processes(1, [](Process &) {
        MPI_Aint extra_state = 1000, value = (MPI_Aint{1} << 40) + 7, found = 0;
        MPI_Fint comm = to_fortran(MPI_COMM_WORLD), copy = -1, keyval = -1, flag = 0, ierror = -1;
        thrum_fortran_comm_create_keyval(reinterpret_cast<void (*)()>(copy_attribute),
                                         reinterpret_cast<void (*)()>(delete_attribute), &keyval,
                                         &extra_state, &ierror);
        thrum_fortran_comm_set_attr(&comm, &keyval, &value, &ierror);
        thrum_fortran_comm_dup(&comm, &copy, &ierror);
        thrum_fortran_comm_get_attr(&copy, &keyval, &found, &flag, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        EXPECT_TRUE(flag);
        EXPECT_EQ(found, value + 1000);
        thrum_fortran_comm_free(&copy, &ierror);
        EXPECT_EQ(deleted, value + 1000);
        thrum_fortran_comm_delete_attr(&comm, &keyval, &ierror);
        EXPECT_EQ(deleted, value);
    });
}

// Generalized requests: extra_state counts the calls.
void query(MPI_Aint *extra_state, MPI_Status *status, MPI_Fint *error) {
    *extra_state += 1;
    *status = {};
    status->MPI_TAG = 99;
    *error = MPI_SUCCESS;
}

void free_request(MPI_Aint *extra_state, MPI_Fint *error) {
    *extra_state += 10;
    *error = MPI_SUCCESS;
}

void cancel(MPI_Aint *, MPI_Fint *, MPI_Fint *error) {
    *error = MPI_SUCCESS;
}

TEST(GeneralizedRequests, PassOnExtraStateAndItsChanges) {
    run_processes(1, [](Process &) {
        MPI_Aint extra_state = 100;
        MPI_Fint request = -1, ierror = -1;
        MPI_Status status;
        thrum_fortran_grequest_start(
            reinterpret_cast<void (*)()>(query), reinterpret_cast<void (*)()>(free_request),
            reinterpret_cast<void (*)()>(cancel), &extra_state, &request, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        thrum_fortran_grequest_complete(&request, &ierror);
        thrum_fortran_wait(&request, &status, &ierror);
        EXPECT_EQ(ierror, MPI_SUCCESS);
        EXPECT_EQ(status.MPI_TAG, 99);
        EXPECT_EQ(extra_state, 111);
        EXPECT_EQ(request, to_fortran(MPI_REQUEST_NULL));
    });
}

} // namespace
} // namespace thrum::fortran
