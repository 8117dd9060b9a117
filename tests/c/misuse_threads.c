/* Contexts that are used from inside their own callback, or by two threads at once. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct listener {
    pccd_context *context;
    int errors, infos;
    pccd_status batch, info, destroy;
    char last[512];
} listener;

static void reenter(int32_t level, const char *message, void *user) {
    listener *self = user;
    if (level == PCCD_LOG_INFO) ++self->infos;
    if (level != PCCD_LOG_ERROR) return;
    ++self->errors;
    snprintf(self->last, sizeof self->last, "%s", message);
    if (self->context != NULL) {
        pccd_view view = view_of(NULL, 0, 0, PCCD_FORMAT_F64X3);
        pccd_context_info info;
        pccd_context_info_init(&info, sizeof info);
        self->batch = pccd_ccd_batch(self->context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL);
        self->info = pccd_context_info_get(self->context, &info);
        self->destroy = pccd_context_destroy(self->context);
    }
}

static pccd_context *listening(pccd_log_fn log, void *user) {
    pccd_context_def def;
    pccd_context *context = NULL;
    pccd_context_def_init(&def, sizeof def);
    def.thread_count = 2;
    def.log = log;
    def.log_user = user;
    CHECK(pccd_context_create(&def, &context) == PCCD_OK);
    return context;
}

static void from_the_callback(void) {
    listener self;
    pccd_view view = view_of(NULL, 0, 0, 7);
    section("calls from the log callback");
    memset(&self, 0, sizeof self);
    self.context = listening(reenter, &self);
    CHECK(self.infos == 1);
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_ccd_batch(self.context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL),
           "positions->format is 7");
    CHECK(self.batch == PCCD_ERR_BUSY && self.info == PCCD_ERR_BUSY && self.destroy == PCCD_ERR_BUSY);
    CHECK(self.errors == 1);
    CHECK(strcmp(self.last, pccd_last_error()) == 0);
    EXPECT(PCCD_ERR_PANIC, pccd_fault_panic(self.context), "asked to panic");
    CHECK(self.errors == 2 && strstr(self.last, "asked to panic") != NULL);
    EXPECT(PCCD_OK, pccd_context_destroy(self.context), "");
    CHECK(self.infos == 2 && self.errors == 2);
}

static void at_creation(void) {
    listener self;
    pccd_context_def def;
    pccd_context *context;
    memset(&self, 0, sizeof self);
    pccd_context_def_init(&def, sizeof def);
    def.log = reenter;
    def.log_user = &self;
    def.thread_count = 0;
    EXPECT(PCCD_ERR_INVALID_ARGUMENT, pccd_context_create(&def, &context), "def->thread_count is 0");
    CHECK(self.errors == 1 && strcmp(self.last, pccd_last_error()) == 0);
}

typedef struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int inside, may_leave;
    pccd_context *context;
    pccd_status status;
    char last[512];
} meeting;

/* Keeps the call that logs an error inside its context until told otherwise. */
static void stay(int32_t level, const char *message, void *user) {
    meeting *self = user;
    (void)message;
    if (level != PCCD_LOG_ERROR) return;
    pthread_mutex_lock(&self->mutex);
    self->inside = 1;
    pthread_cond_broadcast(&self->changed);
    while (!self->may_leave) pthread_cond_wait(&self->changed, &self->mutex);
    pthread_mutex_unlock(&self->mutex);
}

static void *fail_slowly(void *user) {
    meeting *self = user;
    self->status = pccd_ccd_batch(self->context, 77, NULL, 0, NULL, NULL);
    snprintf(self->last, sizeof self->last, "%s", pccd_last_error());
    return NULL;
}

static void from_two_threads(void) {
    meeting self;
    pthread_t thread;
    pccd_view view = view_of(NULL, 0, 0, PCCD_FORMAT_F64X3);
    pccd_context_info info;
    pccd_context *other = new_context(1, NULL);
    section("calls from two threads");
    memset(&self, 0, sizeof self);
    pthread_mutex_init(&self.mutex, NULL);
    pthread_cond_init(&self.changed, NULL);
    self.context = listening(stay, &self);
    fill_canary(&info, sizeof info);
    info.struct_size = sizeof info;

    CHECK(pthread_create(&thread, NULL, fail_slowly, &self) == 0);
    pthread_mutex_lock(&self.mutex);
    while (!self.inside) pthread_cond_wait(&self.changed, &self.mutex);
    pthread_mutex_unlock(&self.mutex);

    EXPECT(PCCD_ERR_BUSY, pccd_ccd_batch(self.context, PCCD_EDGE_EDGE, &view, 0, NULL, NULL), "context is 0x",
           "has not returned");
    EXPECT(PCCD_ERR_BUSY, pccd_context_info_get(self.context, &info), "context is 0x");
    EXPECT(PCCD_ERR_BUSY, pccd_context_destroy(self.context), "context is 0x");
    EXPECT(PCCD_ERR_BUSY, pccd_fault_panic(self.context), "context is 0x");
    CHECK(is_canary(&info.thread_count, sizeof info - sizeof info.struct_size));
    EXPECT(PCCD_OK, pccd_ccd_batch(other, PCCD_EDGE_EDGE, &view, 0, NULL, NULL), "");

    pthread_mutex_lock(&self.mutex);
    self.may_leave = 1;
    pthread_cond_broadcast(&self.changed);
    pthread_mutex_unlock(&self.mutex);
    CHECK(pthread_join(thread, NULL) == 0);

    /* The other thread has its own sentence, and the context is free again, for any thread. */
    CHECK(self.status == PCCD_ERR_INVALID_ARGUMENT && strstr(self.last, "kind is 77") != NULL);
    CHECK(strstr(pccd_last_error(), "has not returned") != NULL);
    EXPECT(PCCD_OK, pccd_context_info_get(self.context, &info), "");
    EXPECT(PCCD_OK, pccd_context_destroy(self.context), "");
    EXPECT(PCCD_OK, pccd_context_destroy(other), "");
    pthread_cond_destroy(&self.changed);
    pthread_mutex_destroy(&self.mutex);
}

void misuse_of_threads(void) {
    from_the_callback();
    at_creation();
    from_two_threads();
}
