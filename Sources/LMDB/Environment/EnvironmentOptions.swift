/// The moment at which a commit is on the disk.
@usableFromInline package enum Durability: Sendable {
  /// At the return of `write`: every commit is synchronised.
  case full
  /// Some commits later: a power cut may undo the last ones but never damages the store.
  case relaxed
  /// Never: for stores in memory only, since a power cut can make a store on disk unreadable.
  case none
}

/// The part of a data file that is checked before it is used.
@usableFromInline package enum Verification: Sendable {
  /// The meta pages only as far as LMDB needs them to be right not to crash.
  case none
  /// Both meta pages and the file's size; a file that looks short is walked in full.
  case quick
  /// The main tree; each other page when it is first reached, before LMDB goes through it. In a file of at most
  /// ``EnvironmentOptions/wholeVerificationBytes`` the branch pages of all trees too, and every page before the first write and
  /// before the first use of the sizes of a tree.
  case automatic
  /// Every page that can be reached, about 1 ms for each 2.5 MB that are in memory.
  case full
}

/// The settings an environment is opened with.
@usableFromInline package struct EnvironmentOptions: Sendable {
  /// The address space in bytes that is reserved at first: at least twice the file, if the system grants it; halved if it does not.
  @usableFromInline package var mapSize: Int
  /// The size in bytes at which growth stops with ``LMDBError/Code/mapFull``.
  @usableFromInline package var maximumMapSize: Int
  /// The number of readers at a time, over all processes; the first process to open the store decides.
  @usableFromInline package var maxReaders: Int = 510
  /// The number of named databases that can be open.
  @usableFromInline package var maxDatabases: Int = 256
  /// The moment at which a commit is on the disk.
  @usableFromInline package var durability: Durability = .full
  /// Whether writing is refused.
  @usableFromInline package var isReadOnly = false
  /// The part of the data file that is checked on opening.
  @usableFromInline package var verification: Verification = .automatic
  /// The size in bytes up to which ``Verification/automatic`` checks every page of a data file at once, before the first write.
  @usableFromInline package var wholeVerificationBytes = 16 << 20
  /// Whether a remote file system is accepted; only right where one host alone uses the store.
  @usableFromInline package var allowsRemoteFileSystem = false
  /// Whether the directory's group is trusted: it may write to the directory and its files, and their owner may be another
  /// user, if the process is in the group.
  @usableFromInline package var allowsGroupWritableDirectory = false
  /// Whether a missing directory and store are made.
  @usableFromInline package var createsIfMissing = true
  /// Whether opening for reading only makes a lock table where there is none. Without one nothing keeps a
  /// writer from using the pages that are being read; see ``Environment/hasLockTable()``.
  @usableFromInline package var createsLockTable = true
  /// The time for which growth waits for this process's readers to end.
  @usableFromInline package var growthTimeout: Duration = .seconds(10)
  /// The interval between a write's searches for readers of processes that have died, besides those when it
  /// needs space.
  @usableFromInline package var staleReaderInterval: Duration = .seconds(30)
  /// Bytes kept allocated behind the end of the data file, for ``Environment/write(usingReserve:_:)``.
  @usableFromInline package var reservedBytes: Int = 0
  /// The number of bytes of sealed trees that are kept in clear from one read to the next.
  package var openedPagesLimit = 256 << 20
  /// Whether the process reopens an environment that it has closed after a failure.
  var isReopening = false

  /// Makes the default settings.
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
