import Fief
import FiefRules
import Foundation
import LMDB

/// The state of a tree in which rules are evaluated: the entries of a transaction, or a JSON value.
protocol RuleState: AnyObject {
  /// Returns whether a place may stay in memory until the end of the check. The number of such places is
  /// limited.
  func mayKeepPlace() -> Bool

  /// Returns the value of a place.
  func value(of place: StoredData) throws -> RuleValue

  /// Passes the names of the children of a place to `body`, in order, until it returns `false`.
  func forEachName(of place: StoredData, _ body: (String) throws -> Bool) throws
}

/// The entries of a tree in a transaction.
final class StoredRules: RuleState {
  private static let mostKept = 1024

  private let nodes: TreeNodes
  private let notesPlaces: Bool
  /// A cursor that is not in use between reads.
  private var cursor: Cursor?
  /// Whether the check is running. The transaction may end after it.
  private var isOpen = true
  private var kept = 0
  /// The places that rules have read.
  private(set) var places: Set<TreePath> = []

  /// - Parameter notesPlaces: whether `places` is needed.
  init(_ nodes: TreeNodes, notesPlaces: Bool) {
    self.nodes = nodes
    self.notesPlaces = notesPlaces
  }

  /// Ends the check. A rule that has kept a place cannot read it any more.
  func end() {
    isOpen = false
    cursor = nil
  }

  private func checkIsOpen() throws(FiefError) {
    if !isOpen {
      throw FiefError(.transactionEnded, "A rule was used after the read or write.", store: nodes.storeName)
    }
  }

  func mayKeepPlace() -> Bool {
    if kept < Self.mostKept { kept += 1 }
    return kept < Self.mostKept
  }

  func value(of place: StoredData) throws -> RuleValue {
    try checkIsOpen()
    nodes.count(1)
    if notesPlaces { places.insert(place.path) }
    let cursor = try cursor ?? nodes.cursor()
    self.cursor = cursor
    switch try nodes.content(of: place.place, cursor) {
    case nil: return .null
    case .leaf(let leaf)?: return RuleValue(leaf)
    case .anchor?: return .node
    }
  }

  func forEachName(of place: StoredData, _ body: (String) throws -> Bool) throws {
    try checkIsOpen()
    var names = try ChildNames(nodes, of: place.place)
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

  private func find(_ place: StoredData) -> JSON { place.path.names.reduce(json) { $0[$1] } }

  func mayKeepPlace() -> Bool { false }

  func value(of place: StoredData) -> RuleValue {
    let found = find(place)
    if case .object = found { return .node }
    return RuleValue(found)
  }

  func forEachName(of place: StoredData, _ body: (String) throws -> Bool) rethrows {
    for member in find(place).object?.members ?? [] where try !body(member.name) { return }
  }
}

/// Times as rules and server values have them.
enum Milliseconds {
  static func since1970(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
  }
}
