package import Fief
import LMDB

/// The tree of a store that is used without its classes, as by the tool `fief`.
package struct StoredTree {
  let nodes: TreeNodes

  /// - Throws: `FiefError` of code `unknownType` if the store has no tree; `formatTooNew`.
  package init(_ snapshot: DynamicSnapshot) throws {
    nodes = try TreeNodes(snapshot.tables, snapshot.transaction)
  }

  /// Returns a path without empty parts.
  ///
  /// - Throws: the errors of ``JSONTree/reference(_:)``.
  package static func path(_ text: String) throws -> String { try TreePath(text).text }

  /// Returns the value of a place, with nodes as objects.
  ///
  /// - Parameters:
  ///   - depth: the number of levels; nodes below them are `true`, and are not read. `nil` for all levels.
  ///   - hasArrays: whether nodes that look like arrays are returned as arrays.
  /// - Throws: the errors of ``JSONTree/reference(_:)`` and ``TreeReference/value(source:)``.
  package func value(at path: String, depth: Int? = nil, hasArrays: Bool = false) throws -> JSON {
    let path = try TreePath(path)
    let value: JSON
    if let depth {
      var reader = ShallowReader(nodes)
      value = try reader.value(at: path, depth: depth)
    } else {
      var reader = SubtreeReader(nodes)
      value = try reader.value(at: TreePlace(path))
    }
    return hasArrays ? value.coerced : value
  }

  /// Passes the names of the children of a place to `body`, in order, until it returns `false`.
  package func forEachName(at path: String, _ body: (String) throws -> Bool) throws {
    var names = try ChildNames(nodes, of: TreePlace(try TreePath(path)))
    while let name = try names.next(), try body(name) {}
  }

  /// Returns whether a place has a value or children.
  package func exists(at path: String) throws -> Bool {
    try nodes.exists(TreePlace(try TreePath(path)))
  }

  /// Returns a line for each problem of the tree.
  package func problems() throws -> [String] { try nodes.problems() }

  /// Sets or removes the value of a place.
  ///
  /// - Returns: whether the transaction has changed the store.
  /// - Throws: the errors of ``TreeReference/setValue(_:)``.
  package static func setValue(_ value: JSON, at path: String, in transaction: DynamicTransaction) throws
    -> Bool
  {
    let changes = try TreeChanges(value, at: try TreePath(path))
    try changes.apply(with: transaction.writer)
    return transaction.writer.transaction.isChanged
  }
}
