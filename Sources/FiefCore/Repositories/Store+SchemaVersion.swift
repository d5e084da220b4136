import LMDB

extension Store {
  /// Returns the schema version of the store in a directory.
  ///
  /// This method does not need the store's classes and changes nothing. The store may be open at the same
  /// time, in this or another process. The result is the version in the newest commit.
  ///
  /// - Parameters:
  ///   - directory: the store's own directory, which contains `data.mdb`.
  ///   - allowsGroupWritableDirectory: see ``StoreOptions/allowsGroupWritableDirectory``.
  /// - Throws: ``FiefError`` of code `cannotOpen` if there is no store; `damagedStore` if its files are
  ///   damaged or are not a store of this library; `formatTooNew` or `formatTooOld`.
  public static func schemaVersion(
    at directory: String,
    allowsGroupWritableDirectory: Bool = false
  ) throws -> UInt64 {
    var directory = Substring(directory)
    while directory.utf8.count > 1, directory.hasSuffix("/") { directory = directory.dropLast() }
    let path = String(directory)
    do {
      // Without the gate, a repository that opens the store at the same time would find it open for reading
      // only.
      return try StoreRegistry.shared.gate(path).enter(store: nil) {
        let catalogue = try StoreOpening.storedCatalogue(
          inDirectory: path,
          allowsGroup: allowsGroupWritableDirectory
        )
        guard let catalogue else {
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
