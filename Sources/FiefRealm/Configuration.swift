import Fief
public import Foundation

extension Store {
  /// The description of a store, as code written for Realm has it.
  ///
  /// It is the same as a repository with these values: opening a store with it migrates the store, shares it
  /// with all other handles of the same store in the process, and fails with the same errors.
  public struct Configuration: Sendable {
    /// The store that is used where no configuration is named. Setting it opens nothing.
    public static var defaultConfiguration: Configuration {
      get { current.withLock { $0 ?? Configuration() } }
      set { current.withLock { $0 = newValue } }
    }

    private static let current = Lock<Configuration?>(nil)

    /// The file that Realm would have: `pets.realm` in a directory means the store `pets` in it, which is the
    /// directory `pets`. `pets` without the ending is the same store. A file that Realm has written is neither read
    /// nor changed. If such a file exists and the store does not, opening fails unless ``ignoresRealmFile`` is set. Setting it removes ``inMemoryIdentifier``. By default it names the directory of the
    /// application; a `StoreManager` with a directory of its own puts the store there instead.
    public var fileURL: URL? { didSet { if fileURL != nil { identifier = nil } } }

    /// The name of a store in memory; the same name is the same store in the whole process. Setting it removes ``fileURL``.
    public var inMemoryIdentifier: String? {
      get { identifier }
      set {
        if newValue != nil { fileURL = nil }
        identifier = newValue
      }
    }
    private var identifier: String?

    /// Whether a new, empty store is created although Realm has a file at ``fileURL``.
    ///
    /// If this is false, opening fails in that case, so that an application that moves to Fief does not show its users an empty store. The
    /// file is neither read nor changed.
    public var ignoresRealmFile = false

    /// The key of an encrypted store, 64 bytes (32 are taken too); nil for one in clear.
    ///
    /// A new store is made encrypted. Opening fails with `invalidKey` for another length, with `wrongKey`, with `encrypted` without
    /// the key, and with `notEncrypted` where a store is there in clear; nothing is written then. So does opening one that the process
    /// has open already. It is `StoreEncryption.key(_:)` of `FiefEncryption`; that module changes the key.
    public var encryptionKey: Data?
    /// Whether the store is opened for reading only.
    public var readOnly: Bool
    /// The version of the classes. Raise it with each change of them.
    public var schemaVersion: UInt64
    /// The changes of a migration beyond adding and removing.
    public var migrationBlock: MigrationBlock?
    /// Whether a store that would have to be migrated is deleted and made again. For development.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Gets the bytes of the file and those in use before the store is opened; true compacts it.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The classes of the store, embedded ones too; nil is every class of the process that inherits from `Object`.
    public var objectTypes: [ObjectBase.Type]?
    /// The store that a new one begins as a copy of; as ``fileURL``, or the store's directory itself.
    public var seedFilePath: URL?

    /// Called with failures that nothing is thrown for, and with other events of the store, as `StoreOptions.eventHandler`; nil
    /// writes failures to standard error. The first one that opens a store decides.
    public var eventHandler: (@Sendable (StoreEvent) -> Void)?

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: the file that Realm would have; see ``fileURL``. By default `default.realm` in the directory of the
    ///     application.
    ///   - inMemoryIdentifier: the name of a store in memory; then there is no file.
    ///   - encryptionKey: the key of an encrypted store, 64 bytes.
    ///   - readOnly: whether the store is opened for reading only.
    ///   - schemaVersion: the version of the classes.
    ///   - migrationBlock: the changes of a migration beyond adding and removing.
    ///   - deleteRealmIfMigrationNeeded: whether a store that would have to be migrated is deleted.
    ///   - shouldCompactOnLaunch: whether the store is compacted before it is opened.
    ///   - objectTypes: the classes of the store; nil for all of the process.
    ///   - seedFilePath: the store that a new one begins as a copy of.
    public init(
      fileURL: URL? = Configuration.defaultFileURL,
      inMemoryIdentifier: String? = nil,
      encryptionKey: Data? = nil,
      readOnly: Bool = false,
      schemaVersion: UInt64 = 0,
      migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      self.identifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
    }

    /// `default.realm` in the default directory of the application; nil where the system names none, which opening reports.
    public static var defaultFileURL: URL? {
      (try? StoreLocation.defaultDirectory()).map {
        URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent("default.realm")
      }
    }
  }
}
