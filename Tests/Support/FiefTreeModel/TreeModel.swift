import Fief
import FiefTree

/// A tree as a dictionary of leaves, written in the simplest way.
package struct TreeModel: Sendable {
  /// A path, compared by the bytes of its names.
  package struct Path: Hashable, Sendable {
    let names: [[UInt8]]

    package init(_ names: [String]) { self.names = names.map { Array($0.utf8) } }

    package func starts(with other: Path) -> Bool { names.starts(with: other.names) }
  }

  package private(set) var leaves: [Path: (names: [String], value: JSON)] = [:]
  /// The time that a write stores for a timestamp, in milliseconds.
  package var milliseconds: Int64 = 0

  package init() {}

  mutating func apply(_ edit: TreeEdit) {
    switch edit {
    case .set(let value, let path): set(value, at: path)
    case .remove(let path): set(.null, at: path)
    case .update(let changes, let path):
      for change in changes { set(change.value, at: path + change.path) }
    }
  }

  package mutating func set(_ value: JSON, at path: [String]) {
    let old = leaves
    let place = Path(path)
    leaves = leaves.filter { !$0.key.starts(with: place) }
    var added: [(names: [String], value: JSON)] = []
    flatten(value, path, old, &added)
    if added.isEmpty { return }
    // Leaves above become nodes.
    leaves = leaves.filter { !place.starts(with: $0.key) }
    for leaf in added { leaves[Path(leaf.names)] = leaf }
  }

  private func flatten(
    _ value: JSON,
    _ path: [String],
    _ old: [Path: (names: [String], value: JSON)],
    _ result: inout [(names: [String], value: JSON)]
  ) {
    switch value {
    case .null: break
    case .array(let elements):
      for (index, element) in elements.enumerated() { flatten(element, path + [String(index)], old, &result) }
    case .object(let object) where object.contains(name: ".value"):
      flatten(value[".value"], path, old, &result)
    case .object(let object) where object.contains(name: ".sv"):
      let amount = value[".sv"]["increment"]
      let new = amount == .null ? .int(milliseconds) : Self.sum(old[Path(path)]?.value, amount)
      result.append((path, new))
    case .object(let object):
      for (name, value) in object { flatten(value, path + [name], old, &result) }
    default: result.append((path, value))
    }
  }

  private static func sum(_ old: JSON?, _ amount: JSON) -> JSON {
    switch (old, amount) {
    case (.int(let old)?, .int(let amount)):
      let sum = Int128(old) + Int128(amount)
      return Int64(exactly: sum).map { .int($0) } ?? .double(Double(old) + Double(amount))
    case (.int?, _), (.double?, _): return .double((old?.double ?? 0) + (amount.double ?? 0))
    default: return amount
    }
  }

  /// The value of a place, with nodes as objects.
  package func value(at path: [String]) -> JSON {
    let place = Path(path)
    let below = leaves.filter { $0.key.starts(with: place) }
    return Self.value(of: Array(below.values), depth: path.count)
  }

  private static func value(of leaves: [(names: [String], value: JSON)], depth: Int) -> JSON {
    if leaves.isEmpty { return .null }
    if leaves.count == 1, leaves[0].names.count == depth { return leaves[0].value }
    let groups = Dictionary(grouping: leaves) { Array($0.names[depth].utf8) }
    return .object(
      FiefTree.JSONObject(groups.values.map { ($0[0].names[depth], value(of: $0, depth: depth + 1)) })
    )
  }

  /// The names of the children of a place, in the order of the specification.
  package func keys(at path: [String]) -> [String] {
    let place = Path(path)
    var names: [[UInt8]: String] = [:]
    for (key, leaf) in leaves where leaf.names.count > path.count && key.starts(with: place) {
      names[key.names[path.count]] = leaf.names[path.count]
    }
    return names.values.sorted { Self.isBefore($0, $1) }
  }

  /// The children of a place, with their names as paths.
  package func children(at path: [String]) -> [QueryModel.Child] {
    keys(at: path).map { QueryModel.Child(path: [$0], value: value(at: path + [$0])) }
  }

  /// The children of all nodes with a name.
  package func children(ofNodesNamed name: String) -> [QueryModel.Child] {
    var paths: [Path: [String]] = [:]
    for leaf in leaves.values {
      for count in leaf.names.indices.dropLast() where Array(leaf.names[count].utf8) == Array(name.utf8) {
        let path = Array(leaf.names.prefix(count + 2))
        paths[Path(path)] = path
      }
    }
    return paths.values.map { QueryModel.Child(path: $0, value: value(at: $0)) }
  }

  /// The order of names as the specification states it, written in another way than the library's.
  package static func isBefore(_ first: String, _ second: String) -> Bool {
    func integer(_ name: String) -> Int? {
      guard name.wholeMatch(of: #/-?0*[0-9]{1,10}/#) != nil, let value = Int32(name) else { return nil }
      return Int(value)
    }
    let bytes = Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
    switch (integer(first), integer(second)) {
    case (let one?, let other?):
      return (one, first.utf8.count, bytes ? 0 : 1) < (other, second.utf8.count, bytes ? 1 : 0)
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): return bytes
    }
  }
}
