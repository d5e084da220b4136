#ifndef LMDB_FAULTS_H
#define LMDB_FAULTS_H

/* Failures of the system calls of this process, for tests that run in a process of their own. */

enum fault {
  FAULT_NONE = 0,
  /* The next fdatasync fails with EIO. */
  FAULT_SYNC = 1,
  /* The next write of a meta page fails with EIO and writes nothing. */
  FAULT_META = 2,
  /* The next write of a meta page takes place and fails with EIO, and what undoes it is lost. */
  FAULT_META_DONE = 3,
  /* Every directory is on NFS. */
  FAULT_REMOTE = 4,
  /* Every fdatasync and every write of a meta page fails with EIO. */
  FAULT_DEVICE = 5,
};

void faults_arm(enum fault fault);

/* Runs `body` in a forked child and returns its result; -1 when the child was killed. */
int faults_fork(int (*body)(void *context), void *context);

/* Makes a store whose database `items` has duplicates, as other programs may; returns LMDB's code. */
int faults_make_duplicates(const char *directory);

#endif
