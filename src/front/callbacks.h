// Callbacks of a program that is built for another MPI: they get that MPI's handles and numbers,
// and return its error codes. Operations, error handlers and attribute keys keep how they are
// called (`foreign` in op.h, errhandler.h, attributes.h). Generalized requests and data
// representations get C callbacks whose extra state holds the program's.
#pragma once
#include "comm/attributes.h"
#include "comm/errhandler.h"
#include "comm/made_objects.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "front/convert.h"

#include <type_traits>

namespace thrum::front {

using Callback = void (*)();

template <class F>
struct Callbacks {
    template <class H>
    using Handle = typename F::template Handle<H>;

    // ---- reduction operations

    static void call_user_function(Callback function, void *invec, void *inoutvec, int *len,
                                   MPI_Datatype datatype) {
        using Function = void(void *, void *, int *, Handle<MPI_Datatype> *);
        Handle<MPI_Datatype> its = F::template from_standard<MPI_Datatype>(datatype);
        reinterpret_cast<Function *>(function)(invec, inoutvec, len, &its);
    }

    // A function with a large count gets the number as that.
    static void call_user_function_c(Callback function, void *invec, void *inoutvec, int *len,
                                     MPI_Datatype datatype) {
        using Function = void(void *, void *, MPI_Count *, Handle<MPI_Datatype> *);
        Handle<MPI_Datatype> its = F::template from_standard<MPI_Datatype>(datatype);
        MPI_Count count = *len;
        reinterpret_cast<Function *>(function)(invec, inoutvec, &count, &its);
    }

    template <ForeignUserFunction *call>
    static Error op_create(Callback user_fn, int commute, MPI_Op *op) MAY_SUSPEND {
        if (Error error = mpi::op_create({user_fn, false}, commute, op))
            return error;
        (*op)->foreign = call;
        return success;
    }

    // ---- error handlers

    template <class H>
    static void call_error_handler(Callback function, void *handle, int *code) {
        using Function = void(Handle<H> *, int *, ...);
        Handle<H> its = F::template from_standard<H>(static_cast<H>(handle));
        const int before = static_cast<int>(F::from_standard_error(*code));
        int its_code = before;
        reinterpret_cast<Function *>(function)(&its, &its_code);
        if (its_code != before) // it is what the call returns
            *code = static_cast<int>(F::to_standard_error(its_code));
    }

    template <class H, Errhandler::Kind kind>
    static Error create_errhandler(Callback function, MPI_Errhandler *errhandler) {
        if (!function)
            return fail(MPI_ERR_ARG, "the error handler is a null pointer");
        Errhandler *made = new_errhandler(kind, function);
        made->foreign = call_error_handler<H>;
        *errhandler = handle_of(*made);
        return success;
    }

    // ---- attributes

    // Calls `call(handle)` with the handle of a callback's object.
    template <class Call>
    static int with_object(const Keyval &keyval, void *object, Call call) {
        switch (keyval.kind) {
        case Keyval::Kind::Comm:
            return call(F::template from_standard<MPI_Comm>(static_cast<MPI_Comm>(object)));
        case Keyval::Kind::Type:
            return call(F::template from_standard<MPI_Datatype>(static_cast<MPI_Datatype>(object)));
        default:
            return call(F::template from_standard<MPI_Win>(static_cast<MPI_Win>(object)));
        }
    }

    // The number of a key that a program makes is the same in all interfaces.
    static int call_copy(const Keyval &keyval, void *object, MPI_Aint value, MPI_Aint *copied,
                         int *flag) {
        const int code = with_object(keyval, object, [&]<class Its>(Its handle) {
            using Function = int(Its, int, void *, void *, void *, int *);
            return reinterpret_cast<Function *>(keyval.copy)(
                handle, keyval.number, keyval.extra_state, reinterpret_cast<void *>(value), copied,
                flag);
        });
        return static_cast<int>(F::to_standard_error(code));
    }

    static int call_delete(const Keyval &keyval, void *object, MPI_Aint value) {
        const int code = with_object(keyval, object, [&]<class Its>(Its handle) {
            using Function = int(Its, int, void *, void *);
            return reinterpret_cast<Function *>(keyval.delete_function)(
                handle, keyval.number, reinterpret_cast<void *>(value), keyval.extra_state);
        });
        return static_cast<int>(F::to_standard_error(code));
    }

    static constexpr ForeignCallbacks foreign{call_copy, call_delete, true};

