/// The point in time at which a commit reaches the disk.
@usableFromInline package enum Durability: Sendable {
  /// When `write` returns: every commit is synchronised.
  case full
  /// Some commits later: a power cut may undo the last commits but never damages the store.
  case relaxed
  /// Never: only for stores in memory, because a power cut can make a store on disk unreadable.
  case none
}

/// The part of a data file that is checked before it is used.
@usableFromInline package enum Verification: Sendable {
  /// The meta pages only, as far as LMDB needs them in order not to crash.
  case none
  /// Both meta pages and the file's size. A file that looks too short is walked in full.
  case quick
  /// The main tree, and every other page when it is first reached, before LMDB visits it. In a file of at
  /// most ``EnvironmentOptions/wholeVerificationBytes``, also the branch pages of all trees, and every page
  /// before the first write and before the first use of a tree's sizes.
  case automatic
  /// Every reachable page. Takes about 1 ms for each 2.5 MB in memory.
  case full
}

/// The settings with which an environment is opened.
@usableFromInline package struct EnvironmentOptions: Sendable {
  /// The address space in bytes that is reserved at first. It is at least twice the file's size if the system
  /// grants that much; otherwise it is halved until the system grants it.
  @usableFromInline package var mapSize: Int
  /// The size in bytes at which growth stops with ``LMDBError/Code/mapFull``.
  @usableFromInline package var maximumMapSize: Int
  /// The maximum number of concurrent readers, over all processes. The first process that opens the store
  /// decides.
  @usableFromInline package var maxReaders: Int = 510
  /// The maximum number of open named databases.
  @usableFromInline package var maxDatabases: Int = 256
  /// The point in time at which a commit reaches the disk.
  @usableFromInline package var durability: Durability = .full
  /// Whether writing is refused.
  @usableFromInline package var isReadOnly = false
  /// The part of the data file that is checked on opening.
  @usableFromInline package var verification: Verification = .automatic
  /// The file size in bytes up to which ``Verification/automatic`` checks every page before the first write.
  @usableFromInline package var wholeVerificationBytes = 16 << 20
  /// Whether no other process can open the directory, for example because the caller has locked its
  /// ``ScratchDirectory``.
  package var isPrivateToProcess = false
  /// Whether a remote file system is accepted. This is safe only if a single host uses the store.
  @usableFromInline package var allowsRemoteFileSystem = false
  /// Whether the directory's group is trusted. If so, the group may write to the directory and its files, and
  /// another user may own them, provided that the process is in the group.
  @usableFromInline package var allowsGroupWritableDirectory = false
  /// Whether a missing directory and store are created.
  @usableFromInline package var createsIfMissing = true
  /// Whether opening for reading creates a missing lock table. Without a lock table, a writer may reuse pages
  /// that are being read; see ``Environment/hasLockTable()``.
  @usableFromInline package var createsLockTable = true
  /// The time for which growth waits for this process's readers to end.
  @usableFromInline package var growthTimeout: Duration = .seconds(10)
  /// The interval at which writes search for readers of dead processes. A write also searches when it needs
  /// space.
  @usableFromInline package var staleReaderInterval: Duration = .seconds(30)
  /// The number of bytes to keep allocated beyond the end of the data file, for
  /// ``Environment/write(usingReserve:_:)``.
  @usableFromInline package var reservedBytes: Int = 0
  /// The number of bytes of sealed trees that are kept in clear between reads.
  package var openedPagesLimit = 256 << 20
  /// Whether the process is reopening an environment that it closed after a failure.
  var isReopening = false

  /// Creates the default settings.
  @usableFromInline package init() {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      mapSize = 16 << 30
      maximumMapSize = 1 << 46
    #else
      mapSize = 1 << 30
      maximumMapSize = 1 << 36
    #endif
  }
}
