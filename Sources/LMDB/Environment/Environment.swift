import CLMDB
import Synchronization

/// A store's LMDB environment. A process has one instance per directory, even if the store is opened several
/// times.
///
/// All transactions of the process use this instance, so that the map moves only while no transaction is
/// active.
@usableFromInline package final class Environment: @unchecked Sendable {
  // SAFETY: `handle`, `mapSize`, `growsAhead`, `isPoisoned`, `lastReaderCheck`, `token`, `reservedEnd`,
  // `needsManifest`, `needsDirectorySynchronisation`, `sequence`, `keepsRecord`, `lastWithoutRecord`,
  // `nextWithoutRecord`, `commitSeal`, `watch` and `mapEpoch` change only under the writer lock. `handle`,
  // `mapSize` and `mapEpoch` change only while, in addition, the gate is shut and no reader is active;
  // readers read them after they have passed the gate. `isCloseDeferred`, `fileEpoch`, `mapBase`,
  // `readerLook`, `notes` and `isSealed` are atomic. All other state is immutable or thread-safe.

  /// The path of the directory.
  @usableFromInline package let directory: String
  let options: EnvironmentOptions
  let identity: FileIdentity
  let forkGeneration: UInt32
  /// Whether the store is read without a lock table, because it had none when it was opened.
  @usableFromInline package let isReadWithoutLocks: Bool
  /// Whether a manifest existed before the store was opened, so that something was committed to the store.
  @usableFromInline package let hadManifest: Bool
  /// Records the pages that were checked since the store was opened; `nil` if opening checked all pages.
  let checkedPages: CheckedPages?
  let readers: ReaderPool
  let databases: DatabaseTable
  let writer = WriterLock()
  let orphans = OrphanedWrites()
  /// Created for the first commit, because most processes that open a store only read it.
  lazy var token = CommitToken()
  /// Whether a record of the commits was found in a store that need not have one.
  var keepsRecord = false
  /// The number of the last commit of this environment if that commit left the store without a record of its
  /// commits; otherwise 0. Closing the file resets it, because other processes may then replace the file.
  var lastWithoutRecord: UInt64 = 0
  /// The value of `lastWithoutRecord` if the current commit succeeds.
  var nextWithoutRecord: UInt64 = 0
  /// Whether the process had a limit on the size of its files when it opened the store. It is not queried in
  /// each write, because a write in memory takes only microseconds.
  let hasFileSizeLimit = FileSizeLimit.isSet
  let isCloseDeferred = Atomic<Bool>(false)

  var handle: OpaquePointer?
  var mapSize: Int
  /// Whether commits enlarge the map before it is full. `false` after the system has refused the address
  /// space.
  var growsAhead = true
  var isPoisoned = false
  /// Whether the name of the data file must reach the disk before the next commit.
  var needsDirectorySynchronisation = false
  /// Whether the next commit must write the manifest.
  var needsManifest: Bool
  var lastReaderCheck = monotonicNanoseconds()
  var reservedEnd = 0
  var sequence: UInt64 = 0
  /// Decides after which commits to search for long readers.
  var watch = ReaderWatch()
  /// Whether a search for long readers is due.
  let readerLook = Atomic<Bool>(false)
  let reportedReaders = OwnedLock(ReaderReport())
  /// The reads that stay open between uses.
  package let keptReads = LoopReads()
  /// A counter of the data files that the environment has used. A compaction replaces the file of an open
  /// environment.
  let fileEpoch = Atomic<UInt32>(0)
  /// A counter of the maps that the environment has used. Readers drop the trees that they know from another
  /// map.
  var mapEpoch: UInt64 = 0
  /// The address of the map, or 0 before it was determined.
  let mapBase = Atomic<UInt>(0)

  /// The retained notes about pages, or `nil` until they are first requested.
  let notes = Atomic<UnsafeRawPointer?>(nil)

  /// Receives the failures that no call can throw.
  let failures = OwnedLock(FailureReports())

  /// Whether the values of trees are sealed.
  let isSealed = Atomic<Bool>(false)
  let sealingState = OwnedLock(SealingState())
  /// The last commit whose record this environment has written or verified.
  var commitSeal: CommitSeal?

  private static let nextNumber = Atomic<UInt32>(1)

  init(directory: borrowing StoreDirectory, options: EnvironmentOptions, opened: EnvironmentHandle) {
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

  /// Opens the store in a directory, or returns the environment in which this process has it open.
  ///
  /// Each call must be balanced by a call of ``close()``. The options of the first call stay in force.
  ///
  /// - Throws: `openOtherwise` if the open environment offers less than requested (read-only, or less
  ///   durable); `notAStore`, `truncated`, `damaged`, `versionMismatch` for files that LMDB must not see;
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
        // Another process may have deleted the store in the meantime, or replaced the directory.
        attempt += 1
        guard !place.isNamed, attempt < 100 else { throw error }
      }
    }
  }

  /// Whether the directory's group is trusted; see ``EnvironmentOptions/allowsGroupWritableDirectory``.
  package var allowsGroup: Bool { options.allowsGroupWritableDirectory }

  /// Opens the environment's directory and checks it again.
  func openDirectory() throws(LMDBError) -> StoreDirectory {
    try StoreDirectory(
      path: directory,
      creating: false,
      allowsGroup: options.allowsGroupWritableDirectory
    )
  }

  /// Releases one reference. Releasing the last one closes the store after all readers and the writer have
  /// ended.
  ///
  /// The method waits for readers of other threads. If the calling thread is reading, the store closes when
  /// its reads end.
  @usableFromInline package func close() {
    guard isSameProcess else { return }
    keptReads.endAll()
    EnvironmentRegistry.shared.close(self)
  }

  /// Whether the last reference was released.
  @usableFromInline package var isClosed: Bool { readers.gateState & ReaderPool.Gate.ended != 0 }

  /// Whether this process has opened the environment, rather than being a fork of the process that did.
  @usableFromInline package var isOfThisProcess: Bool { isSameProcess }

  @inline(__always)
  var isSameProcess: Bool { ForkGuard.generation.load(ordering: .relaxed) == forkGeneration }

  func checkUsable() throws(LMDBError) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !isClosed else { throw LMDBError(.environmentClosed, path: directory) }
  }
}
