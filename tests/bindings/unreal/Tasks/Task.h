#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "../CoreMinimal.h"

#define UE_SOURCE_LOCATION TEXT(__FILE__)

namespace UE::Tasks {

enum class ETaskPriority { High, Normal };

inline std::atomic<int> Launched{0};

// A thread for each; what nobody has begun yet is run by the one that waits, as in the engine.
class FTask {
public:
    FTask() = default;
    bool IsValid() const { return state != nullptr; }
    void Wait() {
        if (!state) return;
        state->Run();
        state->thread.join();
        state = nullptr;
    }

private:
    struct State {
        std::function<void()> body;
        std::atomic<bool> begun{false};
        std::thread thread;
        void Run() { if (!begun.exchange(true)) body(); }
    };
    std::shared_ptr<State> state;
    friend FTask Launch(const char*, std::function<void()>, ETaskPriority);
};

inline FTask Launch(const char*, std::function<void()> body, ETaskPriority = ETaskPriority::Normal) {
    FTask task;
    ++Launched;
    task.state = std::make_shared<FTask::State>();
    task.state->body = std::move(body);
    // Every other one is late.
    auto* state = task.state.get();
    state->thread = Launched % 2 ? std::thread([state] { state->Run(); }) : std::thread([] {});
    return task;
}

} // namespace UE::Tasks
