import FiefCore

/// Field operations inside of a write, by key paths and by names. Objects that are live show the outcome at once.
extension WriteTransaction {
  /// Changes properties of the object with a primary key, without reading it.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key; an array of the parts for a compound one.
  ///   - changes: the changes, in their order.
  /// - Throws: ``FiefError`` of code `objectNotFound` where there is no such object, `unknownProperty`, `invalidValue` and
  ///   `missingValue` for a change that does not fit its property or the value that is there; with nothing changed.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try change(type, key, merges: false, changes.map(\.operation))
  }

  /// Changes properties of the object with a primary key, as a closure says, without reading it.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try change(type, key, merges: false, try FieldChanges(build).operations)
  }

  /// Changes properties of the object with a primary key, which are given by name, without reading it.
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
    if let visible { try visible.check(type, in: store) }
    let binding = try store.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: store.name).withUnsafeBytes { [UInt8]($0) }
    var hasLinked = false
    let edit = try encoding(update: .assigned) { graph in
      let encoder = FieldEncoder(core: store, binding: binding, graph: graph)
      let edit = try encoder.edit(of: key, operations, merges: merges)
      hasLinked = !graph.changes.isEmpty
      // New objects that it links are written before it, and what is wrong with it is found before them.
      if hasLinked { _ = try writer.record(after: edit, checksTargets: false) }
      return edit
    }
    try applying(hasLinked: hasLinked) { try apply(edit) }
  }
}
