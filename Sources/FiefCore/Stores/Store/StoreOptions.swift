import Dispatch
import Foundation
import LMDB

/// Settings of a store that few applications need to change.
public struct StoreOptions: Sendable {
  /// The guarantee of a commit.
  public enum Durability: Sendable {
    /// A commit that was reported is on the disk.
    case full
    /// A power cut may undo the last commits; the store stays consistent.
    case relaxed
  }

  /// The part of a store that is checked before it is used.
  public enum Verification: Sendable {
    /// The meta pages and the sizes: constant time.
    case quick
    /// The pages that lead to all others; each other page when it is first reached, by a read or a write. Of a store of at most
    /// ``StoreOptions/wholeVerificationBytes`` every page before the first write, and before the first count of objects.
    case automatic
    /// Every page: about a millisecond for each 2.5 megabytes that are in memory.
    case full

    var ofEnvironment: LMDB.Verification {
      switch self {
      case .quick: .quick
      case .automatic: .automatic
      case .full: .full
      }
    }
  }

  /// The output of failures that were not thrown, where no event handler gets them.
  public enum EventOutput: Sendable {
    /// Each place and kind is written to standard error once, with advice, and again when it has happened 10,
    /// 100, 1,000 times.
    case standardError
    /// Failures are dropped.
    case silent
  }

  /// The guarantee of a commit.
  public var durability: Durability = .full
  /// The part of the store that is checked before it is opened.
  public var verification: Verification = .automatic
  /// The size of the data file, in bytes, up to which `automatic` verification checks every page before the first write and before
  /// the first count of objects in a process. A page takes 1.6 microseconds where it is in memory: 16 MiB take 7 milliseconds.
  public var wholeVerificationBytes = 16 << 20
  /// Whether the store is opened for reading only.
  public var isReadOnly = false
  /// The key of an encrypted store; nil for a store in clear. The product `FiefEncryption` has it.
  ///
  /// A store that is made with a key keeps nothing of its objects' values in clear on the disk. Opening an encrypted store without
  /// a key fails with ``FiefError/Code/encrypted``, with another one with ``FiefError/Code/wrongKey``, and a store in clear with
  /// a key with ``FiefError/Code/notEncrypted``, unless ``DatabaseConfigurable/encryptClearStore()`` opens it: see <doc:Encrypting>.
  public var encryption: StoreEncryption?
  /// The address space that the store takes at first, in bytes; it grows by itself. The map is twice the size of a larger file, if the system has the address space.
  /// nil: a default for the system, 16 GiB on 64-bit Linux and 1 GiB elsewhere.
  public var initialMapSize: Int?
  /// The limit of the growth, in bytes; nil: a default for the system.
  public var maximumMapSize: Int?
  /// The greatest number of simultaneous readers, in all processes.
  public var maximumReaders = 510
  /// The number of writes that may wait in the queue; further producers wait until there is space.
  public var maximumPendingWrites = 4096
  /// The number of bytes of encoded objects that may wait in the queue.
  public var maximumPendingBytes = 64 << 20
  /// The number of bytes of encoded objects that may wait in calls of methods with a completion handler:
  /// their callers are not held up, so that only memory bounds the objects that a fast loop saves to a slow
  /// disk. Each call counts as 512 bytes at least. A call beyond the limit changes nothing, and its handler
  /// gets an error of code `writeQueueFull`. One that is larger than the limit is taken where no other waits.
  public var maximumWaitingBytes = 256 << 20
  /// The queue on which completion handlers are called. With nil they are called where the caller of the method
  /// is isolated, such as on the main actor, and for a caller that is not isolated on a thread of the store.
  ///
  /// Handlers of one store are called on it in the order of the calls, also where the queue is concurrent: one at a time.
  public var completionQueue: DispatchQueue?
  /// The number of bytes of memory that the sort of a query may use; keys beyond it go to a temporary file.
  public var maximumSortBytes = 64 << 20
  /// The number of bytes of the disk that are kept for deleting, so that objects can be deleted when the disk is
  /// full: with `delete` and `deleteAll` of the repository. Any other write fails with `storeFull` before it would
  /// use them. One deletion changes no more pages than fit: delete thousands of objects in parts. 0 keeps none.
  public var reservedBytes = 512 << 10
  /// Whether ``UpdatePolicy/modified`` adds an object again that was read from the store and deleted since: with
  /// all the values that it was read with. Otherwise such a save fails with ``FiefError/Code/objectNotFound``. So does a save of an
  /// object that links an object deleted since, which the option adds again too.
  ///
  /// An object with a large collection that was not loaded before the deletion cannot be added again: its save fails with
  /// ``FiefError/Code/conflict``.
  public var reinsertsDeletedObjects = false
  /// Whether observations of results, lists, sets and maps without key paths also report changes of linked objects, through at most
  /// four links, as Realm does. The object that links a changed one counts as modified. Observations of single objects are about
  /// the object alone in both cases. A store that is opened with a `Realm.Configuration` has the option.
  ///
  /// Such an observation reads what its objects link when it begins, and again after each commit that changes an object of a type
  /// within reach: each linked object is read at most four times, however many objects link it. Classes without links cost nothing
  /// more. With key paths an observation reads only what they name. The option of the first repository that opens the store holds
  /// until it is closed.
  public var observesLinkedObjects = false
  /// Whether a store on a network file system is opened; LMDB does not support it.
  public var allowsRemoteFileSystem = false
  /// Whether the group of the store's directory is trusted: it may write to the directory and its files, and these may belong to
  /// another user, if the process is in the group. Kubernetes makes volumes with an `fsGroup` like that.
  ///
  /// Otherwise such a store is not opened. A directory or file that all users may write to is never opened. If the group may write
  /// to the directory, the files that Fief makes in it can be used by the group too (0660, whatever the umask); a directory that
  /// Fief makes is its user's own (0700). Every member of the group can read the store, change and delete it.
  public var allowsGroupWritableDirectory = false
  /// Whether a store of an older schema version is migrated when a repository opens it.
  ///
  /// With false, opening such a store fails with `migrationRequired` and changes nothing: for servers, where the
  /// migration runner (`FiefCommands`) migrates with a backup before the new release starts. A new store is made all
  /// the same, and a store in memory, which no runner can reach, is migrated. The runner migrates in both cases.
  public var migratesOnOpen = true
  /// Whether the store is deleted and created again where it would have to be migrated, or could not be: where its
  /// version or its schema differs from the declared one. For development; a store that is opened for reading
  /// only is never deleted.
  public var deletesIfMigrationNeeded = false
  /// The store that a new one begins as a copy of: the path of its directory or of its `data.mdb`; nil for an
  /// empty beginning.
  ///
  /// It is copied where the store does not exist yet, and then migrated as any other. The copy is verified and
  /// on the disk before it becomes the store; where it cannot be made, opening fails and there is no store. It
  /// has its source's identity and its schema version. A store that is opened for reading only is not made.
  public var seedFile: String?
  /// Whether a store on disk is compacted before it is opened; nil compacts none.
  ///
  /// ```swift
  /// options.shouldCompactOnLaunch = { total, used in total > 50 << 20 && used * 2 < total }
  /// ```
  /// It is called once for each opening, before anything else uses the store, with the bytes of its file and
  /// those that are in use; not where another process has the store open, or where it is opened for reading
  /// only. True compacts: a copy without the free pages replaces the file in one step. A failure leaves the
  /// file as it was, is reported as ``StoreEvent/compactionFailed(store:error:)``, and the store opens.
  public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
  /// Gets the events of the store, in place of standard error. Called on the thread where the event happens, which may
  /// be in the middle of a read or a write.
  public var eventHandler: (@Sendable (StoreEvent) -> Void)?

