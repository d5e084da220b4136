import Fief

/// Values of objects, and changes of them.
extension GraphGenerator {
  /// Short and long texts, and pairs of them that Swift holds equal, since they differ in their normalization only.
  static func label(_ number: Int) -> String {
    if number % 7 == 0 { return String(repeating: "Name", count: 80) + "\(number % 5)" }
    return "N" + (number % 2 == 0 ? "\u{E4}" : "a\u{308}") + "me \(number / 2 % 20)"
  }

  mutating func label() -> String? { once(in: 5) ? nil : Self.label(next(10_000)) }

  /// Texts of which a dozen make a large list.
  mutating func words(_ count: Int) -> [String] {
    (0..<count).map { _ in String(repeating: "word ", count: 1 + next(80)) + "\(next(10))" }
  }

  /// Texts of about the size at which a list leaves the record of its object.
  private mutating func wordsAtLimit() -> [String] {
    let (size, count) = (3_900 + next(200), 1 + next(12))
    return (0..<count).map { String(repeating: "w", count: size / count - 3) + "\($0 % 10)" }
  }

  /// A change that often brings a collection to the size at which it leaves the record of its object.
  mutating func heldAssignment(_ ref: GraphRef, _ model: GraphModel) -> GraphAssignment {
    if once(in: 2) { return assignment(ref, model) }
    switch ref.kind {
    case .person: return once(in: 2) ? .words(.assign(wordsAtLimit())) : words(ref, model)
    case .team:
      let words = wordsAtLimit()
      return once(in: 3)
        ? .tag(key(), once(in: 3) ? nil : words[0])
        : .tags(Dictionary(uniqueKeysWithValues: words.enumerated().map { ("tag\($0)", $1) }))
    case .city: return once(in: 3) ? .mark(next(600), isThere: !once(in: 3)) : .marks(Set(0..<480 + next(40)))
    case .note: return assignment(ref, model)
    }
  }

  mutating func key() -> String {
    let number = next(14)
    return number % 3 == 0 ? String(repeating: "key", count: 150) + "\(number)" : "key\(number)"
  }

  /// The content of a new object: its required properties, most times, and some more.
  mutating func contents(_ ref: GraphRef, _ model: GraphModel) -> [GraphAssignment] {
    var result: [GraphAssignment] = [.number(next(100))]
    if once(in: 2) { result.append(.label(label())) }
    result += needed(ref, model)
    for _ in 0..<next(3) {
      let assignment = assignment(ref, model)
      if assignment.isClear, assignment.field != .number { result.append(assignment) }
    }
    return result
  }

  private mutating func needed(_ ref: GraphRef, _ model: GraphModel) -> [GraphAssignment] {
    if once(in: 16) { return [] }
    return (GraphRelation.owned[ref.kind] ?? []).compactMap { place in
      let relation = GraphRelation.all[place]
      guard relation.side.minimum > 0 else { return nil }
      let count = relation.shape == .link ? 1 : relation.side.minimum + next(4)
      var links = ids(relation.target, count, model).map { GraphLink(target: $0) }
      if relation.shape == .map { for index in links.indices { links[index].key = "key\(index)" } }
      return .link(place, .assign(links))
    }
  }

  /// The assignments that documents and dynamic stores can express: whole properties, with links by simple keys.
  mutating func plainContents(_ ref: GraphRef, _ model: GraphModel) -> [GraphAssignment] {
    var result: [GraphAssignment] = []
    if once(in: 2) { result.append(.number(next(100))) }
    if once(in: 2) { result.append(.label(label())) }
    if !model.exists(ref) || once(in: 3) { result += needed(ref, model) }
    if ref.kind == .person {
      if once(in: 3) { result.append(.words(.assign(words(next(16))))) }
      if once(in: 4) { result.append(.part(once(in: 3) ? nil : plainPart(model))) }
      if once(in: 4) { result.append(.parts((0..<next(4)).map { _ in plainPart(model) })) }
      if once(in: 8) { result.append(.code(next(Self.codeCount))) }
    }
    if ref.kind == .team, once(in: 3) { result.append(.tags(["a": "b", key(): words(1)[0]])) }
    let places = (GraphRelation.owned[ref.kind] ?? []).filter {
      let target = GraphRelation.all[$0].target
      return (target == .person || target == .team) && GraphRelation.all[$0].side.minimum == 0
    }
    for _ in 0..<next(3) where !places.isEmpty {
      let place = places[next(places.count)]
      if result.contains(where: { $0.field == .link(place) }) { continue }
      result.append(.link(place, whole(place, model)))
    }
    return result
  }

