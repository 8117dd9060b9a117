// libpccd on the task system of the engine.
#pragma once

#include "CoreMinimal.h"
#include "PccdTaskHooks.h"
#include "Tasks/Task.h"

struct FPccdTaskSystem {
    using Task = UE::Tasks::FTask;

    static Task Launch(pccd_task_fn Function, void* Argument) {
        return UE::Tasks::Launch(
            UE_SOURCE_LOCATION, [Function, Argument] { Function(Argument); }, UE::Tasks::ETaskPriority::High);
    }

    // Runs the task itself if nobody has begun it.
    static void Wait(Task& Waited) { Waited.Wait(); }
};

using FPccdTaskHooks = TPccdTaskHooks<FPccdTaskSystem>;
