import Dispatch
import Foundation
import LMDB

/// Settings of a store that few applications need to change.
public struct StoreOptions: Sendable {
  /// The durability of a commit.
  public enum Durability: Sendable {
    /// A reported commit is on the disk.
    case full
    /// A power cut may undo the last commits; the store stays consistent.
    case relaxed
  }

  /// How thoroughly a store is checked before it is used.
  public enum Verification: Sendable {
    /// Checks the meta pages and the sizes, in constant time.
    case quick
    /// Checks the pages through which all others are reached when the store is opened, and every other page
    /// when a read or a write first reaches it. In a store of at most
    /// ``StoreOptions/wholeVerificationBytes``, every page is checked before the first write and before the
    /// first count of objects.
    case automatic
    /// Checks every page. This takes about a millisecond for each 2.5 megabytes that are in memory.
    case full

    var ofEnvironment: LMDB.Verification {
      switch self {
      case .quick: .quick
      case .automatic: .automatic
      case .full: .full
      }
    }
  }

  /// The destination of failures that no call can throw, if there is no event handler.
  public enum EventOutput: Sendable {
    /// Writes each failure to standard error once, with advice, and again when it has happened 10, 100 and
    /// 1,000 times. Failures are counted by location and kind.
    case standardError
    /// Drops failures.
    case silent
  }

