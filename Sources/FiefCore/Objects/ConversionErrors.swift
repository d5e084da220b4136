import LMDB

/// The errors of objects that `init(value:)` created from invalid values. The initializer cannot throw, so
/// saving such an object fails with its error.
///
/// The errors are kept outside the objects, because hardly any object has one and a field would take memory
/// in every object.
enum ConversionErrors {
  private static let errors = OwnedLock<[ObjectIdentifier: FiefError]>([:])

  /// Keeps the error of an object that was created from invalid values, until the object is deallocated.
  static func note(_ error: any Error, of object: ObjectBase) {
    let error = FiefError.ofValue(error, type: object.descriptor.name)
    object._hasNotes = true
    // With this flag, the object's `deinit` removes the error.
    object._holdsObjects = true
    errors.withLock { errors in
      guard var first = errors[ObjectIdentifier(object)] else {
        errors[ObjectIdentifier(object)] = error
        return
      }
      first.lines.append(
        (["also: " + (error.property ?? error.path ?? "")] + error.lines).joined(separator: ", ")
      )
      errors[ObjectIdentifier(object)] = first
    }
  }

  /// Copies the error of an object to its copy.
  static func copy(from other: ObjectBase, to object: ObjectBase) {
    if let error = error(of: other) { note(error, of: object) }
  }

  /// Throws the error of an object that was created from invalid values.
  static func check(_ object: ObjectBase, store: String) throws(FiefError) {
    guard object._hasNotes, var error = error(of: object) else { return }
    error.store = store
    throw error
  }

  static func error(of object: ObjectBase) -> FiefError? {
    object._hasNotes ? errors.withLock { $0[ObjectIdentifier(object)] } : nil
  }

  /// Removes the error of an object that is being deallocated.
  static func forget(_ object: ObjectBase) {
    guard object._hasNotes else { return }
    _ = errors.withLock { $0.removeValue(forKey: ObjectIdentifier(object)) }
  }
}

extension FiefError {
  fileprivate static func ofValue(_ error: any Error, type: String) -> FiefError {
    error as? FiefError
      ?? FiefError(.invalidValue, "A value does not fit the type.", type: type, underlying: error)
  }
}