  /// The source of all times that the store writes or compares, such as those of derived properties of the kind
  /// ``Derivation/lastChange``. Called on any thread, also inside of a write; it must not use the store.
  ///
  /// ```swift
  /// options.clock = { Date(timeIntervalSinceReferenceDate: 800_000_000) }
  /// ```
  /// The clock of the first repository that opens the store holds until it is closed.
  public var clock: @Sendable () -> Date = { Date() }

  /// The monotonic clock of the intervals of throttled observers, such as `observe(every:)`.
  ///
  /// A test gives one that it moves by hand. A thread of the store looks at another clock than the system's every two
  /// milliseconds while an interval goes on. The clock of the first repository that opens the store holds until it is closed.
  public var intervalClock: any Clock<Duration> {
    get { givenClock ?? ContinuousClock() }
    set { givenClock = newValue }
  }
  /// The clock that was given; nil for the system's, which needs no type of the runtime then.
  var givenClock: (any Clock<Duration>)?

  /// Whether expired objects of classes with a ``Lifetime`` are deleted in the background once the store was opened, in
  /// commits of 1,000; a failure is ``StoreEvent/failedCaching(store:type:error:)``. Nothing is deleted in a store that
  /// was opened for reading only.
  public var sweepsExpiredOnOpen = false

  /// The bounds of what the store may be used for, with their handlers. A store with budgets keeps its usage.
  ///
  /// ```swift
  /// options.budgets = [Budget(.reads, limit: 50_000, per: .day) { notice in print(notice.used) }]
  /// ```
  /// The budgets of the first repository that opens the store hold until it is closed.
  public var budgets: [Budget] = []
  /// Whether the store keeps what is read from and written to it in the hour, in the day and ever, also where it has no
  /// ``budgets``: for `fief stats --usage` and ``Store/usage(per:)``. It costs a commit a second at most while the store is used.
  public var keepsUsage = false

  /// The time in seconds beyond which a query is the event ``StoreEvent/slowQuery(store:_:)``; nil for none. Look-ups by a key are no
  /// queries. The event goes to the ``eventHandler`` only, on the thread of the query and inside of its read.
  ///
  /// An iteration is measured by the time that its batches take, without that of the loop's body, and is one event, as soon as they
  /// have taken longer together. The queries of an observer are measured too, on the thread that evaluates it: each time that they
  /// run, which is when it begins and after commits that single changed objects do not explain.
  public var slowQueryThreshold: Double? = 0.1
  /// The time in seconds beyond which a commit is the event ``StoreEvent/slowCommit(store:_:)``; nil for none. The event goes to
  /// the ``eventHandler`` only, on the thread of the commit.
  public var slowCommitThreshold: Double? = 0.5
  /// The clock by which the two are measured, in nanoseconds; nil for the system's. For tests.
  package var durationClock: (@Sendable () -> Int)?

  /// The output of failures where there is no ``eventHandler``.
  public var eventOutput: EventOutput = .standardError
  /// The fingerprint of this process's tables of Unicode; nil for a hash of them. For tests.
  package var unicodeFingerprint: UInt64?

  /// Makes the default settings.
  public init() {}

  /// The limits of slow queries and commits; nothing is measured where no handler would get the events.
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
