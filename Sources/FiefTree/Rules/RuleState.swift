import Fief
import FiefRules
import Foundation
import LMDB

/// The state of a tree in which rules are evaluated: the entries of a transaction, or a JSON value.
protocol RuleState: AnyObject {
  var storeName: String { get }

  /// Returns the value of a place.
  func value(at path: TreePath) throws -> RuleValue

  /// Passes the names of the children of a place to `body`, in order, until it returns `false`.
  func forEachName(at path: TreePath, _ body: (String) throws -> Bool) throws
}

/// The entries of a tree in a transaction.
final class StoredRules: RuleState {
  private let nodes: TreeNodes
  /// Whether the check is running. The transaction may end after it.
  private var isOpen = true
  /// The places that rules have read, each once.
  private(set) var places: [TreePath] = []

  init(_ nodes: TreeNodes) { self.nodes = nodes }

  var storeName: String { nodes.storeName }

  /// Ends the check. A rule that has kept a place cannot read it any more.
  func end() { isOpen = false }

  private func checkIsOpen() throws(FiefError) {
    if !isOpen {
      throw FiefError(.transactionEnded, "A rule was used after the read or write.", store: storeName)
    }
  }

  func value(at path: TreePath) throws -> RuleValue {
    try checkIsOpen()
    nodes.count(1)
    if !places.contains(path) { places.append(path) }
    switch try nodes.content(of: TreePlace(path)) {
    case nil: return .null
    case .leaf(let leaf)?: return RuleValue(leaf)
    case .anchor?: return .node
    }
  }

  func forEachName(at path: TreePath, _ body: (String) throws -> Bool) throws {
    try checkIsOpen()
    var names = try ChildNames(nodes, of: TreePlace(path))
    while let name = try names.next() {
      nodes.count(1)
      guard try body(name) else { return }
    }
  }
}

/// A tree as a JSON value, for tests of rules.
final class JSONRules: RuleState {
  private let json: JSON

  /// - Parameter json: a value without arrays and empty objects.
  init(_ json: JSON) { self.json = json }

  /// - Parameter now: the time for server values.
  convenience init(_ value: TreeValue?, now: Int64) { self.init(value.map { Self.json($0, now) } ?? .null) }

  private static func json(_ value: TreeValue, _ now: Int64) -> JSON {
    switch value {
    case .leaf(.bool(let value)): .bool(value)
    case .leaf(.int(let value)): .int(value)
    case .leaf(.double(let value)): .double(value)
    case .leaf(.string(let value)): .string(value)
    case .leaf(.timestamp): .int(now)
    case .leaf(.increment(let amount)): amount
    case .node(let children):
      .object(
        JSONObject(inOrder: children.map { JSONObject.Member(name: $0.name, value: json($0.value, now)) })
      )
    }
  }

  var storeName: String { "" }

  private func find(_ path: TreePath) -> JSON { path.names.reduce(json) { $0[$1] } }

  func value(at path: TreePath) -> RuleValue {
    let found = find(path)
    if case .object = found { return .node }
    return RuleValue(found)
  }

  func forEachName(at path: TreePath, _ body: (String) throws -> Bool) rethrows {
    for member in find(path).object?.members ?? [] where try !body(member.name) { return }
  }
}

extension TreeNodes {
  /// Returns the leaf of a place, an anchor if it has children, or `nil` if nothing is there. It takes one
  /// search.
  func content(of place: TreePlace) throws -> NodeContent? {
    guard let segment = try segment(of: place) else { return nil }
    let prefix = NodeKey.prefix(segment, place.last)
    let cursor = try cursor()
    guard try prefix.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }), cursor.key.hasPrefix(prefix) else {
      return nil
    }
    guard let (_, found) = NodeKey.read(cursor.key) else { throw damaged("A key of a tree is damaged.") }
    // The first entry is the place itself or a descendant.
    return found.count > place.last.count ? .anchor(segment) : try content(of: cursor.key, cursor.value)
  }
}

/// Times as rules and server values have them.
enum Milliseconds {
  static func since1970(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
  }
}
