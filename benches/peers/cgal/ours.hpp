// libpccd through its C interface, as any program would use it, on one thread.
#pragma once

#include "scene.hpp"

#include <pccd.h>

// Milliseconds with what is named, and the pairs, which all have to agree on.
struct Ours {
    // The hierarchy is kept from frame to frame: all vertices have moved, so it is refitted.
    double refitted;
    // The hierarchy is made in the run.
    double rebuilt;
    // The grid, which is made anew each time.
    double grid;
    // What the library chooses when there is a hierarchy and all vertices have moved.
    double automatic;
    std::string choice;
    Pairs pairs;
};

// What the library chooses is measured in so many rounds, with a run of the peer after each: the machine is as fast for one as for the other.
Ours measure_ours(const Scene &scene, int repeats, int rounds, const std::function<void()> &peer);
