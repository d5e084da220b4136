import Fief
public import Foundation

extension Store {
  /// The configuration of a store, for code that was written for Realm.
  ///
  /// It is equivalent to a repository with these values: opening a store with it migrates the store, shares
  /// the open store with all other handles in the process, and fails with the same errors.
  public struct Configuration: Sendable {
    /// The configuration that `Realm()` uses. Assigning a configuration does not open a store.
    public static var defaultConfiguration: Configuration {
      get { current.withLock { $0 ?? Configuration() } }
      set { current.withLock { $0 = newValue } }
    }

    private static let current = Lock<Configuration?>(nil)

    /// The URL of Realm's file. For `pets.realm` in a directory, the store is the subdirectory `pets` of this
    /// directory. `pets` without the extension refers to the same store.
    ///
    /// A file of Realm is neither read nor changed. If it exists and the store does not, opening fails unless
    /// ``ignoresRealmFile`` is `true`. Assigning a URL removes ``inMemoryIdentifier``. The default is in the
    /// directory of the application; a `StoreManager` with a separate directory keeps the default store there
    /// instead.
    public var fileURL: URL? { didSet { if fileURL != nil { identifier = nil } } }

    /// The name of a store in memory, or `nil` for a store on disk. In a process, a name always refers to the
    /// same store. Assigning a name removes ``fileURL``.
    public var inMemoryIdentifier: String? {
      get { identifier }
      set {
        if newValue != nil { fileURL = nil }
        identifier = newValue
      }
    }
    private var identifier: String?

    /// A Boolean value that indicates whether a new, empty store is created although a file of Realm exists
    /// at ``fileURL``.
    ///
    /// If it is `false`, opening then fails, so that an application that moves to Fief does not show its
    /// users an empty store. The file is neither read nor changed.
    public var ignoresRealmFile = false

    /// The key of an encrypted store, 64 or 32 bytes, or `nil` for an unencrypted store.
    ///
    /// A new store is created encrypted. Opening fails with `invalidKey` for a key of another length, with
    /// `wrongKey` for a wrong key, with `encrypted` without the key, and with `notEncrypted` if the store is
    /// unencrypted. After an error nothing has been written. The same errors occur if the process already has
    /// the store open. The key is `StoreEncryption.key(_:)` of `FiefEncryption`, which can also change the
    /// key of a store.
    public var encryptionKey: Data?
    /// A Boolean value that indicates whether the store is opened for reading only.
    public var readOnly: Bool
    /// The version of the classes. Increase it with each change of the classes.
    public var schemaVersion: UInt64
    /// The part of a migration that goes beyond adding and removing properties and classes.
    public var migrationBlock: MigrationBlock?
    /// A Boolean value that indicates whether a store that needs a migration is deleted and created again.
    /// Use it in development only.
    public var deleteRealmIfMigrationNeeded: Bool
    /// A closure that is called with the size of the file and the number of used bytes before the store is
    /// opened. If it returns `true`, the store is compacted.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The classes of the store, including embedded classes, or `nil` for every class of the process that
    /// inherits from `Object`.
    public var objectTypes: [ObjectBase.Type]?
    /// The store that is copied to create a new store: a URL as in ``fileURL``, or the directory of the
    /// store.
    public var seedFilePath: URL?

    /// A closure that is called with failures that the library cannot throw and with other events of the
    /// store, like `StoreOptions.eventHandler`. If it is `nil`, failures are written to standard error. The
    /// first configuration that opens the store determines the handler.
    public var eventHandler: (@Sendable (StoreEvent) -> Void)?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: the URL of Realm's file; see ``fileURL``. The default is `default.realm` in the directory
    ///     of the application.
    ///   - inMemoryIdentifier: the name of a store in memory, which has no file.
    ///   - encryptionKey: the key of an encrypted store, 64 bytes.
    ///   - readOnly: whether the store is opened for reading only.
    ///   - schemaVersion: the version of the classes.
    ///   - migrationBlock: the part of a migration that goes beyond adding and removing.
    ///   - deleteRealmIfMigrationNeeded: whether a store that needs a migration is deleted.
    ///   - shouldCompactOnLaunch: determines whether the store is compacted before it is opened.
    ///   - objectTypes: the classes of the store, or `nil` for all classes of the process.
    ///   - seedFilePath: the store that is copied to create a new store.
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

    /// `default.realm` in the default directory of the application, or `nil` if the system provides no
    /// directory. Opening then reports the reason.
    public static var defaultFileURL: URL? {
      (try? StoreLocation.defaultDirectory()).map {
        URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent("default.realm")
      }
    }
  }
}

extension Store.Configuration: CustomStringConvertible {
  /// The values that differ from the values of a new configuration. The key is left out.
  public var description: String {
    var values = [
      "fileURL": fileURL?.path, "inMemoryIdentifier": inMemoryIdentifier,
      "encryptionKey": encryptionKey.map { "\($0.count) bytes" }, "readOnly": readOnly ? "true" : nil,
      "schemaVersion": "\(schemaVersion)", "migrationBlock": migrationBlock == nil ? nil : "set",
      "deleteRealmIfMigrationNeeded": deleteRealmIfMigrationNeeded ? "true" : nil,
      "shouldCompactOnLaunch": shouldCompactOnLaunch == nil ? nil : "set",
      "seedFilePath": seedFilePath?.path,
    ]
    values["objectTypes"] = objectTypes.map { "\($0)" }
    let lines = values.compactMap { name, value in value.map { "\t\(name) = \($0);\n" } }
    return "Realm.Configuration {\n" + lines.sorted().joined() + "}"
  }
}
