import Fief

/// Deletions and limits.
extension GraphModel {
  enum Outcome: Sendable, Equatable {
    case done
    case denied
    case notFound
    case duplicateKey
  }

  /// Deletes objects by the rules; nothing is changed where that is denied.
  mutating func delete(_ roots: [GraphRef]) -> Outcome {
    guard roots.allSatisfy(exists), Set(roots).count == roots.count else { return .notFound }
    let gone = cascade(from: roots)
    if isDenied(gone) { return .denied }
    for ref in gone { put(nil, ref) }
    for ref in gone { clearLinks(to: ref) }
    for ref in gone { times[ref] = nil }
    return .done
  }

  mutating func deleteAll(_ kind: GraphKind) -> Outcome { delete(all(kind)) }

  private func cascade(from roots: [GraphRef]) -> Set<GraphRef> {
    var gone: Set<GraphRef> = []
    var waiting = roots
    while let ref = waiting.popLast() {
      guard let state = self[ref], gone.insert(ref).inserted else { continue }
      for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
        let relation = GraphRelation.all[place]
        guard relation.side.rule == .cascade else { continue }
        waiting += state.links[slot].compactMap { $0.target.map { GraphRef(relation.target, $0) } }
      }
      for place in GraphRelation.leading[ref.kind] ?? [] {
        let relation = GraphRelation.all[place]
        guard relation.inverse?.rule == .cascade else { continue }
        waiting += sources(of: place, to: ref.id).map { GraphRef(relation.owner, $0) }
      }
    }
    return gone
  }

  private func isDenied(_ gone: Set<GraphRef>) -> Bool {
    for ref in gone {
      guard let state = self[ref] else { continue }
      for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
        let relation = GraphRelation.all[place]
        guard relation.side.rule == .deny else { continue }
        for id in state.links[slot].compactMap(\.target) {
          let target = GraphRef(relation.target, id)
          if exists(target), !gone.contains(target) { return true }
        }
      }
      for place in GraphRelation.leading[ref.kind] ?? [] {
        let relation = GraphRelation.all[place]
        guard relation.inverse?.rule == .deny else { continue }
        for id in sources(of: place, to: ref.id) where !gone.contains(GraphRef(relation.owner, id)) {
          return true
        }
      }
    }
    return false
  }

  private mutating func clearLinks(to gone: GraphRef) {
    for place in GraphRelation.leading[gone.kind] ?? [] {
      let relation = GraphRelation.all[place]
      let slot = GraphRelation.slots[place]
      for id in sources(of: place, to: gone.id) {
        let owner = GraphRef(relation.owner, id)
        touch(owner)
        if relation.isLoose { continue }
        modify(owner) { state in
          if relation.shape == .map {
            for index in state.links[slot].indices where state.links[slot][index].target == gone.id {
              state.links[slot][index].target = nil
            }
          } else {
            state.links[slot].removeAll { $0.target == gone.id }
          }
        }
        note(owner, isCertain: true)
      }
    }
  }

  // MARK: The end of a commit

  /// The violations of relationships, as an error lists them.
  var violations: Set<String> {
    var found: Set<String> = []
    for ref in touched {
      guard let state = self[ref] else { continue }
      let key = ref.kind.keyText(of: ref.id) ?? "*"
      for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
        let relation = GraphRelation.all[place]
        guard relation.side.minimum > 0 || relation.side.maximum != nil else { continue }
        let count = state.links[slot].count { $0.target != nil }
        let text: String
        if count < relation.side.minimum {
          text =
            relation.shape == .link
            ? "required, but nil" : "\(objects(count)), at least \(relation.side.minimum)"
        } else if let maximum = relation.side.maximum, count > maximum {
          text = "\(objects(count)), at most \(maximum)"
        } else {
          continue
        }
        found.insert("\(ref.kind.type.className())[\(key)].\(relation.side.name): \(text)")
      }
      for place in GraphRelation.leading[ref.kind] ?? [] {
        guard let inverse = GraphRelation.all[place].inverse, let maximum = inverse.maximum else { continue }
        guard sources(of: place, to: ref.id).count > maximum else { continue }
        found.insert("\(ref.kind.type.className())[\(key)].\(inverse.name): more than \(objects(maximum))")
      }
    }
    return found
  }

  private func objects(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }

  /// Whether two objects have the same values in a unique index.
  var hasDuplicates: Bool {
    for (kind, columns) in Self.unique {
      var seen: Set<[GraphUniqueValue]> = []
      for ref in all(kind) {
        if let values = uniqueValues(columns, of: ref), !seen.insert(values).inserted { return true }
      }
    }
    return false
  }

  private static let unique: [(GraphKind, [String])] = GraphKind.allCases.flatMap { kind in
    kind.indexes.filter(\.isUnique).map { (kind, $0.columns) }
  }

  /// The values of an object in a unique index; nil where one of them is.
  private func uniqueValues(_ columns: [String], of ref: GraphRef) -> [GraphUniqueValue]? {
    guard let state = self[ref] else { return nil }
    var values: [GraphUniqueValue] = []
    for column in columns {
      let value: GraphUniqueValue? =
        switch column {
        case "number": .number(state.number)
        case "mark": .number(ref.id)
        case "code": state.code.map { .number($0) }
        case "label": state.label.map { .text($0) }
        default: links(GraphRelation.place(ref.kind, column), of: ref.id).first?.target.map { .number($0) }
        }
      guard let value else { return nil }
      values.append(value)
    }
    return values
  }
}

private enum GraphUniqueValue: Hashable {
  case number(Int)
  case text(ExactText)
}
