/// The keys of copies in a store that was made for one query, by the keys of their originals.
///
/// Copies of objects without a primary key have other keys than these have.
struct CopiedKeys {
  private struct Original: Hashable {
    let type: String
    let key: ObjectKey
  }

  /// The keys; nil where objects of several stores have the same one.
  private var keys: [Original: ObjectKey?] = [:]

  /// - Parameters:
  ///   - copies: the objects with their copies, which were saved.
  ///   - store: the store of these.
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

  /// The key of the copy of an object; nil where it was not copied.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` where it is that of objects of several stores.
  func key(of type: String, _ key: ObjectKey) throws -> ObjectKey? {
    guard let found = keys[Original(type: type, key: key)] else { return nil }
    guard let found else {
      throw FiefError(
        .invalidQuery,
        "Objects of several stores have the key of the object that is named.",
        type: type
      )
    }
    return found
  }

  /// A value of a question, with the copy in the place of the object that it names.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for an object that has no identity.
  func value(_ value: QueryValue) throws -> QueryValue {
    guard case .object(let type, let named) = value else { return value }
    guard let named else {
      throw FiefError(
        .invalidQuery,
        "An object without a primary key that was never saved cannot be named in a question: it equals no other.",
        type: type
      )
    }
    return try key(of: type, named).map { .object(type: type, key: $0) } ?? value
  }
}
