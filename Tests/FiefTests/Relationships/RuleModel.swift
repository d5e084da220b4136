import Fief

/// What a store of nodes and leaves has to hold, by plain means.
struct RuleModel: Equatable {
  struct Node: Equatable {
    var number = 0
    var one: [String: Int] = [:]
    var many: [String: [Int]] = [:]
    var map: [String: Int?] = [:]
  }

  struct Leaf: Equatable {
    var owner: Int?
    var marks: [Int] = []
  }

  enum Outcome: Equatable {
    case done, denied, invalid
  }

  static let ones = ["cascadeOne", "plainOne", "denyOne", "looseOne", "parent", "keeper"]
  static let manies = ["cascadeMany", "plainMany", "looseMany", "few"]

  var nodes: [Int: Node] = [:]
  var leaves: [Int: Leaf] = [:]

  var isValid: Bool {
    for leaf in leaves.values {
      guard leaf.owner != nil, (1...4).contains(leaf.marks.count) else { return false }
    }
    for (id, node) in nodes {
      guard node.many["few", default: []].count <= 2 else { return false }
      guard leaves.values.count(where: { $0.owner == id }) <= 3 else { return false }
    }
    return true
  }

  /// Deletes nodes; nothing is changed where that is denied.
  mutating func delete(_ roots: [Int]) -> Outcome {
    var gone: Set<Int> = []
    var waiting = roots
    while let id = waiting.popLast() {
      guard let node = nodes[id], gone.insert(id).inserted else { continue }
      if let next = node.one["cascadeOne"] { waiting.append(next) }
      waiting += node.many["cascadeMany", default: []]
      waiting += nodes.filter { $0.value.one["parent"] == id }.map(\.key)
    }
    for id in gone {
      if let target = nodes[id]?.one["denyOne"], nodes[target] != nil, !gone.contains(target) {
        return .denied
      }
      if nodes.contains(where: { $0.value.one["keeper"] == id && !gone.contains($0.key) }) { return .denied }
    }
    for id in gone { nodes[id] = nil }
    clear(gone)
    return .done
  }

  private mutating func clear(_ gone: Set<Int>) {
    for (id, var node) in nodes {
      for name in Self.ones where name != "looseOne" {
        if let target = node.one[name], gone.contains(target) { node.one[name] = nil }
      }
      for name in Self.manies where name != "looseMany" { node.many[name]?.removeAll { gone.contains($0) } }
      for (key, target) in node.map {
        if let target, gone.contains(target) { node.map[key] = .some(nil) }
      }
      nodes[id] = node
    }
    for (id, var leaf) in leaves {
      if let owner = leaf.owner, gone.contains(owner) { leaf.owner = nil }
      leaf.marks.removeAll { gone.contains($0) }
      leaves[id] = leaf
    }
  }

  /// Without links that lead to nothing, and without empty collections: what a reader sees.
  var visible: RuleModel {
    var result = self
    for (id, var node) in nodes {
      node.one = node.one.filter { nodes[$0.value] != nil }
      node.many = node.many.mapValues { $0.filter { nodes[$0] != nil } }.filter { !$0.value.isEmpty }
      node.many["plainMany"]?.sort()
      result.nodes[id] = node
    }
    return result
  }

  /// The nodes or leaves that link to a node.
  func sources(of name: String, to id: Int) -> [Int] {
    switch name {
    case "leaves": leaves.filter { $0.value.owner == id }.map(\.key).sorted()
    case "looseMany": nodes.filter { $0.value.many[name, default: []].contains(id) }.map(\.key).sorted()
    default: nodes.filter { $0.value.one[name] == id }.map(\.key).sorted()
    }
  }
}

extension RuleNode {
  func setOne(_ name: String, _ target: RuleNode?) {
    switch name {
    case "cascadeOne": cascadeOne = target
    case "plainOne": plainOne = target
    case "denyOne": denyOne = target
    case "looseOne": looseOne = target
    case "parent": parent = target
    default: keeper = target
    }
  }

  func setMany(_ name: String, _ targets: [RuleNode]) {
    switch name {
    case "cascadeMany": cascadeMany = List(targets)
    case "plainMany": plainMany = MutableSet(targets)
    case "looseMany": looseMany = List(targets)
    default: few = List(targets)
    }
  }

  var model: RuleModel.Node {
    var result = RuleModel.Node()
    result.number = number
    result.one["cascadeOne"] = cascadeOne?.id
    result.one["plainOne"] = plainOne?.id
    result.one["denyOne"] = denyOne?.id
    result.one["looseOne"] = looseOne?.id
    result.one["parent"] = parent?.id
    result.one["keeper"] = keeper?.id
    result.many["cascadeMany"] = cascadeMany.map(\.id)
    result.many["plainMany"] = plainMany.map(\.id).sorted()
    result.many["looseMany"] = looseMany.map(\.id)
    result.many["few"] = few.map(\.id)
    result.many = result.many.filter { !$0.value.isEmpty }
    for key in plainMap.keys { result.map[key] = .some(plainMap[key].flatMap { $0?.id }) }
    return result
  }
}

extension RuleModel {
  /// What a store has.
  init(_ repository: RuleRepository) throws {
    try repository.read { snapshot in
      for node in snapshot.objects(RuleNode.self) { nodes[node.id] = node.model }
      for leaf in snapshot.objects(RuleLeaf.self) {
        leaves[leaf.id] = Leaf(owner: leaf.owner?.id, marks: leaf.marks.map(\.id))
      }
    }
  }
}
