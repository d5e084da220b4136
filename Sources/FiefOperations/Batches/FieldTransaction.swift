import FiefCore

/// A transaction with field operations, by key path and by name: a ``WriteTransaction``, whose live objects
/// show the result immediately, or an ``OptimisticTransaction``, which applies the operations to the values
/// in the store at the commit, even for objects that it has not read.
public protocol FieldTransaction: AnyObject {
  /// Changes properties of the object with a primary key.
  ///
  /// - Parameter merges: whether the object is created if it does not exist.
  func _change<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    merges: Bool,
    _ changes: FieldChanges<Element>
  ) throws
}

extension FieldTransaction {
  // MARK: Updating

  /// Changes properties of the object with a primary key, without reading the object. If the object does not
  /// exist, an optimistic transaction fails at its commit with ``FiefError/Code/objectNotFound`` and writes
  /// nothing.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  ///   - changes: the changes, in order.
  /// - Throws: ``FiefError`` of code `objectNotFound` in a write, if the object does not exist;
  ///   `missingPrimaryKey` if the class has none; `unknownProperty`, `invalidValue` or `missingValue` if a
  ///   change does not fit its property or the stored value; `transactionEnded` after the body of an
  ///   optimistic transaction. The change is then not part of the transaction.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try _change(type, forPrimaryKey: key, merges: false, FieldChanges(changes))
  }

  /// Changes properties of the object with a primary key, without reading the object. A closure adds the
  /// changes.
  public func update<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try _change(type, forPrimaryKey: key, merges: false, FieldChanges(build))
  }

  /// Changes properties, given by name, of the object with a primary key, without reading the object.
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
    try _change(type, forPrimaryKey: key, merges: false, FieldChanges(named: fields))
  }

  // MARK: Merging

  /// Changes properties of the object with a primary key. If the object does not exist, it is created with
  /// the defaults of its class.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ changes: FieldChange<Element>...
  ) throws {
    try _change(type, forPrimaryKey: key, merges: true, FieldChanges(changes))
  }

  /// Changes properties of the object with a primary key. A closure adds the changes. If the object does not
  /// exist, it is created.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ build: (inout FieldChanges<Element>) throws -> Void
  ) throws {
    try _change(type, forPrimaryKey: key, merges: true, FieldChanges(build))
  }

  /// Changes properties, given by name, of the object with a primary key. If the object does not exist, it is
  /// created.
  public func merge<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    _ fields: [String: FieldValue]
  ) throws {
    try _change(type, forPrimaryKey: key, merges: true, FieldChanges(named: fields))
  }
}

extension WriteTransaction: FieldTransaction {
  /// Changes properties of the object with a primary key, immediately.
  public func _change<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    merges: Bool,
    _ changes: FieldChanges<Element>
  ) throws {
    if let visible { try visible.check(type, in: store) }
    let binding = try store.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: store.name).withUnsafeBytes { [UInt8]($0) }
    var hasLinked = false
    let edit = try encoding(update: .assigned) { graph in
      let encoder = FieldEncoder(core: store, binding: binding, graph: graph)
      let edit = try encoder.edit(of: key, changes.operations, merges: merges)
      hasLinked = graph.changes.hasOperations
      // New objects to which it links are written before its own record, so errors in its own record must be
      // found first.
      if hasLinked { _ = try writer.record(after: edit, checksTargets: false) }
      return edit
    }
    try applying(hasLinked: hasLinked) { try apply(edit) }
  }
}

extension OptimisticTransaction: FieldTransaction {
  /// Adds changes of the object with a primary key to the transaction.
  public func _change<Element: Object>(
    _ type: Element.Type,
    forPrimaryKey key: Any,
    merges: Bool,
    _ changes: FieldChanges<Element>
  ) throws {
    try check(type)
    let binding = try core.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: core.name).withUnsafeBytes { [UInt8]($0) }
    let (edit, linked) = try FieldEncoder.encoded(binding, seeing: visible, in: core) {
      try $0.edit(of: key, changes.operations, merges: merges)
    }
    try add {
      $0.append(linked)
      $0.append(edit)
    }
  }
}
