import FiefCore

/// Field operations in a write, by key path and by name. Live objects show the result immediately.
extension WriteTransaction {
  /// Changes properties of the object with a primary key, without reading the object.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  ///   - changes: the changes, in order.
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object does not exist, or `unknownProperty`,
  ///   `invalidValue` or `missingValue` if a change does not fit its property or the stored value. The store
  ///   is then unchanged.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: false, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, without reading the object. A closure adds the
  /// changes.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: false, try FieldChanges(build).operations)
  }

  /// Changes properties, given by name, of the object with a primary key, without reading the object.
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

  /// Changes properties of the object with a primary key. A closure adds the changes. If the object does not
  /// exist, it is created.
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
    if let visible { try visible.check(type, in: store) }
    let binding = try store.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: store.name).withUnsafeBytes { [UInt8]($0) }
    var hasLinked = false
    let edit = try encoding(update: .assigned) { graph in
      let encoder = FieldEncoder(core: store, binding: binding, graph: graph)
      let edit = try encoder.edit(of: key, operations, merges: merges)
      hasLinked = graph.changes.hasOperations
      // New objects to which it links are written before its own record, so errors in its own record must be
      // found first.
      if hasLinked { _ = try writer.record(after: edit, checksTargets: false) }
      return edit
    }
    try applying(hasLinked: hasLinked) { try apply(edit) }
  }
}
