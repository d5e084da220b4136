import Fief
import FiefMaintenance

/// A repository of the application, as used by the runner.
// SAFETY: only the repository's configuration is read, which has no side effects, and commands run on one
// thread.
struct Domain: @unchecked Sendable {
  let name: String
  private let repository: any DatabaseConfigurable

  init(_ repository: any DatabaseConfigurable) {
    self.repository = repository
    name = repository.storeName
  }

  /// Creates the maintenance of the store, which is in the repository's directory or in another one.
  ///
  /// - Parameter key: returns the key of an encrypted store whose repository does not specify one.
  func maintenance(in directory: String?, key: @escaping @Sendable (_ store: String) -> StoreEncryption?)
    -> StoreMaintenance
  {
    func make(_ repository: some DatabaseConfigurable) -> StoreMaintenance {
      StoreMaintenance(repository, directory: directory, key: key)
    }
    return make(repository)
  }
}
