import Fief
import FiefTree

/// A tree as a dictionary of leaves, written in the simplest way.
struct TreeModel {
  /// A path, compared by the bytes of its names.
  struct Path: Hashable {
    let names: [[UInt8]]

    init(_ names: [String]) { self.names = names.map { Array($0.utf8) } }

    func starts(with other: Path) -> Bool { names.starts(with: other.names) }
  }

  private(set) var leaves: [Path: (names: [String], value: JSON)] = [:]

  mutating func set(_ value: JSON, at path: [String]) {
    let old = leaves
    let place = Path(path)
    leaves = leaves.filter { !$0.key.starts(with: place) }
    var added: [(names: [String], value: JSON)] = []
    Self.flatten(value, path, old, &added)
    if added.isEmpty { return }
    // Leaves above become nodes.
    leaves = leaves.filter { !place.starts(with: $0.key) }
    for leaf in added { leaves[Path(leaf.names)] = leaf }
  }

  private static func flatten(
    _ value: JSON,
    _ path: [String],
    _ old: [Path: (names: [String], value: JSON)],
    _ result: inout [(names: [String], value: JSON)]
  ) {
    switch value {
    case .null: break
    case .array(let elements):
      for (index, element) in elements.enumerated() { flatten(element, path + [String(index)], old, &result) }
    case .object(let object) where object.contains(name: ".sv"):
      let amount = value[".sv"]["increment"].int ?? 0
      switch old[Path(path)]?.value {
      case .int(let number)?: result.append((path, .int(number + amount)))
      case .double(let number)?: result.append((path, .double(number + Double(amount))))
      default: result.append((path, .int(amount)))
      }
    case .object(let object):
      for (name, value) in object { flatten(value, path + [name], old, &result) }
    default: result.append((path, value))
    }
  }

  /// The value of a place, with nodes as objects.
  func value(at path: [String]) -> JSON {
    let place = Path(path)
    let below = leaves.values.filter { Path($0.names).starts(with: place) }
    return Self.value(of: below, depth: path.count)
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
  func keys(at path: [String]) -> [String] {
    let place = Path(path)
    var names: [[UInt8]: String] = [:]
    for leaf in leaves.values where leaf.names.count > path.count && Path(leaf.names).starts(with: place) {
      let name = leaf.names[path.count]
      names[Array(name.utf8)] = name
    }
    return names.values.sorted { PlaceTests.isBefore($0, $1) }
  }
}
