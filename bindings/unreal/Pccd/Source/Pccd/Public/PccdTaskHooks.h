// The hooks that let libpccd work on another task system. Knows nothing of the engine: TSystem has a type Task, that can be
// moved and made without arguments, and two functions:
//
//     static Task Launch(pccd_task_fn function, void* argument);   // somebody calls function(argument), at any time
//     static void Wait(Task& task);                                // returns when that has returned
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pccd.h"

template <class TSystem>
class TPccdTaskHooks {
public:
    // So many tasks can be on their way at once. All memory is allocated here.
    explicit TPccdTaskHooks(std::size_t capacity) : slots(capacity) {
        idle.reserve(capacity);
        for (Slot& slot : slots) idle.push_back(&slot);
    }
    TPccdTaskHooks(const TPccdTaskHooks&) = delete;
    TPccdTaskHooks& operator=(const TPccdTaskHooks&) = delete;

    // Has a context use this, which must outlive it.
    void Install(pccd_context_def& def) {
        def.enqueue = &Enqueue;
        def.finish = &Finish;
        def.task_user = this;
    }

private:
    struct Slot {
        typename TSystem::Task task;
    };

    // The library calls both on the thread that has called it: one at a time, so there is nothing to lock.
    static void* Enqueue(pccd_task_fn function, void* argument, void* user) {
        auto& hooks = *static_cast<TPccdTaskHooks*>(user);
        // Without a place for it, it is not run at all: the others do its work.
        if (hooks.idle.empty()) return nullptr;
        Slot* slot = hooks.idle.back();
        hooks.idle.pop_back();
        slot->task = TSystem::Launch(function, argument);
        return slot;
    }

    static void Finish(void* handle, void* user) {
        auto& hooks = *static_cast<TPccdTaskHooks*>(user);
        auto* slot = static_cast<Slot*>(handle);
        TSystem::Wait(slot->task);
        slot->task = typename TSystem::Task();
        hooks.idle.push_back(slot);
    }

    std::vector<Slot> slots;
    std::vector<Slot*> idle;
};