    // The predefined callbacks of a front are functions of its library, and are called.
    template <Keyval::Kind kind>
    static Error create_keyval(Callback copy, Callback delete_function, int *keyval,
                               void *extra_state) {
        *keyval = new_keyval(kind, copy, delete_function, extra_state, &foreign);
        record_made(MadeKind::Keyval, handle_of_keyval(*keyval));
        return success;
    }

    // ---- generalized requests

    // The extra state of a generalized request; freed by free_request().
    struct GeneralizedRequest {
        int (*query)(void *extra_state, typename F::Status *status);
        int (*free)(void *extra_state);
        int (*cancel)(void *extra_state, int complete);
        void *extra_state;
    };

    static int query_request(void *state, MPI_Status *status) {
        auto &request = *static_cast<GeneralizedRequest *>(state);
        typename F::Status its;
        F::from_standard_status(*status, its);
        its.MPI_ERROR = MPI_SUCCESS;
        const int code = request.query(request.extra_state, &its);
        F::to_standard_status(its, *status);
        return static_cast<int>(F::to_standard_error(code));
    }

    static int free_request(void *state) {
        auto *request = static_cast<GeneralizedRequest *>(state);
        const int code = request->free(request->extra_state);
        delete request;
        return static_cast<int>(F::to_standard_error(code));
    }

    static int cancel_request(void *state, int complete) {
        auto &request = *static_cast<GeneralizedRequest *>(state);
        return static_cast<int>(
            F::to_standard_error(request.cancel(request.extra_state, complete)));
    }

    static Error grequest_start(decltype(GeneralizedRequest::query) query,
                                decltype(GeneralizedRequest::free) free,
                                decltype(GeneralizedRequest::cancel) cancel, void *extra_state,
                                MPI_Request *request) MAY_SUSPEND {
        if (!query || !free || !cancel)
            return fail(MPI_ERR_ARG, "a callback is a null pointer");
        auto *state = new GeneralizedRequest{query, free, cancel, extra_state};
        Error error =
            mpi::grequest_start(query_request, free_request, cancel_request, state, request);
        if (error)
            delete state;
        return error;
    }

    // ---- data representations

    // `Number` is int, or MPI_Count for a conversion with large counts.
    template <class Number>
    using Conversion = int(void *userbuf, Handle<MPI_Datatype> datatype, Number count,
                           void *filebuf, MPI_Offset position, void *extra_state);
    using Extent = int(Handle<MPI_Datatype> datatype, MPI_Aint *extent, void *extra_state);

    // Lives as long as the process (section 14.5.3).
    template <class Number>
    struct Representation {
        Conversion<Number> *read, *write;
        Extent *extent;
        void *extra_state;

        static int convert(Conversion<Number> *function, void *extra_state, void *userbuf,
                           MPI_Datatype datatype, Number count, void *filebuf,
                           MPI_Offset position) {
            return static_cast<int>(F::to_standard_error(
                function(userbuf, F::template from_standard<MPI_Datatype>(datatype), count, filebuf,
                         position, extra_state)));
        }

        static int convert_read(void *userbuf, MPI_Datatype datatype, Number count, void *filebuf,
                                MPI_Offset position, void *state) {
            auto &its = *static_cast<Representation *>(state);
            return convert(its.read, its.extra_state, userbuf, datatype, count, filebuf, position);
        }

        static int convert_write(void *userbuf, MPI_Datatype datatype, Number count, void *filebuf,
                                 MPI_Offset position, void *state) {
            auto &its = *static_cast<Representation *>(state);
            return convert(its.write, its.extra_state, userbuf, datatype, count, filebuf, position);
        }

        static int file_extent(MPI_Datatype datatype, MPI_Aint *extent, void *state) {
            auto &its = *static_cast<Representation *>(state);
            return static_cast<int>(F::to_standard_error(its.extent(
                F::template from_standard<MPI_Datatype>(datatype), extent, its.extra_state)));
        }
    };

    // The state is never freed if the registration succeeds: views may refer to it.
    template <class Number>
    static Error register_datarep(const char *datarep, Conversion<Number> *read,
                                  Conversion<Number> *write, Extent *extent,
                                  void *extra_state) MAY_SUSPEND {
        using Its = Representation<Number>;
        constexpr bool is_large = std::is_same_v<Number, MPI_Count>;
        const auto caller = [](Conversion<Number> *function, auto *call) {
            return AnyFunction{function ? reinterpret_cast<Callback>(call) : nullptr, is_large};
        };
        auto *state = new Its{read, write, extent, extra_state};
        Error error =
            mpi::register_datarep(datarep, caller(read, Its::convert_read),
                                  caller(write, Its::convert_write), Its::file_extent, state);
        if (error)
            delete state;
        return error;
    }
};

} // namespace thrum::front
