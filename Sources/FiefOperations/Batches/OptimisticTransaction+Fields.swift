import FiefCore

/// Field operations of an optimistic transaction. They are applied to the values in the store at the commit,
/// even for objects that the transaction has not read.
extension OptimisticTransaction {
  /// Changes properties of the object with a primary key. If the object does not exist at the commit, the
  /// transaction fails with ``FiefError/Code/objectNotFound`` and writes nothing.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  ///   - changes: the changes, in order.
  /// - Throws: ``FiefError`` of code `missingPrimaryKey` if the class has none; `unknownProperty`,
  ///   `invalidValue` or `missingValue` if a change does not fit its property; `transactionEnded` after the
  ///   body. The change is then not part of the transaction.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: false, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, with the changes that a closure adds.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: false, try FieldChanges(build).operations)
  }

  /// Changes properties, given by name, of the object with a primary key.
  ///
  /// - Parameters:
  ///   - type: the class of the object.
  ///   - key: the primary key of the object.
  ///   - fields: the changes by property name or column name. Dots lead into embedded objects:
  ///     `address.city`.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try change(type, key, merges: false, FieldOperation.named(fields))
  }

  /// Changes properties of the object with a primary key. If the object does not exist, it is created with
  /// the defaults of its class.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: true, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, with the changes that a closure adds. If the object
  /// does not exist, it is created.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: true, try FieldChanges(build).operations)
  }

  /// Changes properties, given by name, of the object with a primary key. If the object does not exist, it is
  /// created.
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
