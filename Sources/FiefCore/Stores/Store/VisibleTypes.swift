/// The types that a repository declares, if its store was opened with more types. Only the declared types can
/// be used through the repository.
///
/// Links cannot lead to other types, because the classes that a repository declares link only to each other.
/// The rules of links from other types still apply, because they belong to the store.
package final class VisibleTypes: Sendable {
  /// The names of the types; nil for all types of the store.
  private let names: Set<String>?
  /// Whether assignments to objects outside of a write are reported. Realm refuses them.
  let reportsAssignments: Bool

  /// - Parameter names: the names of the repository's classes.
  /// - Returns: nil if the repository declares all types of the store.
  init?(_ names: Set<String>, of tables: StoreTables) {
    if tables.all.allSatisfy({ $0.records == nil || names.contains($0.name) }) { return nil }
    self.names = names
    reportsAssignments = false
  }

  /// Creates a value with the same types, for a handle that reports assignments outside of writes.
  ///
  /// - Parameter types: the types; nil for all types of the store.
  init(reportingAssignmentsOf types: VisibleTypes?) {
    names = types?.names
    reportsAssignments = true
  }

  func contains(_ type: String) -> Bool { names?.contains(type) ?? true }

  /// Checks that a type may be used through the repository.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the store has the type and the repository does not
  ///   declare it. If the store does not have the type either, this method does not throw: the next use of
  ///   the type fails with its own error.
  package func check(_ type: ObjectBase.Type, in store: StoreCore) throws(FiefError) {
    guard let names else { return }
    let name = type.className()
    if names.contains(name) || store.tables[name] == nil { return }
    throw FiefError(
      .unknownType,
      "The repository does not declare the type; the repository that opened the store does.",
      store: store.name,
      type: name,
      details: ["the repository's types: " + names.sorted().joined(separator: ", ")]
    )
  }

  /// Checks the classes of objects.
  func check(_ objects: some Sequence<Object>, in store: StoreCore) throws(FiefError) {
    if names == nil { return }
    for object in objects { try check(Swift.type(of: object), in: store) }
  }

  /// Returns the changes of the declared types.
  package func restricted(_ changes: ChangeSet) -> ChangeSet {
    guard let names else { return changes }
    var part = changes
    part.types = changes.types.filter { names.contains($0.key) }
    return part
  }
}

/// Access to the open store, restricted to the types of a handle.
extension Store {
  /// Returns the open store if a type may be used.
  ///
  /// - Throws: ``FiefError`` if the store is not open, or if the repository does not declare the type.
  package func core(for type: ObjectBase.Type) throws -> StoreCore {
    let core = try core()
    try visible?.check(type, in: core)
    return core
  }

  /// Returns the open store if the classes of some objects may be used.
  ///
  /// - Throws: ``FiefError`` if the store is not open, or if the repository does not declare a class of the
  ///   objects.
  package func core(for objects: some Sequence<Object>) throws -> StoreCore {
    let core = try core()
    try visible?.check(objects, in: core)
    return core
  }
}
