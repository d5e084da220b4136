import LMDB

/// A repository's description of its store, as values: what crosses to wherever the store is opened.
struct StoreConfiguration: Sendable {
  var name: String
  var memoryType: RealmMemoryType
  /// The directory that the store's own directory is in; nil for the default.
  var parentDirectory: String?
  var schemaVersion: UInt64
  var schema: DeclaredSchema
  var migrationBlock: MigrationBlock?
  var migrationPlan: MigrationPlan?
  var options: StoreOptions
  /// Whether commits wait for the disk, as far as the options say so.
  var isSynchronized = true
}

/// Settings of a store that few applications need to change.
public struct StoreOptions: Sendable {
  /// What a commit promises.
  public enum Durability: Sendable {
    /// A commit that was reported is on the disk.
    case full
    /// A power cut may undo the last commits; the store stays whole.
    case relaxed
  }

  /// How much of a store is looked at before it is opened.
  public enum Verification: Sendable {
    /// The meta pages and the sizes: constant time.
    case quick
    /// Every page: about a millisecond for each 0.8 megabytes.
    case full
  }

  /// What a commit promises.
  public var durability: Durability = .full
  /// How much of the store is looked at before it is opened.
  public var verification: Verification = .quick
  /// Whether the store is opened for reading only.
  public var isReadOnly = false
  /// The address space that the store takes at first, in bytes; it grows by itself. nil: a default for
  /// the system.
  public var initialMapSize: Int?
  /// The limit of the growth, in bytes; nil: a default for the system.
  public var maximumMapSize: Int?
  /// How many readers, in all processes, there may be at once.
  public var maximumReaders = 510
  /// How many writes may wait in the queue; further producers wait for room.
  public var maximumPendingWrites = 4096
  /// How many bytes of encoded objects may wait in the queue.
  public var maximumPendingBytes = 64 << 20
  /// How many bytes of memory the sort of a query may use; what does not fit goes to a temporary file.
  public var maximumSortBytes = 64 << 20
  /// How many bytes of the disk are kept for deleting, so that objects can be deleted when the disk is
  /// full: with `delete` and `deleteAll` of the repository. Any other write fails with `storeFull` before it
  /// would use them. One deletion changes no more pages than fit: delete thousands of objects in parts.
  /// 0 keeps none.
  public var reservedBytes = 512 << 10
  /// Whether a store on a network file system is opened; LMDB does not support it.
  public var allowsRemoteFileSystem = false
  /// Whether the store is deleted and made anew where it would have to be migrated, or could not be: where its
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
  /// Who hears of events in the store. Called on whichever thread the event happens.
  public var eventHandler: (@Sendable (StoreEvent) -> Void)?

  /// Makes the default settings.
  public init() {}

  var environment: EnvironmentOptions {
    var options = EnvironmentOptions()
    if let initialMapSize { options.mapSize = initialMapSize }
    if let maximumMapSize { options.maximumMapSize = maximumMapSize }
    options.maxReaders = maximumReaders
    options.durability = durability == .full ? .full : .relaxed
    options.verification = verification == .full ? .full : .quick
    options.isReadOnly = isReadOnly
    options.reservedBytes = isReadOnly ? 0 : max(0, reservedBytes)
    options.allowsRemoteFileSystem = allowsRemoteFileSystem
    options.createsIfMissing = !isReadOnly
    return options
  }
}
