// A library to preload: while the process says so, threads that the library or LMDB starts do not start. Those of Dispatch and of
// Foundation do: they try again on their own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

// 0: all threads start; 1: none; n: each n-th starts. Set by the process.
volatile int torture_thread_faults;
// The number of threads that did not start.
volatile int torture_threads_failed;

static int is_meant(void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && !strstr(info.dli_fname, "libdispatch") &&
         !strstr(info.dli_fname, "Foundation");
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  typedef int (*function_type)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static function_type next;
  static int calls;
  if (!next) next = (function_type)dlsym(RTLD_NEXT, "pthread_create");
  int faults = torture_thread_faults;
  if (faults && is_meant(__builtin_return_address(0)) &&
      (faults == 1 || __sync_add_and_fetch(&calls, 1) % faults != 0)) {
    __sync_add_and_fetch(&torture_threads_failed, 1);
    return EAGAIN;
  }
  return next(thread, attributes, start, argument);
}
