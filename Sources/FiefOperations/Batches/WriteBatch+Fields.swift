import FiefCore

/// Field operations of a batch, by key paths and by names.
extension WriteBatch {
  // MARK: Updating

  /// Changes properties of the object with a primary key. If the object does not exist, the commit fails with
  /// `objectNotFound`.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  ///   - changes: the changes, in order.
  /// - Throws: ``FiefError`` of code `missingPrimaryKey` if the class has none, or `unknownProperty`,
  ///   `invalidValue` or `missingValue` if a change does not fit its property. The batch is then unchanged.
  public mutating func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: false, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, with the changes that a closure adds.
  public mutating func update<Element: Object>(
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
  public mutating func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try change(type, key, merges: false, FieldOperation.named(fields))
  }

  /// Changes properties of an object that was read from this store. Its class need not have a primary key.
  ///
  /// The instance itself does not change. Read the object again for the new values.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object was never stored, and the same errors as
  ///   above.
  public mutating func update<Element: Object>(_ object: Element, _ changes: FieldChange<Element>...) throws {
    try change(object, changes.map(\.operation))
  }

  /// Changes properties of an object that was read from this store, with the changes that a closure adds.
  public mutating func update<Element: Object>(
    _ object: Element,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(object, try FieldChanges(build).operations)
  }

  // MARK: Merging

  /// Changes properties of the object with a primary key. If the object does not exist, it is created with
  /// the defaults of its class.
  ///
  /// For a new object an increment starts from the default value. Default values that link to new objects
  /// become `nil`.
  public mutating func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: true, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, with the changes that a closure adds. If the object
  /// does not exist, it is created.
  public mutating func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: true, try FieldChanges(build).operations)
  }

  /// Changes properties, given by name, of the object with a primary key. If the object does not exist, it is
  /// created.
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
