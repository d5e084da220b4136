import Fief

/// Makes the changes of objects in the store.
struct GraphEditor {
  /// An object by its type and mark, nil where there is none.
  let find: (GraphRef) throws -> Object?

  func apply(_ assignment: GraphAssignment, to object: any GraphObject) throws {
    switch assignment {
    case .number(let number): object.number = number
    case .label(let label): object.label = label
    case .code(let code):
      (object as? GraphPerson)?.code = code
      (object as? GraphNote)?.code = code
    case .words(let edit): if let person = object as? GraphPerson { apply(edit, to: person) }
    case .tags(let tags):
      let map = Map<String, String>()
      map.merge(tags)
      (object as? GraphTeam)?.tags = map
    case .tag(let key, let value): (object as? GraphTeam)?.tags[key] = value
    case .marks(let marks): (object as? GraphCity)?.marks = MutableSet(marks)
    case .mark(let mark, let isThere):
      guard let city = object as? GraphCity else { return }
      if isThere { city.marks.insert(mark) } else { city.marks.remove(mark) }
    case .link(let place, let edit):
      let relation = GraphRelation.all[place]
      try relation.access.apply(edit, to: object) { try find(GraphRef(relation.target, $0)) }
    default: try applyPart(assignment, to: object)
    }
  }

  private func apply(_ edit: GraphValues, to person: GraphPerson) {
    switch edit {
    case .assign(let words): person.words = List(words)
    case .append(let words): person.words.append(objectsIn: words)
    case .insert(let word, let index): person.words.insert(word, at: index)
    case .remove(let index): person.words.remove(at: index)
    case .move(let source, let destination): person.words.move(from: source, to: destination)
    case .removeAll: person.words.removeAll()
    }
  }

  private func applyPart(_ assignment: GraphAssignment, to object: any GraphObject) throws {
    let (person, city) = (object as? GraphPerson, object as? GraphCity)
    switch assignment {
    case .part(let part): person?.part = try part.map(make)
    case .parts(let parts): person?.parts = List(try parts.map(make))
    case .addPart(let part, let index): person?.parts.insert(try make(part), at: index)
    case .removePart(let index): person?.parts.remove(at: index)
    case .movePart(let source, let destination): person?.parts.move(from: source, to: destination)
    case .putPart(let key, let part): city?.partsByName[key] = .some(try part.map(make))
    case .clearPart(let key): city?.partsByName.removeObject(for: key)
    case .partChange(.single, let change): if let part = person?.part { try apply(change, to: part) }
    case .partChange(.index(let index), let change):
      guard let parts = person?.parts, parts.indices.contains(index) else { return }
      try apply(change, to: parts[index])
    case .partChange(.key(let key), let change):
      if let part = city?.partsByName[key] ?? nil { try apply(change, to: part) }
    default: break
    }
  }

  private func apply(_ change: GraphPartChange, to part: GraphPart) throws {
    switch change {
    case .text(let text): part.text = text
    case .number(let number): part.number = number
    case .city(let id): part.city = try linked(.city, id)
    case .addPerson(let id):
      if let person: GraphPerson = try linked(.person, id) { part.people.append(person) }
    case .dropPerson(let id):
      guard let person: GraphPerson = try linked(.person, id), let index = part.people.index(of: person)
      else {
        return
      }
      part.people.remove(at: index)
    case .detail(let detail): part.detail = try detail.map(make)
    case .team(let id): part.detail?.team = try linked(.team, id)
    }
  }

  private func linked<Target: Object>(_ kind: GraphKind, _ id: Int?) throws -> Target? {
    try id.flatMap { try find(GraphRef(kind, $0)) as? Target }
  }

  private func make(_ state: GraphPartState) throws -> GraphPart {
    let part = GraphPart()
    part.text = state.text
    part.number = state.number
    part.city = try linked(.city, state.city)
    for id in state.people {
      if let person: GraphPerson = try linked(.person, id) { part.people.append(person) }
    }
    part.detail = try state.detail.map(make)
    return part
  }

  private func make(_ state: GraphPartState.Detail) throws -> GraphDetail {
    let detail = GraphDetail()
    detail.text = state.text
    detail.team = try linked(.team, state.team)
    return detail
  }

  /// A new object with its key.
  static func make(_ ref: GraphRef) -> any GraphObject {
    let object = ref.kind.type.init()
    object.mark = ref.id
    switch object {
    case let person as GraphPerson: person.name = GraphPerson.name(of: ref.id)
    case let team as GraphTeam: team.id = GraphTeam.id(of: ref.id)
    case let city as GraphCity:
      let key = GraphCity.key(of: ref.id)
      city.name = key[0] as? String ?? ""
      city.place = key[1] as? Int
    default: break
    }
    return object
  }
}
