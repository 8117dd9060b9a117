#include "library.h"
#include "program.h"

#include <stdio.h>

int succeeded(const char *function, pccd_status status)
{
    if (status >= PCCD_OK)
        return 1;
    return complain("%s: %s: %s", function, pccd_status_name(status), pccd_last_error());
}

const char *simd_name(int32_t simd)
{
    switch (simd) {
    case PCCD_SIMD_AUTO:
        return "auto";
    case PCCD_SIMD_SCALAR:
        return "scalar";
    case PCCD_SIMD_AVX2:
        return "avx2";
    case PCCD_SIMD_AVX512:
        return "avx512";
    default:
        return "unknown";
    }
}

static int print_configuration(pccd_context *context)
{
    uint32_t version = pccd_version();
    pccd_context_info info;

    if (!succeeded("pccd_context_info_init", pccd_context_info_init(&info, sizeof info)) ||
        !succeeded("pccd_context_info_get", pccd_context_info_get(context, &info)))
        return 0;
    printf("libpccd %u.%u.%u, %u thread%s, SIMD level %s\n", (unsigned)(version >> 16),
           (unsigned)(version >> 8 & 0xff), (unsigned)(version & 0xff), (unsigned)info.thread_count,
           info.thread_count == 1 ? "" : "s", simd_name(info.simd));
    return 1;
}

int create_context(uint64_t threads, int32_t simd, pccd_context **out)
{
    pccd_context_def def;

    if (!succeeded("pccd_context_def_init", pccd_context_def_init(&def, sizeof def)))
        return 0;
    def.abi_version = PCCD_ABI_VERSION;
    def.thread_count = (uint32_t)threads;
    def.simd = simd;
    if (!succeeded("pccd_context_create", pccd_context_create(&def, out)))
        return 0;
    if (print_configuration(*out))
        return 1;
    pccd_context_destroy(*out);
    return 0;
}
