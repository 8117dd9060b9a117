// A frame as both libraries get it, and how a measurement is taken.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

struct Scene {
    std::string name;
    std::vector<std::array<double, 3>> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

// Two triangles, the smaller number first; sorted, each once.
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Milliseconds of the fastest of some runs, each after a preparation that does not count.
inline double fastest(int repeats, const std::function<void()> &prepare, const std::function<void()> &run)
{
    double least = 1e300;
    for (int i = 0; i < repeats; i++) {
        prepare();
        auto before = std::chrono::steady_clock::now();
        run();
        std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - before;
        least = elapsed.count() < least ? elapsed.count() : least;
    }
    return least;
}
