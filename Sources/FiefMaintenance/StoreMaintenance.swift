import Fief
import Foundation

/// Maintenance of a repository's store without opening it as the application does: inspecting, migrating,
/// backing up and restoring.
///
/// No operation opens the store through the registry of open stores. An operation that would change a store
/// fails if this process has the store open.
package struct StoreMaintenance: Sendable {
  /// The location of the store.
  package enum Place: Sendable, Equatable {
    /// The store is in a directory.
    case directory(String)
    /// The store is in the memory of the application's process, so no other process can read it.
    case memory
    /// The store has no location, because the repository's configuration is invalid.
    case nowhere
  }

  /// The store's name.
  package let name: String
  /// The version of the declared classes.
  package let declaredVersion: UInt64
  /// The location of the store.
  package let place: Place
  /// The steps to the declared version, if the repository has a plan.
  package let plan: MigrationPlan?
  /// The repository's configuration, or the error in it.
  let configuration: Result<StoreConfiguration, FiefError>
  /// Returns the key given on the command line or by the user, for stores whose repositories do not specify a
  /// key.
  private let key: @Sendable (_ store: String) -> StoreEncryption?

  /// Creates a maintenance object for a repository's store, without accessing any file.
  ///
  /// - Parameters:
  ///   - repository: the description of the store.
  ///   - directory: the parent directory of the store's directory, instead of the repository's.
  ///   - key: returns the key of an encrypted store if its repository does not specify a key, or `nil` if
  ///     there is no key.
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
        described as? FiefError ?? FiefError(.cannotOpen, "The store has no directory.", underlying: error)
      )
      place = .nowhere
    }
  }

  /// Returns the configuration with the key of the store in a directory.
  ///
  /// - Throws: ``FiefError`` of code `encryptionRequired` if a class requires a key and no key was passed.
  func configuration(at directory: String) throws -> StoreConfiguration {
    var configuration = try configuration.get()
    configuration.options.encryption = encryption(at: directory)
    try configuration.checkEncryption()
    return configuration
  }

  /// Returns the key of the store in a directory: the repository's key or, if the store is encrypted, the key
  /// from the command line.
  private func encryption(at directory: String) -> StoreEncryption? {
    (try? configuration.get())?.options.encryption ?? (isEncrypted(directory) ? key(name) : nil)
  }

  /// Whether the groups of the store's directory and of its copies are trusted.
  var allowsGroup: Bool { (try? configuration.get())?.options.allowsGroupWritableDirectory ?? false }

  /// Returns whether an inspected store is unencrypted although its repository specifies a key. The
  /// application cannot open such a store.
  package func needsEncrypting(_ seen: StoreInspection) -> Bool {
    !seen.isEncrypted && (try? configuration.get())?.options.encryption != nil
  }

  /// Checks all contents of a store.
  ///
  /// - Parameter isCopy: whether the directory may be a backup. A backup has the key that the store had when
  ///   it was made, which may be given on the command line.
  /// - Throws: ``FiefError`` if the store cannot be read.
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

  /// Returns the store's directory.
  ///
  /// - Throws: ``FiefError`` if the store has no directory.
  package func directory() throws -> String {
    switch place {
    case .directory(let path): return path
    case .memory:
      throw FiefError(.cannotOpen, "The store is in memory and invisible to other processes.", store: name)
    case .nowhere:
      _ = try configuration.get()
      throw FiefError(.cannotOpen, "The store has no directory.", store: name)
    }
  }

  /// Calls a closure while no other thread of this process can open, delete or replace the store.
  ///
  /// - Throws: ``FiefError`` of code `storeInUse` if the process has the store open.
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

  /// Returns the absolute path, without `.` and `..`. Symbolic links are not resolved.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
