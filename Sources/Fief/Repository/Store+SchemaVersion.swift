import LMDB

extension Store {
  /// The schema version of the store in a directory.
  ///
  /// Needs none of the store's classes and changes nothing. The store may be open meanwhile, in this process
  /// or in another one: the version is that of its newest commit.
  ///
  /// - Parameter directory: the store's own directory, the one with `data.mdb` in it.
  /// - Throws: ``FiefError`` of code `cannotOpen` where there is no store; `damagedStore` where its files are
  ///   damaged or are not a store of this library; `formatTooNew` or `formatTooOld`.
  public static func schemaVersion(at directory: String) throws -> UInt64 {
    var directory = Substring(directory)
    while directory.utf8.count > 1, directory.hasSuffix("/") { directory = directory.dropLast() }
    let path = String(directory)
    do {
      // A repository that opens the store meanwhile would find it open for reading only.
      return try StoreRegistry.shared.gate(path).enter(store: nil) {
        guard let catalogue = try StoreOpening.storedCatalogue(inDirectory: path) else {
          throw StoreOpening.noStore(path)
        }
        return catalogue.schemaVersion
      }
    } catch let error as LMDBError {
      throw FiefError(error)
    } catch var error as FiefError {
      error.path = error.path ?? path
      throw error
    }
  }
}

extension StoreOpening {
  /// The catalogue of the store in a directory, which may be open; nil where it has none yet.
  static func storedCatalogue(inDirectory directory: String) throws -> Catalogue? {
    var options = EnvironmentOptions()
    options.isReadOnly = true
    options.createsIfMissing = false
    // The store may be open with less than the default durability.
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
