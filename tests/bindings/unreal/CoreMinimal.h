// Stand-ins for the few types of the Unreal Engine that the plugin uses, so that its code can be compiled and run without it. They have the
// names, arguments and results that Epic documents, and do as little as they can.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using int32 = std::int32_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
constexpr int32 MAX_int32 = INT32_MAX;

#define PCCD_API
#define TEXT(text) text
#define UTF8_TO_TCHAR(text) text
#define UCLASS(...)
#define USTRUCT(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY() GENERATED_BODY_OF_THIS
#define DECLARE_LOG_CATEGORY_EXTERN(name, ...) inline const char* const name = #name
#define DEFINE_LOG_CATEGORY(name) static_assert(true)
#define UE_LOG(category, level, ...) (++LogCount, std::printf(#level ": " __VA_ARGS__), std::printf("\n"))
inline int LogCount = 0;
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(name, type, parameter)          \
    struct name {                                                                   \
        std::function<void(type)> Bound;                                            \
        void Broadcast(type parameter) { if (Bound) Bound(parameter); }             \
    }

struct FVector {
    double X, Y, Z;
    FVector() = default;
    FVector(double x, double y, double z) : X(x), Y(y), Z(z) {}
};
struct FVector3f {
    float X, Y, Z;
};
struct FMatrix44f {
    float M[4][4];
};

template <class T>
class TArray {
public:
    int32 Num() const { return static_cast<int32>(all.size()); }
    const T* GetData() const { return all.data(); }
    T* GetData() { return all.data(); }
    void Add(const T& it) { all.push_back(it); }
    void SetNum(int32 count) { all.resize(static_cast<std::size_t>(count)); }
    const T& operator[](int32 index) const { return all[static_cast<std::size_t>(index)]; }
    T& operator[](int32 index) { return all[static_cast<std::size_t>(index)]; }

private:
    std::vector<T> all;
};
template <class T>
class TArrayView {
public:
    TArrayView(T* data, int32 count) : data(data), count(count) {}
    int32 Num() const { return count; }
    T& operator[](int32 index) const { return data[index]; }
    T* begin() const { return data; }
    T* end() const { return data + count; }

private:
    T* data;
    int32 count;
};
template <class T>
class TObjectPtr {
public:
    TObjectPtr& operator=(T* it) { return pointer = it, *this; }
    T* operator->() const { return pointer; }
    operator T*() const { return pointer; }

private:
    T* pointer = nullptr;
};

struct FMath {
    template <class T>
    static T Clamp(T value, T low, T high) { return std::min(std::max(value, low), high); }
    template <class T>
    static T Min(T a, T b) { return std::min(a, b); }
};
