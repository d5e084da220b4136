import Fief
import FiefRules

/// A tree in one state of its store: in a snapshot, or in a write.
///
/// You get a reader from ``JSONTree/in(_:)-(Snapshot)``. It can be used inside of the closure that received
/// the snapshot and on its thread; any other use throws `transactionEnded`.
public class TreeReader {
  /// The transaction in which a tree is read.
  enum Access {
    case scope(AccessScope)
    case write(WriteTransaction)
    case migration(Migration)
  }

  let tree: JSONTree
  let access: Access
  /// The entries, once they were read. Their version is checked once for each reader.
  private var known: TreeNodes?
  /// The client whose reads and writes the rules check; `nil` for the program itself.
  let client: TreeClient?

  init(_ tree: JSONTree, _ access: Access, for client: TreeClient? = nil) {
    self.tree = tree
    self.access = access
    self.client = client
  }

  /// Calls `body` with the entries, after it was checked that a reference belongs to the tree and that the
  /// rules allow the client to read the place.
  ///
  /// - Parameters:
  ///   - query: the query of the place, if it is one.
  ///   - group: the name of the nodes of a group, if the query is the query of a group.
  func read<Value>(
    _ reference: TreeReference,
    _ query: RuleQuery? = nil,
    group: String? = nil,
    _ body: (TreeNodes) throws -> Value
  ) throws -> Value {
    try visit(reference) { nodes in
      try (client ?? reference.client)?.checkRead(of: reference.location, query, group: group, in: nodes)
      return try body(nodes)
    }
  }

  /// The scope in which the tree is read; `nil` in a migration.
  var scope: AccessScope? {
    switch access {
    case .scope(let scope): scope
    case .write(let scope): scope
    case .migration: nil
    }
  }

  /// Calls `body` with the entries, after it was checked that a reference belongs to the tree.
  private func visit<Value>(_ reference: TreeReference, _ body: (TreeNodes) throws -> Value) throws -> Value {
    switch access {
    case .scope(let scope): try visit(reference, in: scope, body)
    case .write(let scope): try visit(reference, in: scope, body)
    case .migration(let migration):
      try migration.reading { writer in
        guard reference.tree.origin == tree.origin else { throw foreign(writer.currentTables.storeName) }
        let nodes = try TreeNodes(writer.currentTables, writer.transaction)
        do { return try body(nodes) } catch {
          throw FiefError.described(error, store: nodes.storeName, at: reference.location)
        }
      }
    }
  }

  private func visit<Value>(
    _ reference: TreeReference,
    in scope: AccessScope,
    _ body: (TreeNodes) throws -> Value
  ) throws -> Value {
    do {
      let nodes = try nodes(in: scope)
      if reference.tree.origin !== tree.origin, try !reference.tree.origin.isOrigin(of: scope.store) {
        throw foreign(scope.store.name)
      }
      return try body(nodes)
    } catch {
      throw FiefError.described(error, store: scope.store.name, at: reference.location)
    }
  }

  private func nodes(in scope: AccessScope) throws -> TreeNodes {
    if let known {
      _ = try scope.liveTransaction()
      return known
    }
    let nodes = try TreeNodes(in: scope)
    known = nodes
    return nodes
  }

  /// Checks that a reference may be used.
  func check(_ reference: TreeReference) throws { try visit(reference) { _ in } }

  private func foreign(_ store: String) -> FiefError {
    FiefError(.foreignObject, "The reference belongs to another store.", store: store)
  }

  /// Returns the value of a place with everything below it. See ``TreeReference/value(source:)``.
  ///
  /// - Throws: `FiefError` of code `foreignObject` for a reference of another store; `transactionEnded`
  ///   outside of the closure; the errors of ``TreeReference/value(source:)``.
  public func value(at reference: TreeReference) throws -> JSON { try json(at: reference).coerced }

  /// Returns the value of a place with everything below it, and the place. See ``TreeReference/snapshot(source:)``.
  ///
  /// - Throws: the errors of ``value(at:)``.
  public func snapshot(at reference: TreeReference) throws -> TreeSnapshot {
    TreeSnapshot(reference: reference, json: try json(at: reference))
  }

  private func json(at reference: TreeReference) throws -> JSON {
    try read(reference) { nodes in
      var reader = SubtreeReader(nodes)
      return try reader.value(at: TreePlace(reference.location))
    }
  }

  /// Returns whether a place has a value or children. See ``TreeReference/exists()``.
  ///
  /// - Throws: the errors of ``value(at:)``, except `valueTooLarge`.
  public func exists(at reference: TreeReference) throws -> Bool {
    try read(reference) { nodes in
      nodes.count(1)
      return try nodes.exists(TreePlace(reference.location))
    }
  }

  /// Returns the names of the children of a place. See ``TreeReference/keys(limit:after:)``.
  ///
  /// - Parameters:
  ///   - reference: the place.
  ///   - limit: the maximum number of names; `nil` for all.
  ///   - name: the name after which the result begins; `nil` to begin with the first.
  /// - Throws: the errors of ``value(at:)``, except `valueTooLarge`; `invalidTreeKey` for an invalid name, and
  ///   `invalidValue` for a negative limit.
  public func keys(at reference: TreeReference, limit: Int? = nil, after name: String? = nil) throws
    -> [String]
  {
    if let limit, limit < 0 {
      throw FiefError(.invalidValue, "The limit of names is negative.", details: ["limit: \(limit)"])
    }
    if let name { try TreeName.check(name, path: reference.path) }
    return try read(reference) { nodes in
      var keys: [String] = []
      defer { nodes.count(keys.count) }
      var names = try ChildNames(nodes, of: TreePlace(reference.location), after: name)
      while keys.count < limit ?? .max, let name = try names.next() { keys.append(name) }
      return keys
    }
  }

  /// Returns the number of children of a place. See ``TreeReference/childCount()``.
  ///
  /// - Throws: the errors of ``value(at:)``, except `valueTooLarge`.
  public func childCount(at reference: TreeReference) throws -> Int {
    try read(reference) { nodes in
      var count = 0
      defer { nodes.count(count) }
      var names = try ChildNames(nodes, of: TreePlace(reference.location))
      while try names.next() != nil { count += 1 }
      return count
    }
  }
}
