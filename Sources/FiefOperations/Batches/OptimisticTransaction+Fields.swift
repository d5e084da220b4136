import FiefCore

/// Field operations of an optimistic transaction. They are applied to the values that the store has at the commit, also of
/// objects that the transaction has not read.
extension OptimisticTransaction {
  /// Changes properties of the object with a primary key. Where there is none at the commit, the transaction ends with the
  /// error ``FiefError/Code/objectNotFound`` and writes nothing.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key; an array of the parts for a compound one.
  ///   - changes: the changes, in their order.
  /// - Throws: ``FiefError`` of code `missingPrimaryKey` for a class without one, `unknownProperty`, `invalidValue` and
  ///   `missingValue` for a change that does not fit its property, `transactionEnded` after the body; the write is none of
  ///   the transaction's then.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: false, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, as a closure says.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: false, try FieldChanges(build).operations)
  }

  /// Changes properties of the object with a primary key, which are given by name.
  ///
  /// - Parameters:
  ///   - type: the class of the object.
  ///   - key: its primary key.
  ///   - fields: by the name of a property or of its column; with dots into embedded objects: `address.city`.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try change(type, key, merges: false, FieldOperation.named(fields))
  }

  /// Changes properties of the object with a primary key; where there is none, it is made with the defaults of its class.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: true, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, as a closure says; where there is none, it is made.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: true, try FieldChanges(build).operations)
  }

  /// Changes properties of the object with a primary key, which are given by name; where there is none, it is made.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try change(type, key, merges: true, FieldOperation.named(fields))
  }

  private func change(
    _ type: Object.Type,
    _ key: Any,
    merges: Bool,
    _ operations: [FieldOperation]
  ) throws {
    try check(type)
    let binding = try core.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: core.name).withUnsafeBytes { [UInt8]($0) }
    let (edit, linked) = try FieldEncoder.encoded(binding, seeing: visible, in: core) {
      try $0.edit(of: key, operations, merges: merges)
    }
    try add {
      $0.append(linked)
      $0.append(edit)
    }
  }
}