  private mutating func plainPart(_ model: GraphModel) -> GraphPartState {
    var part = part(model)
    part.city = nil
    return part
  }

  mutating func part(_ model: GraphModel) -> GraphPartState {
    var part = GraphPartState(text: "part \(next(20))", number: once(in: 3) ? nil : next(50))
    if once(in: 2) { part.city = id(.city, model) }
    part.people = ids(.person, next(3), model)
    if once(in: 2) { part.detail = detail(model) }
    return part
  }

  private mutating func detail(_ model: GraphModel) -> GraphPartState.Detail {
    GraphPartState.Detail(text: "detail \(next(9))", team: once(in: 2) ? nil : id(.team, model))
  }

  /// A change of one value.
  mutating func assignment(_ ref: GraphRef, _ model: GraphModel) -> GraphAssignment {
    switch next(10) {
    case 0: return .number(next(100))
    case 1: return .label(label())
    case 2..<4:
      switch ref.kind {
      case .person: return once(in: 3) ? .code(once(in: 3) ? nil : next(Self.codeCount)) : words(ref, model)
      case .team: return once(in: 8) ? .tags([:]) : .tag(key(), once(in: 3) ? nil : words(1)[0])
      case .city: return once(in: 8) ? .marks([1, 2, 3]) : .mark(next(40), isThere: !once(in: 3))
      case .note: return .code(once(in: 3) ? nil : next(Self.codeCount))
      }
    case 4..<6 where ref.kind == .person || ref.kind == .city: return partAssignment(ref, model)
    default: return linkAssignment(ref, model)
    }
  }

  private mutating func words(_ ref: GraphRef, _ model: GraphModel) -> GraphAssignment {
    let count = model[ref]?.words.count ?? 0
    switch next(8) {
    case 0: return .words(.assign(words(next(30))))
    case 1: return .words(.removeAll)
    case 2: return .words(.append(words(next(20))))
    case 3, 4: return .words(.insert(words(1)[0], at: next(count + 1)))
    case 5: return .words(.move(from: next(count + 1), to: next(count + 1)))
    default: return .words(.remove(at: next(count + 1)))
    }
  }

  private mutating func partAssignment(_ ref: GraphRef, _ model: GraphModel) -> GraphAssignment {
    let count = model[ref]?.parts.count ?? 0
    if ref.kind == .city {
      switch next(4) {
      case 0: return .clearPart("part \(next(4))")
      case 1: return .putPart("part \(next(4))", once(in: 4) ? nil : part(model))
      default: return .partChange(.key("part \(next(4))"), partChange(model))
      }
    }
    switch next(9) {
    case 0: return .part(once(in: 4) ? nil : part(model))
    case 1, 2: return .partChange(.single, partChange(model))
    case 3, 4: return .partChange(.index(next(count + 1)), partChange(model))
    case 5: return .addPart(part(model), at: next(count + 1))
    case 6: return .removePart(at: next(count + 1))
    case 7: return .movePart(from: next(count + 1), to: next(count + 1))
    default: return .parts((0..<next(5)).map { _ in part(model) })
    }
  }

  private mutating func partChange(_ model: GraphModel) -> GraphPartChange {
    switch next(7) {
    case 0: return .text("changed \(next(30))")
    case 1: return .number(once(in: 3) ? nil : next(50))
    case 2: return .city(once(in: 4) ? nil : id(.city, model))
    case 3: return id(.person, model).map { .addPerson($0) } ?? .number(1)
    case 4: return .dropPerson(id(.person, model) ?? 0)
    case 5: return .detail(once(in: 4) ? nil : detail(model))
    default: return .team(id(.team, model))
    }
  }
}
