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

extension QueryCondition {
  /// The same condition with other values.
  func mappingValues(_ transform: (QueryValue) throws -> QueryValue) rethrows -> QueryCondition {
    switch self {
    case .constant, .matches, .within: self
    case .not(let condition): .not(try condition.mappingValues(transform))
    case .all(let conditions): .all(try conditions.map { try $0.mappingValues(transform) })
    case .any(let conditions): .any(try conditions.map { try $0.mappingValues(transform) })
    case .comparison(let first, let comparison, let second, let options):
      .comparison(
        try first.mappingValues(transform),
        comparison,
        try second.mappingValues(transform),
        options
      )
    case .oneOf(let operand, let values, let options):
      .oneOf(try operand.mappingValues(transform), try values.map(transform), options)
    case .quantified(let quantifier, let collection, let condition):
      .quantified(quantifier, collection, try condition.mappingValues(transform))
    }
  }
}

extension QueryOperand {
  /// The same operand with other values.
  func mappingValues(_ transform: (QueryValue) throws -> QueryValue) rethrows -> QueryOperand {
    switch self {
    case .path, .aggregate, .typeName: self
    case .value(let value): .value(try transform(value))
    case .arithmetic(let first, let operation, let second):
      .arithmetic(try first.mappingValues(transform), operation, try second.mappingValues(transform))
    case .negative(let operand): .negative(try operand.mappingValues(transform))
    case .count(let collection, let condition):
      .count(collection, try condition?.mappingValues(transform))
    case .length(let operand): .length(try operand.mappingValues(transform))
    case .lowercased(let operand): .lowercased(try operand.mappingValues(transform))
    case .uppercased(let operand): .uppercased(try operand.mappingValues(transform))
    case .coalesced(let first, let second):
      .coalesced(try first.mappingValues(transform), try second.mappingValues(transform))
    case .conditional(let condition, let first, let second):
      .conditional(
        try condition.mappingValues(transform),
        try first.mappingValues(transform),
        try second.mappingValues(transform)
      )
    case .truth(let condition): .truth(try condition.mappingValues(transform))
    }
  }
}
