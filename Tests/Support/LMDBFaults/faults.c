#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <lmdb.h>
#include <sys/stat.h>
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

int faults_make_duplicates(const char *directory) {
  MDB_env *environment;
  MDB_txn *transaction;
  MDB_dbi items;
  mkdir(directory, 0700);
  int code = mdb_env_create(&environment);
  if (code) return code;
  mdb_env_set_maxdbs(environment, 4);
  if ((code = mdb_env_open(environment, directory, 0, 0600))) return code;
  if ((code = mdb_txn_begin(environment, NULL, 0, &transaction))) return code;
  if ((code = mdb_dbi_open(transaction, "items", MDB_CREATE | MDB_DUPSORT, &items))) return code;
  for (char number = 'a'; number < 'f'; number++) {
    MDB_val key = {3, "key"}, value = {1, &number};
    if ((code = mdb_put(transaction, items, &key, &value, 0))) return code;
  }
  code = mdb_txn_commit(transaction);
  mdb_env_close(environment);
  return code;
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
