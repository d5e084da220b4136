import CLMDB
import Synchronization

/// A store's LMDB environment: one instance per directory in a process, however often it is opened.
///
/// Every transaction of the process goes through it, so that the map moves only while none is active.
@usableFromInline package final class Environment: @unchecked Sendable {
  // SAFETY: `handle`, `mapSize`, `growsAhead`, `isPoisoned`, `lastReaderCheck`, `token`, `reservedEnd`,
  // `needsManifest`, `needsDirectorySynchronisation`, `sequence`, `keepsRecord`, `commitSeal`, `watch` and `mapEpoch` change only
  // under the writer lock, `handle`, `mapSize` and `mapEpoch` moreover only while the gate is shut and no reader is
  // active; readers read them after they passed the gate. `isCloseDeferred`, `fileEpoch`, `mapBase`,
  // `readerLook`, `notes` and `isSealed` are atomic. All else is immutable or thread-safe.

  /// The path of the directory.
  @usableFromInline package let directory: String
  let options: EnvironmentOptions
  let identity: FileIdentity
  let forkGeneration: UInt32
  /// Whether the store is read without a lock table, since it had none when it was opened.
  @usableFromInline package let isReadWithoutLocks: Bool
  /// Whether there was a manifest before the store was opened, so that something was committed to it.
  @usableFromInline package let hadManifest: Bool
  /// The pages that were checked since the store was opened; nil where all were checked then.
  let checkedPages: CheckedPages?
  let readers: ReaderPool
  let databases: DatabaseTable
  let writer = WriterLock()
  let orphans = OrphanedWrites()
  /// Made for the first commit: most processes that open a store only read it.
  lazy var token = CommitToken()
  /// Whether a record of the commits was seen in a store that need not have one.
  var keepsRecord = false
  /// Whether the process had a limit of the size of its files when it opened the store. Not asked for in each write, which
  /// takes microseconds in memory.
  let hasFileSizeLimit = FileSizeLimit.isSet
  let isCloseDeferred = Atomic<Bool>(false)

  var handle: OpaquePointer?
  var mapSize: Int
  /// Whether commits enlarge the map before it is full. False after the system has refused the address space.
  var growsAhead = true
  var isPoisoned = false
  /// Whether the name of the data file has to reach the disk before the next commit.
  var needsDirectorySynchronisation = false
  /// Whether the next commit has to write the manifest.
  var needsManifest: Bool
  var lastReaderCheck = monotonicNanoseconds()
  var reservedEnd = 0
  var sequence: UInt64 = 0
  /// Decides after which commits long readers are searched.
  var watch = ReaderWatch()
  /// Whether it is time to.
  let readerLook = Atomic<Bool>(false)
  let reportedReaders = OwnedLock(ReportedReaders())
  /// The reads that last from one use to the next.
  package let keptReads = KeptReads()
  /// Counts the data files that there were: a compaction exchanges the file under an open environment.
  let fileEpoch = Atomic<UInt32>(0)
  /// Counts the maps that there were; readers drop the trees that they know of another one.
  var mapEpoch: UInt64 = 0
  /// The address of the map: 0 before that was asked for.
  let mapBase = Atomic<UInt>(0)

  /// The notes about pages, retained; nil while nothing has asked for them.
  let notes = Atomic<UnsafeRawPointer?>(nil)

  /// Who gets failures that nothing can be thrown for.
  let failures = OwnedLock(FailureReports())

  /// Whether the values of trees are sealed.
  let isSealed = Atomic<Bool>(false)
  let sealingState = OwnedLock(SealingState())
  /// The last commit whose record this environment has written or verified.
  var commitSeal: CommitSeal?

  private static let nextNumber = Atomic<UInt32>(1)

  init(directory: borrowing StoreDirectory, options: EnvironmentOptions, opened: OpenedHandle) {
    self.directory = directory.path
    self.options = options
    identity = directory.identity
    forkGeneration = ForkGuard.generation.load(ordering: .relaxed)
    handle = opened.handle
    isReadWithoutLocks = opened.isWithoutLocks
    hadManifest = opened.hadManifest
    needsManifest = !opened.hadManifest && !options.isReadOnly
    checkedPages = opened.checkedPages
    mapSize = opened.mapSize
    var maximum: UInt32 = 0
    mdb_env_get_maxreaders(opened.handle, &maximum)
    readers = ReaderPool(capacity: Int(maximum))
    databases = DatabaseTable(
      limit: max(options.maxDatabases, 1),
      environment: Environment.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    )
  }

  /// Opens the store in a directory, or returns the environment that has it open in this process.
  ///
  /// Each call is matched by one ``close()``. The options of the first call stay in force.
  /// - Throws: `openOtherwise` when the open environment is weaker than asked for (read-only, or less
  ///   durable); `notAStore`, `truncated`, `damaged`, `versionMismatch` for files LMDB must not see;
  ///   `unsafePath`, `permissionDenied`, `remoteFileSystem`, `notFound` for the directory.
  package static func open(
    directory: String,
    options: EnvironmentOptions
  ) throws(LMDBError) -> Environment {
    ForkGuard.install()
    var attempt = 0
    while true {
      let place = try StoreDirectory(
        path: directory,
        creating: options.createsIfMissing,
        allowsGroup: options.allowsGroupWritableDirectory
      )
      do throws(LMDBError) {
        return try EnvironmentRegistry.shared.open(place, options)
      } catch {
        // Another process has deleted the store meanwhile, or put another directory in its place.
        attempt += 1
        guard !place.isNamed, attempt < 100 else { throw error }
      }
    }
  }

  /// Whether the group of the directory is trusted; see ``EnvironmentOptions/allowsGroupWritableDirectory``.
  package var allowsGroup: Bool { options.allowsGroupWritableDirectory }

  /// Opens the environment's directory and checks it once more.
  func openDirectory() throws(LMDBError) -> StoreDirectory {
    try StoreDirectory(
      path: directory,
      creating: false,
      allowsGroup: options.allowsGroupWritableDirectory
    )
  }

  /// Gives one reference back; the last one closes the store once all readers and the writer have ended.
  ///
  /// It waits for readers, except for those of the calling thread: then the store closes when they end.
  @usableFromInline package func close() {
    guard isSameProcess else { return }
    keptReads.endAll()
    EnvironmentRegistry.shared.close(self)
  }

  /// Whether the last reference was given back.
  @usableFromInline package var isClosed: Bool { readers.gateState & ReaderPool.Gate.ended != 0 }

  /// Whether this process has opened it, and was not forked off from the one that did.
  @usableFromInline package var isOfThisProcess: Bool { isSameProcess }

  @inline(__always)
  var isSameProcess: Bool { ForkGuard.generation.load(ordering: .relaxed) == forkGeneration }

  func checkUsable() throws(LMDBError) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !isClosed else { throw LMDBError(.environmentClosed, path: directory) }
  }
}
