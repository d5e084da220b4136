import Fief

/// Holds objects of the store against what the model says of them.
struct GraphComparison {
  let model: GraphModel
  let find: (GraphRef) throws -> Object?

  /// Whether all inverses are compared, or else those that the commit may have changed.
  var comparesAllInverses = true

  /// The differences of an object from the model, in words.
  func problems(of ref: GraphRef) throws -> [String] {
    let found = try find(ref)
    guard let state = model[ref] else { return found == nil ? [] : ["\(ref) is there"] }
    guard let object = found as? any GraphObject else { return ["\(ref) is not there"] }
    var problems: [String] = []
    func compare<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) {
      if found != expected { problems.append("\(ref).\(name): \(found), not \(expected)") }
    }
    if object.number != state.number { compare("number", object.number, state.number) }
    let label = object.label.map { ExactText($0) }
    if label != state.label { compare("label", label, state.label) }
    compareValues(object, state, compare)
    for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
      let relation = GraphRelation.all[place]
      var links = relation.access.links(of: object)
      if relation.shape == .set { links.sort { ($0.target ?? 0) < ($1.target ?? 0) } }
      let expected = model.visible(state.links[slot], place)
      if links != expected { compare(relation.side.name, links, expected) }
      // Links that lead to nothing are left out, and counted where they are still there.
      let count = relation.access.count(of: object)
      if !(expected.count...state.links[slot].count).contains(count) {
        compare(relation.side.name + ".count", count, state.links[slot].count)
      }
    }
    for place in GraphRelation.leading[ref.kind] ?? [] {
      let relation = GraphRelation.all[place]
      guard let linking = relation.linking,
        comparesAllInverses || model.touchedInverses.contains(GraphInverseRef(ref: ref, relation: place))
      else { continue }
      let sources = linking.sources(of: object).sorted()
      let expected = model.sources(of: place, to: ref.id)
      if sources != expected { compare(relation.inverse?.name ?? "", sources, expected) }
    }
    let (allDerived, allExpected) = (Self.derived(object), model.derived(ref))
    let places = (GraphDerivedRef.places[ref.kind] ?? []).filter(allExpected.indices.contains)
    let (derived, expected) = (places.map { allDerived[$0] }, places.map { allExpected[$0] })
    if derived != expected { compare("derived", derived, expected) }
    return problems
  }

  private func compareValues(
    _ object: any GraphObject,
    _ state: GraphState,
    _ compare: (String, [String], [String]) -> Void
  ) {
    func check<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) {
      if found != expected { compare(name, ["\(found)"], ["\(expected)"]) }
    }
    switch object {
    case let person as GraphPerson:
      check("code", person.code, state.code)
      check("words", Array(person.words), state.words)
      check("part", person.part.map(GraphPartState.init), state.part.map(model.visible))
      check("parts", person.parts.map(GraphPartState.init), state.parts.map(model.visible))
      if GraphKind.person.isDerived("searchLabel") {
        check("searchLabel", person.searchLabel, state.label?.text.lowercased())
      }
    case let team as GraphTeam: check("tags", team.tags.dictionary, state.tags)
    case let city as GraphCity:
      check("marks", Set(city.marks), state.marks)
      var parts: [String: GraphPartState?] = [:]
      for key in city.partsByName.keys {
        parts[key] = .some((city.partsByName[key] ?? nil).map(GraphPartState.init))
      }
      check("partsByName", parts, state.partsByName.mapValues { $0.map(model.visible) })
      if GraphKind.city.isDerived("searchLabel") {
        check("searchLabel", city.searchLabel, state.label?.text.lowercased())
      }
    case let note as GraphNote: check("code", note.code, state.code)
    default: break
    }
  }

  /// The derived properties of an object, in the order of their declaration.
  static func derived(_ object: Object) -> [Int?] {
    switch object {
    case let person as GraphPerson:
      [person.staffCount, person.staffMost, Int(person.friendsCount), person.friendsSum]
    case let team as GraphTeam:
      [
        team.membersCount, Int(team.membersSum), team.membersLeast, team.audienceCount, team.audienceMost,
        team.guestsCount, team.guestsSum, team.staffTotal,
      ]
    case let city as GraphCity:
      [city.residentsCount, city.residentsSum, city.residentsLeast, city.visitorsCount]
    case let note as GraphNote: [note.aboutNumber, note.aboutStaff]
    default: []
    }
  }
}

extension GraphPartState {
  init(_ part: GraphPart) {
    text = part.text
    number = part.number
    city = part.city?.mark
    people = part.people.map(\.mark)
    detail = part.detail.map { Detail(text: $0.text, team: $0.team?.mark) }
  }
}