  /// The durability of a commit.
  public var durability: Durability = .full
  /// How thoroughly the store is checked before it is used.
  public var verification: Verification = .automatic
  /// The maximum size of a data file, in bytes, for which `automatic` verification checks every page before
  /// the first write and before the first count of objects in a process. A page in memory takes 1.6
  /// microseconds: 16 MiB take 7 milliseconds.
  public var wholeVerificationBytes = 16 << 20
  /// A Boolean value that indicates whether the store is opened only for reading.
  public var isReadOnly = false
  /// The key of an encrypted store, or `nil` for an unencrypted store. The product `FiefEncryption` provides
  /// keys.
  ///
  /// A store that is created with a key never writes its objects' values to the disk in clear. Opening an
  /// encrypted store fails with ``FiefError/Code/encrypted`` without a key, and with
  /// ``FiefError/Code/wrongKey`` with another key. Opening an unencrypted store with a key fails with
  /// ``FiefError/Code/notEncrypted``, unless ``DatabaseConfigurable/encryptClearStore()`` opens it: see
  /// <doc:Encrypting>.
  public var encryption: StoreEncryption?
  /// The address space that the store reserves at first, in bytes. It grows automatically. If the file is
  /// larger, twice the size of the file is reserved, if the system provides this much address space. `nil`
  /// selects the default of the system: 16 GiB on 64-bit Linux and 1 GiB elsewhere.
  public var initialMapSize: Int?
  /// The limit to which the address space grows, in bytes; `nil` selects a default for the system.
  public var maximumMapSize: Int?
  /// The maximum number of simultaneous readers in all processes.
  public var maximumReaders = 510
  /// The maximum number of writes that wait in the queue. Further callers wait until there is space.
  public var maximumPendingWrites = 4096
  /// The maximum number of bytes of encoded objects that wait in the queue.
  public var maximumPendingBytes = 64 << 20
  /// The maximum number of bytes of encoded objects that wait in calls of methods with a completion handler.
  ///
  /// These methods do not block their callers. Without this limit, a fast loop that saves to a slow disk
  /// could fill the memory. Each call counts as at least 512 bytes. A call beyond the limit changes nothing,
  /// and its handler receives an error of code `writeQueueFull`. A call that is larger than the limit is
  /// accepted if no other call waits.
  public var maximumWaitingBytes = 256 << 20
  /// The queue on which completion handlers are called. With `nil`, they are called in the isolation of the
  /// method's caller, such as on the main actor. If the caller has no isolation, they are called on a thread
  /// of the store.
  ///
  /// The handlers of one store are called one at a time, in the order of the calls, even if the queue is
  /// concurrent.
  public var completionQueue: DispatchQueue?
  /// The number of bytes of memory that the sort of a query may use. Further keys are written to a temporary
  /// file.
  public var maximumSortBytes = 64 << 20
  /// The disk space, in bytes, that is reserved for deletions, so that you can delete objects when the disk
  /// is full.
  ///
  /// Only `delete` and `deleteAll` of the repository use this space, and removals from a JSON tree; any other
  /// write fails with `storeFull` before it would use it. The space limits the number of pages that one
  /// deletion can change, so delete thousands of objects in parts. 0 reserves nothing.
  public var reservedBytes = 512 << 10
  /// A Boolean value that indicates whether ``UpdatePolicy/modified`` adds an object again if it was deleted
  /// after it was read. The object is added with all values that it had when it was read.
  ///
  /// If the value is false, saving such an object fails with ``FiefError/Code/objectNotFound``. The same
  /// applies to an object that links to a deleted object: the save fails, or with this option adds the linked
  /// object again too.
  ///
  /// An object cannot be added again if it has a large collection that was not loaded before the deletion.
  /// Saving it fails with ``FiefError/Code/conflict``.
  public var reinsertsDeletedObjects = false
  /// A Boolean value that indicates whether observations of results, lists, sets and maps without key paths
  /// also report changes of linked objects, through at most four links, as Realm does.
  ///
  /// An object that links to a changed object counts as modified. Observations of single objects report only
  /// changes of the object itself in both cases; with this option, these include the deletion of an object in
  /// one of its values of type `AnyRealmValue`. A store that is opened with a `Realm.Configuration` has this
  /// option.
  ///
  /// Such an observation reads the linked objects when it begins, and again after each commit that changes an
  /// object of a type that it can reach. It reads each linked object at most four times, however many objects
  /// link to it. Classes without links have no additional cost. With key paths, an observation reads only the
  /// objects on these paths. The option of the first repository that opens the store applies until the store
  /// is closed.
  public var observesLinkedObjects = false
  /// A Boolean value that indicates whether a store on a network file system may be opened. LMDB does not
  /// support network file systems.
  public var allowsRemoteFileSystem = false
  /// A Boolean value that indicates whether the group of the store's directory is trusted.
  ///
  /// If the process belongs to the group, members of a trusted group may write to the directory and its
  /// files, and these may belong to another user. For example, Kubernetes creates such volumes with an
  /// `fsGroup`. Otherwise such a store is not opened. A directory or file to which all users may write is
  /// never opened.
  ///
  /// If the group may write to the directory, the group can also use the files that Fief creates in it (0660,
  /// whatever the umask). A directory that Fief creates is accessible only to its user (0700). Every member
  /// of the group can read, change and delete the store.
  public var allowsGroupWritableDirectory = false
  /// A Boolean value that indicates whether a store of an older schema version is migrated when a repository
  /// opens it.
  ///
  /// If it is false, opening such a store fails with `migrationRequired` and changes nothing. This is for
  /// servers on which the migration runner (`FiefCommands`) migrates with a backup before the new release
  /// starts. In both cases a new store is created, a store in memory is migrated because no runner can reach
  /// it, and the runner migrates.
  public var migratesOnOpen = true
  /// A Boolean value that indicates whether the store is deleted and created again if its version or its
  /// schema differs from the declared one, even if it could be migrated. For development only.
  ///
  /// A store that is opened only for reading is never deleted.
  public var deletesIfMigrationNeeded = false
  /// The path of a store from which a new store is copied: its directory or its `data.mdb`. With `nil`, a new
  /// store is empty.
  ///
  /// If the store does not exist yet, the source is copied and then migrated like any other store. The copy
  /// is verified and synced to the disk before it becomes the store. If copying fails, opening fails and no
  /// store is created. The copy has the identity and the schema version of its source. A store that is opened
  /// only for reading is not created.
  public var seedFile: String?
  /// A closure that decides whether a store on disk is compacted before it is opened. With `nil`, stores are
  /// not compacted.
  ///
  /// ```swift
  /// options.shouldCompactOnLaunch = { total, used in total > 50 << 20 && used * 2 < total }
  /// ```
  /// The closure is called once for each opening, before anything else uses the store, with the number of
  /// bytes of its file and the number of bytes in use. It is not called if another process has the store
  /// open, or if the store is opened only for reading. If it returns true, a copy without the free pages
  /// replaces the file in one step. If compacting fails, the file stays unchanged, the failure is reported as
  /// ``StoreEvent/compactionFailed(store:error:)``, and the store is opened.
  public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
  /// A closure that receives the events of the store in place of standard error. It is called on the thread
  /// of the event, which may be in the middle of a read or a write.
  public var eventHandler: (@Sendable (StoreEvent) -> Void)?

  /// The source of all times that the store writes or compares, such as the values of derived properties of
  /// the kind ``Derivation/lastChange``. It may be called on any thread, even in a write; it must not use the
  /// store.
  ///
  /// ```swift
  /// options.clock = { Date(timeIntervalSinceReferenceDate: 800_000_000) }
  /// ```
  /// The clock of the first repository that opens the store applies until the store is closed.
  public var clock: @Sendable () -> Date = { Date() }

