import CLMDB
import Synchronization

/// A store's LMDB environment: one instance per directory in a process, however often it is opened.
///
/// Every transaction of the process goes through it, so that the map moves only while none is active.
public final class Environment: @unchecked Sendable {
  // SAFETY: `handle`, `mapSize`, `isPoisoned`, `lastReaderCheck`, `token`,
  // `reservedEnd`, `sequence` and `mapEpoch` change only under the
  // writer lock, `handle`, `mapSize` and `mapEpoch` moreover only while the gate is shut and no reader is
  // active; readers look at them after they passed the gate. `isCloseDeferred` and `mapBase` are atomic. All else is immutable or thread-safe.

  /// The path of the directory.
  public let directory: String
  let options: EnvironmentOptions
  let identity: FileIdentity
  let forkGeneration: UInt32
  /// Whether the store is read without a lock table, since it had none when it was opened.
  public let isReadWithoutLocks: Bool
  let readers: ReaderPool
  let databases: DatabaseTable
  let writer = WriterLock()
  /// Made for the first commit: most processes that open a store only read it.
  lazy var token = CommitToken()
  let isCloseDeferred = Atomic<Bool>(false)

  var handle: OpaquePointer?
  var mapSize: Int
  var isPoisoned = false
  var lastReaderCheck = monotonicNanoseconds()
  var reservedEnd = 0
  var sequence: UInt64 = 0
  /// Counts the maps that there were; readers that know trees of another one forget them.
  var mapEpoch: UInt64 = 0
  /// Where the map begins: 0 when nobody has looked yet.
  let mapBase = Atomic<UInt>(0)

  private static let nextNumber = Atomic<UInt32>(1)

  init(directory: borrowing StoreDirectory, options: EnvironmentOptions, opened: OpenedHandle) {
    self.directory = directory.path
    self.options = options
    identity = directory.identity
    forkGeneration = ForkGuard.generation.load(ordering: .relaxed)
    handle = opened.handle
    isReadWithoutLocks = opened.isWithoutLocks
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
  /// - Throws: `incompatible` when the open environment is weaker than asked for (read-only, or less
  ///   durable); `notAStore`, `truncated`, `damaged`, `versionMismatch` for files LMDB must not see;
  ///   `unsafePath`, `permissionDenied`, `remoteFileSystem`, `notFound` for the directory.
  public static func open(
    directory: String,
    options: EnvironmentOptions
  ) throws(LMDBError) -> Environment {
    ForkGuard.install()
    let place = try StoreDirectory(path: directory, creating: options.createsIfMissing)
    return try EnvironmentRegistry.shared.open(place, options)
  }

  /// Gives one reference back; the last one closes the store once all readers and the writer have ended.
  ///
  /// It waits for them, except for those of the calling thread: then the store closes when they end.
  public func close() {
    guard isSameProcess else { return }
    EnvironmentRegistry.shared.close(self)
  }

  /// Whether the last reference was given back.
  public var isClosed: Bool { readers.gateState & ReaderPool.Gate.ended != 0 }

  @inline(__always)
  var isSameProcess: Bool { ForkGuard.generation.load(ordering: .relaxed) == forkGeneration }

  func checkUsable() throws(LMDBError) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !isClosed else { throw LMDBError(.environmentClosed, path: directory) }
  }
}
