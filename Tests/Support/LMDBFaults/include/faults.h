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
  /* The next write of a meta page takes place and fails with EIO; from then on it is as with FAULT_DEVICE. */
  FAULT_META_DONE_DEVICE = 6,
  /* The next write of a meta page fails with EIO and writes nothing; from then on it is as with FAULT_DEVICE. */
  FAULT_META_DEVICE = 7,
  /* The next fdatasync but one fails with EIO. */
  FAULT_SECOND_SYNC = 8,
  /* Every fsync of a directory with a lock table, or with one in a store called `store`, fails with EIO. */
  FAULT_DIRECTORY = 9,
  /* The next environment that is opened for writing is not opened, with EIO. */
  FAULT_OPENING = 10,
  /* The next change of the size of an open environment's map fails with ENOMEM. */
  FAULT_RESIZING = 11,
  /* The same, and the environment cannot be opened once after it. */
  FAULT_RESIZING_LOST = 12,
  /* Of private memory without a reservation no 1 MiB is mapped at once: mmap fails with ENOMEM. */
  FAULT_MAPPING = 13,
  /* The same for writable memory only, as where the system counts it. */
  FAULT_COUNTING = 14,
  /* The same, and no memory becomes writable: mprotect fails with ENOMEM. */
  FAULT_PROTECTING = 15,
};

/* How often the size of a map was refused since a fault was armed. */
int faults_resizes(void);

void faults_arm(enum fault fault);

/* No write of this process goes beyond this offset of a file, as on a file system in memory that is full: one that begins
   before it ends early, others fail with ENOSPC. Every file is said to be on such a file system, with room left again, as
   when another process has removed a file meanwhile. 0 ends it. */
void faults_limit(long bytes);

/* How many writes did not get the room that they asked for, since a limit was set. */
int faults_limited(void);

/* How often fdatasync has succeeded since a fault was armed. */
int faults_syncs(void);

/* Runs `body` in a forked child and returns its result; -1 when the child was killed. */
int faults_fork(int (*body)(void *context), void *context);

/* The library says that it has this version. */
void faults_version(int major, int minor, int patch);

/* Calls `body` once, before the size of an environment's map is set for the next time. */
void faults_before_resize(void (*body)(void));

/* Makes a store whose database `items` has duplicates, as other programs may; returns LMDB's code. */
int faults_make_duplicates(const char *directory);

#endif
