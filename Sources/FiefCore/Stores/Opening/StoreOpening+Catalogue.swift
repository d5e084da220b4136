import LMDB

extension StoreOpening {
  /// Returns the catalogue of the store in a directory, or `nil` if the store has none yet. The store may be
  /// open.
  static func storedCatalogue(inDirectory directory: String, allowsGroup: Bool) throws -> Catalogue? {
    var options = EnvironmentOptions()
    options.allowsGroupWritableDirectory = allowsGroup
    options.isReadOnly = true
    options.createsIfMissing = false
    // The store may be open with a lower durability than the default.
    options.durability = .none
    let environment: LMDB.Environment
    do { environment = try LMDB.Environment.open(directory: directory, options: options) } catch {
      if error.code == .notFound { throw noStore(directory, error) }
      throw error
    }
    defer { environment.close() }
    return try storedCatalogue(in: environment)
  }

  static func noStore(_ directory: String, _ underlying: LMDBError? = nil) -> FiefError {
    FiefError(.cannotOpen, "There is no store in the directory.", path: directory, underlying: underlying)
  }
}
