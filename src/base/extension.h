// Extension: room in an object of one layer for something that a layer above defines. The object
// has an `Extensions<Owner, n>`; the layer above defines an Extension for its type, and finds its
// object by it:
//
//   struct Process { ... Extensions<Process, 5> extensions; };                   // layer comm
//
//   inline const Extension<Process, FileDefaults, free_defaults> file_defaults;   // layer io
//   FileDefaults &defaults = file_defaults.of(process).get_or_make();
//
// The lower layer names neither the type nor the function, and still destroys the object when the
// owner ends. An access costs one load more than a member of the owner.
#pragma once
#include "base/check.h"

#include <atomic>
#include <type_traits>
#include <utility>

namespace thrum {

// The place of one T in one owner. Any thread may use it.
template <class T>
class ExtensionPlace {
public:
    explicit ExtensionPlace(std::atomic<void *> &value) : value_(value) {}

    // Returns nullptr if there is none.
    T *get() const {
        // acquire [extension-1]: it is constructed.
        return static_cast<T *>(value_.load(std::memory_order_acquire));
    }

    void set(T *object) const { value_.store(object, std::memory_order_release); } // [extension-1]

    // Empties the place, and returns the object that was there.
    T *take() const {
        // acquire [extension-1]: it is constructed.
        return static_cast<T *>(value_.exchange(nullptr, std::memory_order_acquire));
    }

    // Makes an object if there is none yet. If several threads call it at the same time, all get
    // the same object.
    template <class... Arguments>
    T &get_or_make(Arguments &&...arguments) const {
        T *found = get();
        return found ? *found : make(std::forward<Arguments>(arguments)...);
    }

private:
    template <class... Arguments>
    [[gnu::noinline]] T &make(Arguments &&...arguments) const {
        T *made = new T(std::forward<Arguments>(arguments)...);
        void *found = nullptr;
        // release [extension-1]; acquire [extension-1], in case another thread has been faster.
        if (value_.compare_exchange_strong(found, made, std::memory_order_acq_rel,
                                           std::memory_order_acquire))
            return *made;
        delete made;
        return *static_cast<T *>(found);
    }

    std::atomic<void *> &value_;
};

template <class Owner, int count_max>
class Extensions;

// Numbers the extensions of `Owner`, and knows how each begins and is destroyed.
template <class Owner>
class ExtensionKinds {
private:
    template <class, int>
    friend class Extensions;
    template <class O, class T, auto, auto>
    friend class Extension;

    struct Kind {
        void *(*begin)(Owner &owner); // nullptr: an owner begins without one
        void (*destroy)(void *object);
    };

    static int add(Kind kind) {
        CHECK(count < Owner::extensions_max, "no room for another extension");
        kinds[count] = kind;
        return count++;
    }

    // Constant-initialised: constructors of other files add to them.
    static inline constinit Kind kinds[Owner::extensions_max] = {};
    static inline constinit int count = 0;
};

// The member of an owner, which also has a constant `extensions_max` = `count_max`. What is in it
// does not belong to the value of the owner: that of a constant owner may be changed.
template <class Owner, int count_max>
class Extensions {
public:
    Extensions() = default;
    Extensions(const Extensions &) = delete;
    Extensions &operator=(const Extensions &) = delete;

    ~Extensions() { destroy(); }

    // Makes the objects with which layers above want every owner to begin.
    void begin(Owner &owner) {
        using Kinds = ExtensionKinds<Owner>;
        for (int i = 0; i < Kinds::count; ++i)
            if (Kinds::kinds[i].begin)
                values_[i].store(Kinds::kinds[i].begin(owner), std::memory_order_relaxed);
    }

    // Destroys all objects whose layers have a function for that.
    void destroy() {
        using Kinds = ExtensionKinds<Owner>;
        for (int i = 0; i < Kinds::count; ++i)
            if (Kinds::kinds[i].destroy) // acquire [extension-1]: it is constructed.
                if (void *object = values_[i].exchange(nullptr, std::memory_order_acquire))
                    Kinds::kinds[i].destroy(object);
    }

private:
    template <class O, class T, auto, auto>
    friend class Extension;

    mutable std::atomic<void *> values_[count_max] = {};
};

// An extension of `Owner` by a T. `destroy_object` (void (T *); nullptr: none) frees it when the
// owner ends; `begin_with` (T *(Owner &); nullptr: none) returns the T, or nullptr, with which an
// owner begins. Stands at namespace scope: it must exist before the first owner.
//
// The functions are told from nullptr by type: with -fsanitize=undefined GCC does not take the
// comparison of a function's address for a constant.
template <class Owner, class T, auto destroy_object = nullptr, auto begin_with = nullptr>
class Extension {
public:
    Extension() : number_(ExtensionKinds<Owner>::add({begin(), destroy()})) {}

    Extension(const Extension &) = delete;
    Extension &operator=(const Extension &) = delete;

    ExtensionPlace<T> of(const Owner &owner) const {
        return ExtensionPlace<T>(owner.extensions.values_[number_]);
    }

private:
    static constexpr auto begin() -> void *(*)(Owner &) {
        if constexpr (!std::is_null_pointer_v<decltype(begin_with)>)
            return [](Owner &owner) -> void * {
                return begin_with(owner);
            };
        return nullptr;
    }

    static constexpr auto destroy() -> void (*)(void *) {
        if constexpr (!std::is_null_pointer_v<decltype(destroy_object)>)
            return [](void *object) {
                destroy_object(static_cast<T *>(object));
            };
        return nullptr;
    }

    int number_;
};

} // namespace thrum
