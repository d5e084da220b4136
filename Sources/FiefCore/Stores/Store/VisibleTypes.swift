/// The types that a repository declares, where its store is open with others besides: only they are seen through it.
///
/// Links cannot lead out of them, since the classes that a repository declares link each other only. Links
/// from the other types keep their rules: they are the store's.
package final class VisibleTypes: Sendable {
  /// The names of the types; nil for all types of the store.
  private let names: Set<String>?
  /// Whether assignments to objects outside of a write are reported: Realm refuses them.
  let reportsAssignments: Bool

  /// - Parameter names: those of the repository's classes.
  /// - Returns: nil where they are all types of the store.
  init?(_ names: Set<String>, of tables: StoreTables) {
    if tables.all.allSatisfy({ $0.records == nil || names.contains($0.name) }) { return nil }
    self.names = names
    reportsAssignments = false
  }

  /// Sees the same types, for a handle that reports assignments outside of writes.
  ///
  /// - Parameter types: the types; nil for all types of the store.
  init(reportingAssignmentsOf types: VisibleTypes?) {
    names = types?.names
    reportsAssignments = true
  }

  func contains(_ type: String) -> Bool { names?.contains(type) ?? true }

  /// - Throws: ``FiefError`` of code `unknownType` for a type that the store has and the repository does not declare. One
  ///   that the store does not have is another failure, of whatever uses it next.
  package func check(_ type: ObjectBase.Type, in store: StoreCore) throws(FiefError) {
    guard let names else { return }
    let name = type.className()
    if names.contains(name) || store.tables[name] == nil { return }
    throw FiefError(
      .unknownType,
      "The repository does not declare the type; another one, which opened the store, does.",
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

  /// The changes of the types that are seen.
  package func restricted(_ changes: ChangeSet) -> ChangeSet {
    guard let names else { return changes }
    var part = changes
    part.types = changes.types.filter { names.contains($0.key) }
    return part
  }
}

/// The types that a handle admits.
extension Store {
  /// The open store, for a use of a type.
  ///
  /// - Throws: ``FiefError`` where the store is not open, or the repository does not declare the type.
  package func core(for type: ObjectBase.Type) throws -> StoreCore {
    let core = try core()
    try visible?.check(type, in: core)
    return core
  }

  /// The open store, for a use of objects.
  ///
  /// - Throws: ``FiefError`` where the store is not open, or the repository does not declare a class of the objects.
  package func core(for objects: some Sequence<Object>) throws -> StoreCore {
    let core = try core()
    try visible?.check(objects, in: core)
    return core
  }
}
