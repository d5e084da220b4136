import Fief
import FiefTree

/// A query of a place or a group.
package struct TreeQuestion: Sendable {
  enum Source: Sendable {
    case place([String])
    case group(String)
  }

  let source: Source
  let query: QueryModel

  func query(in tree: JSONTree) throws -> TreeQuery {
    switch source {
    case .place(let path): try query.query(of: tree.reference(path.joined(separator: "/")))
    case .group(let name): try query.query(of: tree.group(name))
    }
  }

  /// The children of the query, by the model.
  func result(in model: TreeModel) -> [QueryModel.Child] {
    switch source {
    case .place(let path): query.result(of: model.children(at: path))
    case .group(let name): query.result(of: model.children(ofNodesNamed: name))
    }
  }

  /// Whether the indexes of a tree answer the query. A place needs no index.
  func isAnswered(by indexes: Set<TreeIndexChoice>) -> Bool {
    guard case .group(let name) = source else { return true }
    let order = query.order == .key ? nil : query.order?.indexText
    return indexes.contains { index in
      guard case .group(let other) = index.scope, Array(name.utf8) == Array(other.utf8) else { return false }
      // Any index of a group has all children, in the order of their paths, too.
      return order.map { Array($0.utf8) == Array(index.order.utf8) } ?? true
    }
  }
}

/// An index that a run declares and removes.
package struct TreeIndexChoice: Sendable, Hashable {
  enum Scope: Sendable, Hashable {
    case pattern(String)
    case group(String)
  }

  let scope: Scope
  /// The names from a child to the value that orders it, or `.value`.
  let order: String

  func added(to rules: AccessRules) throws -> AccessRules {
    switch scope {
    case .pattern(let pattern): try rules.index(pattern, on: order)
    case .group(let name): try rules.group(name, on: order)
    }
  }

  /// Returns whether this is the index of a store.
  func isEqual(to index: TreeIndex) -> Bool {
    func same(_ first: String, _ second: String?) -> Bool {
      second.map { Array($0.utf8) } == Array(first.utf8)
    }
    return switch scope {
    case .pattern(let pattern): same(pattern, index.pattern) && same(order, index.order)
    case .group(let name): same(name, index.group) && same(order, index.order)
    }
  }
}

extension TreeQuestion: CustomStringConvertible {
  package var description: String {
    switch source {
    case .place(let path): "\(TreeEdit.text(path)): \(query)"
    case .group(let name): "group \(TreeEdit.short(name)): \(query)"
    }
  }
}

extension TreeIndexChoice: CustomStringConvertible {
  package var description: String { "\(scope) on \(TreeEdit.short(order))" }
}