  /// The source of random bytes for generated names, such as the names of new children of a JSON tree.
  ///
  /// ```swift
  /// options.randomBytes = { Array(repeating: 0, count: $0) }
  /// ```
  /// A test can set a source whose bytes can be repeated. It may be called on any thread, and it must not use
  /// the store. Missing bytes count as 0. Keys and nonces of encrypted stores do not use it.
  public var randomBytes: @Sendable (_ count: Int) -> [UInt8] = StoreOptions.systemBytes

  @Sendable private static func systemBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      withUnsafeBytes(of: UInt64.random(in: .min ... .max)) {
        bytes.append(contentsOf: $0.prefix(count - bytes.count))
      }
    }
    return bytes
  }

  /// The monotonic clock for the intervals of throttled observers, such as `observe(every:)`.
  ///
  /// A test can set a clock that it advances itself. A thread of the store reads such a clock every two
  /// milliseconds while an interval runs. The clock of the first repository that opens the store applies
  /// until the store is closed.
  public var intervalClock: any Clock<Duration> {
    get { givenClock ?? ContinuousClock() }
    set { givenClock = newValue }
  }
  /// The clock that was set, or `nil` for the system's clock. An optional avoids instantiating a generic type
  /// at run time.
  var givenClock: (any Clock<Duration>)?

  /// A Boolean value that indicates whether expired objects of classes with a ``Lifetime`` are deleted in the
  /// background after the store is opened, in commits of 1,000 objects.
  ///
  /// A failure is reported as ``StoreEvent/failedCaching(store:type:error:)``. Nothing is deleted in a store
  /// that is opened only for reading.
  public var sweepsExpiredOnOpen = false

  /// The budgets of the store, with their handlers. A store with budgets saves its usage.
  ///
  /// ```swift
  /// options.budgets = [Budget(.reads, limit: 50_000, per: .day) { notice in print(notice.used) }]
  /// ```
  /// The budgets of the first repository that opens the store apply until the store is closed.
  public var budgets: [Budget] = []
  /// A Boolean value that indicates whether the store saves counts of its reads and writes per hour, per day
  /// and in total, even without ``budgets``.
  ///
  /// `fief stats --usage` and ``Store/usage(per:)`` show the counts. Saving them costs at most one commit per
  /// second while the store is used.
  public var keepsUsage = false

  /// The time in seconds after which a query is reported as ``StoreEvent/slowQuery(store:_:)``, or `nil` to
  /// report no queries. Lookups by a key are not queries. Only the ``eventHandler`` receives the event, on
  /// the thread of the query and during its read.
  ///
  /// For an iteration, the times of its batches are added, without the time of the loop's body. The iteration
  /// is reported once, as soon as the sum exceeds the limit. The queries of an observer are measured too, on
  /// the thread that evaluates it. They run when the observation begins, and after commits whose effect
  /// cannot be derived from individual changed objects.
  public var slowQueryThreshold: Double? = 0.1
  /// The time in seconds after which a commit is reported as ``StoreEvent/slowCommit(store:_:)``, or `nil` to
  /// report no commits. Only the ``eventHandler`` receives the event, on the thread of the commit.
  public var slowCommitThreshold: Double? = 0.5
  /// The clock that measures queries and commits, in nanoseconds; `nil` for the system's clock. For tests.
  package var durationClock: (@Sendable () -> Int)?

  /// The destination of failures if there is no ``eventHandler``.
  public var eventOutput: EventOutput = .standardError
  /// The fingerprint to use for this process's Unicode tables; `nil` for a hash of the tables. For tests.
  package var unicodeFingerprint: UInt64?

  /// Creates the default settings.
  public init() {}

  /// The limits for slow queries and commits. Nothing is measured if no handler would receive the events.
  var slowness: Slowness {
    guard eventHandler != nil else { return Slowness(query: nil, commit: nil, clock: nil) }
    return Slowness(query: slowQueryThreshold, commit: slowCommitThreshold, clock: durationClock)
  }

  var environment: EnvironmentOptions {
    var options = EnvironmentOptions()
    if let initialMapSize { options.mapSize = initialMapSize }
    if let maximumMapSize { options.maximumMapSize = maximumMapSize }
    options.maxReaders = maximumReaders
    options.durability = durability == .full ? .full : .relaxed
    options.verification = verification.ofEnvironment
    options.wholeVerificationBytes = wholeVerificationBytes
    options.isReadOnly = isReadOnly
    options.reservedBytes = isReadOnly ? 0 : max(0, reservedBytes)
    options.allowsRemoteFileSystem = allowsRemoteFileSystem
    options.allowsGroupWritableDirectory = allowsGroupWritableDirectory
    options.createsIfMissing = !isReadOnly
    return options
  }
}
