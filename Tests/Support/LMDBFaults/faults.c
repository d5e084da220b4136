#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile enum fault armed;

void faults_arm(enum fault fault) { armed = fault; }

int faults_fork(int (*body)(void *), void *context) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) _exit(body(context));
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#ifdef __linux__
#include <sys/vfs.h>

/* The program's own definitions come before those of the C library, for liblmdb too. */

int fdatasync(int descriptor) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  if (armed == FAULT_SYNC || armed == FAULT_DEVICE) {
    if (armed == FAULT_SYNC) armed = FAULT_NONE;
    errno = EIO;
    return -1;
  }
  return real(descriptor);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  int is_meta = offset < 2 * 4096 && count < 4096;
  if (!is_meta || armed == FAULT_NONE || armed == FAULT_SYNC || armed == FAULT_REMOTE)
    return real(descriptor, bytes, count, offset);
  static int undoing;
  if (armed == FAULT_META) {
    armed = FAULT_NONE;
  } else if (armed == FAULT_META_DONE) {
    if (undoing) armed = FAULT_NONE;
    else real(descriptor, bytes, count, offset);
    undoing = !undoing;
  }
  errno = EIO;
  return -1;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

int fstatfs(int descriptor, struct statfs *info) {
  static int (*real)(int, struct statfs *);
  if (!real) real = (int (*)(int, struct statfs *))dlsym(RTLD_NEXT, "fstatfs");
  int result = real(descriptor, info);
  if (armed == FAULT_REMOTE) info->f_type = 0x6969;
  return result;
}
#endif
