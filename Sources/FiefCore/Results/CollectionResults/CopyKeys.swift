/// The keys of object copies in a temporary store, by the keys of the originals.
///
/// Copies of objects without a primary key have different keys from the originals.
struct CopyKeys {
  private struct Original: Hashable {
    let type: String
    let key: ObjectKey
  }

  /// The keys of the copies. A key is `nil` if objects of several stores have the same key.
  private var keys: [Original: ObjectKey?] = [:]

  /// - Parameters:
  ///   - copies: the objects with their copies, which were already saved.
  ///   - store: the store with the copies.
  init(_ copies: DeepCopies, in store: StoreCore) throws {
    for (original, copy) in copies.pairs
    where original is Object && original._rowID != 0 && original.descriptor.primaryKey.isEmpty {
      guard let key = try original.keyInQueries else { continue }
      let type = Swift.type(of: original)
      let place = Original(type: type.className(), key: key)
      let isKnown = keys[place] != nil
      keys[place] = isKnown ? .some(nil) : ObjectKey(bytes: try store.binding(of: type).key(of: copy))
    }
  }

  /// Returns the key of the copy of an object, or `nil` if the object was not copied.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if objects of several stores have this key.
  func key(of type: String, _ key: ObjectKey) throws -> ObjectKey? {
    guard let found = keys[Original(type: type, key: key)] else { return nil }
    guard let found else {
      throw FiefError(
        .invalidQuery,
        "The key is ambiguous: objects of several stores have it.",
        type: type
      )
    }
    return found
  }

  /// Returns a query value. If it is an object that was copied, returns the copy.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for an object without an identity.
  func value(_ value: QueryValue) throws -> QueryValue {
    guard case .object(let type, let named) = value else { return value }
    guard let named else {
      throw FiefError(
        .invalidQuery,
        "An object that has no primary key and was never saved cannot be compared: it equals no other object.",
        type: type
      )
    }
    return try key(of: type, named).map { .object(type: type, key: $0) } ?? value
  }
}
