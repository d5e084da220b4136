import FiefCore

/// Field operations of a batch, by key paths and by names.
extension WriteBatch {
  // MARK: Updating

  /// Changes properties of the object with a primary key. Where there is none, the commit fails with `objectNotFound`.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key; an array of the parts for a compound one.
  ///   - changes: the changes, in their order.
  /// - Throws: ``FiefError`` of code `missingPrimaryKey` for a class without one, `unknownProperty`, `invalidValue` and
  ///   `missingValue` for a change that does not fit its property; with the batch as it was.
  public mutating func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: false, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, as a closure says.
  public mutating func update<Element: Object>(
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
  public mutating func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try change(type, key, merges: false, FieldOperation.named(fields))
  }

  /// Changes properties of an object that was read from this store, of a class without a primary key too.
  ///
  /// The object itself stays as it is; read it again for the new values.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` for an object that was never stored, and as above.
  public mutating func update<Element: Object>(_ object: Element, _ changes: FieldChange<Element>...) throws {
    try change(object, changes.map(\.operation))
  }

  /// Changes properties of an object that was read from this store, as a closure says.
  public mutating func update<Element: Object>(
    _ object: Element,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(object, try FieldChanges(build).operations)
  }

  // MARK: Merging

  /// Changes properties of the object with a primary key; where there is none, it is made with the defaults of its class.
  ///
  /// An increment begins with the default then. Links to new objects that are defaults of the class are nil.
  public mutating func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: true, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, as a closure says; where there is none, it is made.
  public mutating func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: true, try FieldChanges(build).operations)
  }

  /// Changes properties of the object with a primary key, which are given by name; where there is none, it is made.
  public mutating func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try change(type, key, merges: true, FieldOperation.named(fields))
  }

  private mutating func change(
    _ type: Object.Type,
    _ key: Any,
    merges: Bool,
    _ operations: [FieldOperation]
  ) throws {
    try change(type, merges: merges, operations) { binding, core in
      try binding.key(fromPrimaryKey: key, store: core.name).withUnsafeBytes { [UInt8]($0) }
    }
  }

  private mutating func change(_ object: Object, _ operations: [FieldOperation]) throws {
    try change(Swift.type(of: object), merges: false, operations) { binding, core in
      try core.storedKey(of: object, binding)
    }
  }
}
