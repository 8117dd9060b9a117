/* Definitions that make no sense, and contexts that are gone, foreign or poisoned. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static void definitions(void) {
    pccd_context_def def;
    pccd_context *context;
    section("definitions of contexts");
    fill_canary(&context, sizeof context);

    pccd_context_def_init(&def, sizeof def);
    EXPECT(PCCD_ERR_NULL, pccd_context_create(&def, NULL), "out_context is null");
    EXPECT(PCCD_ERR_NULL, pccd_context_create(NULL, NULL), "out_context is null");
    def.abi_version = 0;
    EXPECT(PCCD_ERR_VERSION, pccd_context_create(&def, &context), "def->abi_version is 0", "version 1");
    def.abi_version = PCCD_ABI_VERSION + 1;
    EXPECT(PCCD_ERR_VERSION, pccd_context_create(&def, &context), "def->abi_version is 2", "version 1");

    pccd_context_def_init(&def, sizeof def);
    def.thread_count = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->thread_count is 0", "1 to 1024");
    def.thread_count = 1025;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->thread_count is 1025");
    def.thread_count = 5000;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->thread_count is 5000");

    pccd_context_def_init(&def, sizeof def);
    def.simd = -1;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->simd is -1", "PCCD_SIMD_AUTO (0)");
    def.simd = 4;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->simd is 4", "PCCD_SIMD_AVX512 (3)");

    pccd_context_def_init(&def, sizeof def);
    def.alloc = counting_alloc;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->free is null");
    pccd_context_def_init(&def, sizeof def);
    def.free = counting_free;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->alloc is null");

    pccd_context_def_init(&def, sizeof def);
    def.scheduler = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->scheduler is 0",
           "PCCD_SCHEDULER_ASSIGNMENT (1)");
    def.scheduler = 3;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->scheduler is 3",
           "PCCD_SCHEDULER_STEALING (2)");
    pccd_context_def_init(&def, sizeof def);
    def.reserved = 9;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->reserved is 9; expected 0");
    CHECK(is_canary(&context, sizeof context));
}

/* Which levels a CPU has is not for the test to say; that it is answered in one of two ways is. */
static void simd_levels(void) {
    static const char *const names[] = {"", "PCCD_SIMD_SCALAR (1)", "PCCD_SIMD_AVX2 (2)", "PCCD_SIMD_AVX512 (3)"};
    pccd_context_def def;
    int32_t level;
    section("SIMD levels");
    pccd_context_def_init(&def, sizeof def);
    for (level = PCCD_SIMD_AUTO; level <= PCCD_SIMD_AVX512; ++level) {
        pccd_context *context;
        pccd_status status;
        fill_canary(&context, sizeof context);
        def.simd = level;
        status = pccd_context_create(&def, &context);
        if (status == PCCD_OK) {
            pccd_context_info info;
            pccd_context_info_init(&info, sizeof info);
            EXPECT(PCCD_OK, pccd_context_info_get(context, &info), "");
            CHECK(level == PCCD_SIMD_AUTO ? info.simd != PCCD_SIMD_AUTO : info.simd == level);
            EXPECT(PCCD_OK, pccd_context_destroy(context), "");
        } else {
            CHECK(level > PCCD_SIMD_SCALAR);
            CHECK(status == PCCD_ERR_UNSUPPORTED);
            CHECK(strstr(pccd_last_error(), names[level]) != NULL);
            CHECK(strstr(pccd_last_error(), "def->simd") != NULL);
            CHECK(is_canary(&context, sizeof context));
        }
    }
}

static void gone_or_foreign(void) {
    static const uintptr_t foreign[] = {1, 0x1234, (uintptr_t)-1, (uintptr_t)1 << 32};
    pccd_context_info info;
    pccd_context *old = new_context(2, NULL);
    pccd_context *other;
    pccd_context *on_stack = (pccd_context *)(void *)&info;
    size_t i;
    section("contexts that are gone or foreign");
    pccd_context_info_init(&info, sizeof info);

    EXPECT(PCCD_ERR_NULL, pccd_context_destroy(NULL), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_context_info_get(NULL, &info), "context is null");
    EXPECT(PCCD_ERR_NULL, pccd_context_info_get(old, NULL), "out_info is null");
    EXPECT(PCCD_OK, pccd_context_info_get(old, &info), "");
    CHECK(info.thread_count == 2 && info.reserved == 0 && info.allocated_bytes > 0);

    EXPECT(PCCD_OK, pccd_context_destroy(old), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_destroy(old), "context is 0x", "destroyed before");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_info_get(old, &info), "context is 0x");
    /* Its successor may take the same place, but not the same name. */
    other = new_context(1, NULL);
    CHECK(other != old);
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_destroy(old), "context is 0x");
    EXPECT(PCCD_OK, pccd_context_info_get(other, &info), "");

    for (i = 0; i < sizeof foreign / sizeof *foreign; ++i) {
        char value[32];
        snprintf(value, sizeof value, "context is 0x%llx", (unsigned long long)foreign[i]);
        EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_destroy((pccd_context *)foreign[i]), value);
        EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_info_get((pccd_context *)foreign[i], &info), value);
    }
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_destroy(on_stack), "context is 0x");
    EXPECT(PCCD_OK, pccd_context_destroy(other), "");
}

static void poisoned(void) {
    pccd_view view = view_of(NULL, 0, 0, PCCD_FORMAT_F64X3);
    pccd_context_info info;
    pccd_context *context = new_context(3, NULL);
    pccd_context *other = new_context(1, NULL);
    section("poisoned contexts");
    fill_canary(&info, sizeof info);
    info.struct_size = sizeof info;

    EXPECT(PCCD_ERR_NULL, pccd_fault_panic(NULL), "context is null");
    EXPECT(PCCD_ERR_PANIC, pccd_fault_panic(context), "a defect", "asked to panic");
    EXPECT(PCCD_ERR_POISONED, pccd_fault_panic(context), "can only be destroyed");
    EXPECT(PCCD_ERR_POISONED, pccd_context_info_get(context, &info), "context is 0x", "PCCD_ERR_PANIC");
    EXPECT(PCCD_ERR_POISONED, pccd_ccd_batch(context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL), "context is 0x");
    CHECK(is_canary(&info.thread_count, sizeof info - sizeof info.struct_size));
    EXPECT(PCCD_OK, pccd_ccd_batch(other, PCCD_EDGE_EDGE, &view, 0, NULL, NULL), "");
    EXPECT(PCCD_OK, pccd_context_destroy(context), "");
    EXPECT(PCCD_ERR_STALE_HANDLE, pccd_context_destroy(context), "context is 0x");
    EXPECT(PCCD_OK, pccd_context_destroy(other), "");
}

void misuse_of_contexts(void) {
    definitions();
    simd_levels();
    gone_or_foreign();
    poisoned();
}

/* The last test: it takes the address space away in which threads would have their stacks. */
void too_many_threads_for_the_system(void) {
    struct rlimit before, limit;
    counting memory = {0};
    pccd_context_def def;
    pccd_context *context;
    section("more threads than the system has");
    fill_canary(&context, sizeof context);
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = 1024;
    def.alloc = counting_alloc;
    def.free = counting_free;
    def.memory_user = &memory;
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    limit = before;
    limit.rlim_cur = 512u << 20;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    EXPECT(PCCD_ERR_THREAD, pccd_context_create(&def, &context), "def->thread_count is 1024", "refused");
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(is_canary(&context, sizeof context));
    CHECK(memory.bytes == 0 && memory.allocations == memory.frees);
}
