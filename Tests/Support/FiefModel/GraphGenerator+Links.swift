import Fief

/// Changes of relationships.
extension GraphGenerator {
  mutating func linkAssignment(_ ref: GraphRef, _ model: GraphModel) -> GraphAssignment {
    let places = GraphRelation.owned[ref.kind] ?? []
    var place = places[next(places.count)]
    // Relationships with rules that delete or deny are rarer, or little would ever change.
    if isHard(place), !once(in: 3) { place = places[next(places.count)] }
    return .link(place, edit(place, of: ref, model))
  }

  private func isHard(_ place: Int) -> Bool {
    let relation = GraphRelation.all[place]
    let rules = [relation.side.rule, relation.inverse?.rule ?? .nullify]
    return rules.contains(.deny) || rules.contains(.cascade)
  }

  private mutating func edit(_ place: Int, of ref: GraphRef, _ model: GraphModel) -> GraphEdit {
    let relation = GraphRelation.all[place]
    let links = model.exists(ref) ? model.links(place, of: ref.id) : []
    let isFull = links.count >= (relation.side.maximum ?? (isHard(place) ? 2 : 80))
    let target = id(relation.target, model) ?? 0
    // Places in a list with links that lead to nothing are not the same before and after it is changed.
    let isWhole = relation.isLoose && relation.shape == .list
    switch relation.shape {
    case _ where isWhole:
      return once(in: 2)
        ? whole(place, model) : once(in: 4) ? .removeAll : .append(ids(relation.target, 3, model))
    case .link: return whole(place, model)
    case .list:
      switch next(10) {
      case 0..<2 where !isFull: return .append(ids(relation.target, bunch(place), model))
      case 2..<4 where !isFull: return .insert(target, at: next(links.count + 1))
      case 4: return .replace(at: next(links.count + 1), with: target)
      case 5: return .move(from: next(links.count + 1), to: next(links.count + 1))
      case 6: return .swap(next(links.count + 1), next(links.count + 1))
      case 7: return once(in: 3) ? whole(place, model) : .remove(at: next(links.count + 1))
      default:
        return once(in: 12) && relation.side.minimum == 0 ? .removeAll : .remove(at: next(links.count + 1))
      }
    case .set:
      switch next(8) {
      case 0..<3 where !isFull: return .add(target)
      case 3 where !isFull: return .append(ids(relation.target, bunch(place), model))
      case 4: return once(in: 2) ? whole(place, model) : .removeAll
      default:
        let present = links.compactMap(\.target)
        return .drop(present.isEmpty ? target : present[next(present.count)])
      }
    case .map:
      switch next(8) {
      case 0..<4 where !isFull: return .put(key(), once(in: 4) ? nil : target)
      case 4: return once(in: 2) ? whole(place, model) : .removeAll
      default: return .clear(links.isEmpty || once(in: 4) ? key() : links[next(links.count)].key)
      }
    }
  }

  /// The number of links that are added at once: many where nothing limits them, so that collections become large.
  private mutating func bunch(_ place: Int) -> Int {
    let relation = GraphRelation.all[place]
    if isHard(place) || relation.side.maximum != nil { return 1 + next(2) }
    return once(in: 3) ? 20 + next(20) : 1 + next(4)
  }

  /// Other contents of a relationship.
  mutating func whole(_ place: Int, _ model: GraphModel) -> GraphEdit {
    let relation = GraphRelation.all[place]
    switch relation.shape {
    case .link:
      let isNil = relation.side.minimum == 0 && once(in: 4) || once(in: 30)
      return .assign(isNil ? [] : ids(relation.target, 1, model).map { GraphLink(target: $0) })
    case .list, .set:
      let most = relation.side.maximum ?? (isHard(place) ? 2 : bunch(place))
      let count = once(in: 20) ? most + 1 : relation.side.minimum + next(most)
      return .assign(ids(relation.target, count, model).map { GraphLink(target: $0) })
    case .map:
      var keys: Set<String> = []
      for _ in 0..<next(isHard(place) ? 3 : 12) { keys.insert(key()) }
      return .assign(
        keys.sorted().map { GraphLink(key: $0, target: once(in: 4) ? nil : id(relation.target, model)) }
      )
    }
  }
}
