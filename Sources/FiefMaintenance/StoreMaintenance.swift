import Fief
import Foundation

/// Maintenance of a repository's store, without opening it as the application
/// does: looking, migrating, backing up, restoring.
///
/// Nothing here goes through the registry of open stores. A store that the process has open is refused by
/// whatever would change it.
package struct StoreMaintenance: Sendable {
  /// The place of the store.
  package enum Place: Sendable, Equatable {
    /// In a directory.
    case directory(String)
    /// In the memory of the application's process, where no other process can read it.
    case memory
    /// Nowhere: the repository's own description has an error.
    case nowhere
  }

  /// The store's name.
  package let name: String
  /// The version of the declared classes.
  package let declaredVersion: UInt64
  /// The place of the store.
  package let place: Place
  /// The steps to the declared version, where the repository names them.
  package let plan: MigrationPlan?
  /// The repository's description, or its error.
  let configuration: Result<StoreConfiguration, FiefError>
  /// Gives the key that the command line names, or the user; for stores whose repositories name none.
  private let key: @Sendable (_ store: String) -> StoreEncryption?

  /// Describes the store of a repository; no file is touched.
  ///
  /// - Parameters:
  ///   - repository: the description of the store.
  ///   - directory: the directory that the store's own one is in, instead of the repository's.
  ///   - key: gives the key of a store that is encrypted and whose repository names none; nil where there is none.
  package init(
    _ repository: some DatabaseConfigurable,
    directory: String? = nil,
    key: @escaping @Sendable (_ store: String) -> StoreEncryption? = { _ in nil }
  ) {
    name = repository.storeName
    declaredVersion = repository.schemaVersion ?? 0
    self.key = key
    plan = repository.migrationPlan
    do {
      let described = try repository.configuration()
      if repository.realmMemoryType == .inStorage {
        let path =
          try directory.map { StoreLocation.joined(Self.absolute($0), repository.storeName) }
          ?? StoreRegistry.shared.storageDirectory(of: repository)
        place = .directory(Self.absolute(path))
      } else {
        place = .memory
      }
      configuration = .success(described)
    } catch {
      let described = FiefError.described(error, store: repository.storeName)
      configuration = .failure(
        described as? FiefError ?? FiefError(.cannotOpen, "The store has no place.", underlying: error)
      )
      place = .nowhere
    }
  }

  /// The description with the key of the store in a directory.
  ///
  /// - Throws: ``FiefError`` of code `encryptionRequired` where a class asks for a key and there is none.
  func configuration(at directory: String) throws -> StoreConfiguration {
    var configuration = try configuration.get()
    configuration.options.encryption = encryption(at: directory)
    try configuration.checkEncryption()
    return configuration
  }

  /// The key of the store in a directory: the repository's, and else that of the command line where it is encrypted.
  private func encryption(at directory: String) -> StoreEncryption? {
    (try? configuration.get())?.options.encryption ?? (isEncrypted(directory) ? key(name) : nil)
  }

  /// Whether the groups of the store's directory and of its copies are trusted.
  var allowsGroup: Bool { (try? configuration.get())?.options.allowsGroupWritableDirectory ?? false }

  /// Whether a store that was inspected is in clear although its repository names a key: the application cannot open it.
  package func needsEncrypting(_ seen: StoreInspection) -> Bool {
    !seen.isEncrypted && (try? configuration.get())?.options.encryption != nil
  }

  /// Checks everything in a store.
  ///
  /// - Parameter isCopy: whether it may be a backup, which has the key that its store had then: the command line may name that one.
  /// - Throws: ``FiefError`` where it cannot be read.
  func check(_ directory: String, isCopy: Bool) throws -> IntegrityReport {
    func check(_ encryption: StoreEncryption?) throws -> IntegrityReport {
      try StoreOpening.check(
        directory: directory,
        store: name,
        encryption: encryption,
        allowsGroup: allowsGroup
      )
    }
    do { return try check(encryption(at: directory)) } catch let error as FiefError
      where error.code == .wrongKey && isCopy
    {
      guard let other = key(name) else { throw error }
      return try check(other)
    }
  }

  /// The store's directory.
  ///
  /// - Throws: ``FiefError`` where it has none.
  package func directory() throws -> String {
    switch place {
    case .directory(let path): return path
    case .memory:
      throw FiefError(.cannotOpen, "The store is in memory, where no other process sees it.", store: name)
    case .nowhere:
      _ = try configuration.get()
      throw FiefError(.cannotOpen, "The store has no place.", store: name)
    }
  }

  /// Calls a closure while no other thread of this process opens, deletes or exchanges the store.
  ///
  /// - Throws: ``FiefError`` of code `storeInUse` where the process has the store open.
  func alone<Value>(_ body: (_ directory: String) throws -> Value) throws -> Value {
    let directory = try directory()
    do {
      return try StoreRegistry.shared.gate(directory).enter(store: name) {
        guard StoreRegistry.shared.openCore(directory)?.isClosed != false else {
          throw FiefError(
            .storeInUse,
            "This process has the store open.",
            store: name,
            path: directory
          )
        }
        return try body(directory)
      }
    } catch {
      throw FiefError.described(error, store: name)
    }
  }

  /// The path from the root, without `.` and `..`; symbolic links stay.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
