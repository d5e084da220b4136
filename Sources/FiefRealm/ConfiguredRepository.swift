import Fief
import FiefEncryption
import Foundation

/// The repository that a configuration describes.
struct ConfiguredRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType: RealmMemoryType
  let schemaName: String?
  let directory: String?
  let schemaVersion: UInt64?
  let objectTypes: [Object.Type]?
  let embeddedObjectTypes: [EmbeddedObject.Type]?
  let migrationBlock: MigrationBlock?
  let storeOptions: StoreOptions

  /// - Throws: ``FiefError`` of code `cannotOpen` if the configuration has neither a file nor an identifier,
  ///   or if it is read-only and requests deletion; of code `invalidSchema` if a class inherits neither from
  ///   `Object` nor from `EmbeddedObject`.
  init(_ configuration: Store.Configuration) throws {
    if configuration.readOnly, configuration.deleteRealmIfMigrationNeeded {
      throw FiefError(
        .cannotOpen,
        "A read-only store is never deleted: set either readOnly or deleteRealmIfMigrationNeeded.",
        path: configuration.fileURL?.path
      )
    }
    if let identifier = configuration.inMemoryIdentifier {
      realmMemoryType = .inMemory(identifier: identifier)
      (schemaName, directory) = (nil, nil)
    } else {
      guard let url = configuration.fileURL, url.isFileURL else {
        throw FiefError(
          .cannotOpen,
          "A configuration needs a fileURL, or an inMemoryIdentifier for a store in memory.",
          path: configuration.fileURL?.absoluteString
        )
      }
      realmMemoryType = .inStorage
      schemaName = Self.storeDirectory(url).lastPathComponent
      // The directory of a StoreManager is for the default store only.
      directory =
        url == Store.Configuration.defaultFileURL
        ? nil : url.deletingLastPathComponent().standardizedFileURL.path
    }
    schemaVersion = configuration.schemaVersion
    migrationBlock = configuration.migrationBlock
    objectTypes = configuration.objectTypes?.compactMap { $0 as? Object.Type }
    embeddedObjectTypes = configuration.objectTypes?.compactMap { $0 as? EmbeddedObject.Type }
    let known = (objectTypes?.count ?? 0) + (embeddedObjectTypes?.count ?? 0)
    if let types = configuration.objectTypes, known < types.count {
      throw FiefError(
        .invalidSchema,
        "A class of objectTypes inherits neither from Object nor from EmbeddedObject.",
        details: types.map { "\($0)" }
      )
    }
    var options = StoreOptions()
    options.isReadOnly = configuration.readOnly
    options.observesLinkedObjects = true
    options.deletesIfMigrationNeeded = configuration.deleteRealmIfMigrationNeeded
    options.shouldCompactOnLaunch = configuration.shouldCompactOnLaunch
    options.seedFile = configuration.seedFilePath.map { Self.storeDirectory($0).path }
    options.eventHandler = configuration.eventHandler ?? Logger.eventHandler
    options.encryption = configuration.encryptionKey.map { .key($0) }
    storeOptions = options
  }

  /// Prevents the creation of an empty store beside a Realm file, whose objects the application would miss.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen` if the file exists and the store does not.
  func checkForRealmFile(at url: URL?) throws {
    var isDirectory: ObjCBool = false
    // A StoreManager may keep the default store in a different directory.
    guard let url,
      case let path = directory == nil
        ? try StoreRegistry.shared.storageDirectory(of: self) + ".realm" : url.path,
      FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      !isDirectory.boolValue, try !storeExists()
    else { return }
    throw FiefError(
      .cannotOpen,
      "There is a file of Realm's at this place, and no store yet. Import its objects first, as the article 'Coming from Realm' shows, or begin with an empty store by 'ignoresRealmFile' of the configuration.",
      store: schemaName,
      path: path
    )
  }

  /// Returns the directory of the store to which the URL of a file of Realm refers.
  static func storeDirectory(_ url: URL) -> URL {
    url.pathExtension == "realm" ? url.deletingPathExtension() : url
  }
}
