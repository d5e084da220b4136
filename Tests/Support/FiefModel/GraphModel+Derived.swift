/// The values of derived properties, computed from their sources.
extension GraphModel {
  /// The values of an object's derived properties but texts and times, in the order of their declaration.
  func derived(_ ref: GraphRef) -> [Int?] {
    func numbers(from relation: String, of owner: GraphKind) -> [Int] {
      sources(of: GraphRelation.place(owner, relation), to: ref.id).compactMap {
        self[GraphRef(owner, $0)]?.number
      }
    }
    func targets(_ relation: String) -> [GraphRef] {
      let place = GraphRelation.place(ref.kind, relation)
      let kind = GraphRelation.all[place].target
      return links(place, of: ref.id).compactMap { $0.target.map { GraphRef(kind, $0) } }
    }
    func values(_ relation: String) -> [Int] { targets(relation).compactMap { self[$0]?.number } }
    switch ref.kind {
    case .person:
      let friends = values("friends")
      return [
        staffCount(ref.id), numbers(from: "boss", of: .person).max(), friends.count, friends.reduce(0, +),
      ]
    case .team:
      let (members, audience) = (values("members"), values("audience"))
      return [
        members.count, members.reduce(0, +), members.min(), audience.count, audience.max(),
        links(GraphRelation.place(.team, "guests"), of: ref.id).count, values("guests").reduce(0, +),
        targets("members").reduce(0) { $0 + staffCount($1.id) },
      ]
    case .city:
      let residents = numbers(from: "home", of: .person)
      return [
        residents.count, residents.reduce(0, +), residents.min(),
        sources(of: GraphRelation.place(.person, "visited"), to: ref.id).count,
      ]
    case .note:
      let about = targets("about").first
      return [about.flatMap { self[$0]?.number }, about.map { staffCount($0.id) }]
    }
  }

  func staffCount(_ id: Int) -> Int { sources(of: GraphRelation.place(.person, "boss"), to: id).count }
}
