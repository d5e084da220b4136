import Fief

/// A relationship of the graph: what the classes declare of it, once more in plain words, and the access to it.
struct GraphRelation: Sendable {
  enum Shape: Sendable { case link, list, set, map }

  /// The rules of one side.
  struct Side: Sendable {
    var name: String
    var rule = DeleteRule.nullify
    var minimum = 0
    var maximum: Int?
  }

  let owner: GraphKind
  let target: GraphKind
  let shape: Shape
  var side: Side
  var inverse: Side?
  let access: any GraphAccess
  let linking: (any GraphInverseAccess)?

  /// Whether links to objects that are gone stay.
  var isLoose: Bool { inverse?.rule == .noAction }

  private static func relation(
    _ shape: Shape,
    _ owner: GraphKind,
    _ side: Side,
    _ target: GraphKind,
    _ access: any GraphAccess,
    _ inverse: Side? = nil,
    _ linking: (any GraphInverseAccess)? = nil
  ) -> GraphRelation {
    GraphRelation(
      owner: owner,
      target: target,
      shape: shape,
      side: side,
      inverse: inverse,
      access: access,
      linking: linking
    )
  }

  /// The relationships as the classes are written.
  static let declared: [GraphRelation] = links + lists + sets + maps
  /// The relationships as they are in this process.
  static let all: [GraphRelation] = GraphVariation.current?.modelRelations ?? declared

  private static let links: [GraphRelation] = [
    relation(
      .link,
      .person,
      Side(name: "home"),
      .city,
      GraphLinkAccess(path: \GraphPerson.home),
      Side(name: "residents"),
      GraphLinking(path: \GraphCity.residents)
    ),
    relation(
      .link,
      .person,
      Side(name: "boss"),
      .person,
      GraphLinkAccess(path: \GraphPerson.boss),
      Side(name: "staff", rule: .cascade),
      GraphLinking(path: \GraphPerson.staff)
    ),
    relation(
      .link,
      .person,
      Side(name: "mentor"),
      .person,
      GraphLinkAccess(path: \GraphPerson.mentor),
      Side(name: "mentored", rule: .deny),
      GraphLinking(path: \GraphPerson.mentored)
    ),
    relation(
      .link,
      .person,
      Side(name: "desk", rule: .cascade),
      .team,
      GraphLinkAccess(path: \GraphPerson.desk),
      Side(name: "deskOf"),
      GraphLinking(path: \GraphTeam.deskOf)
    ),
    relation(
      .link,
      .team,
      Side(name: "lead", minimum: 1),
      .person,
      GraphLinkAccess(path: \GraphTeam.lead),
      Side(name: "leads"),
      GraphLinking(path: \GraphPerson.leads)
    ),
    relation(
      .link,
      .city,
      Side(name: "mayor", rule: .deny),
      .person,
      GraphLinkAccess(path: \GraphCity.mayor)
    ),
    relation(
      .link,
      .note,
      Side(name: "about", minimum: 1),
      .person,
      GraphLinkAccess(path: \GraphNote.about),
      Side(name: "notes", rule: .cascade),
      GraphLinking(path: \GraphPerson.notes)
    ),
    relation(
      .link,
      .note,
      Side(name: "reader"),
      .person,
      GraphLinkAccess(path: \GraphNote.reader),
      Side(name: "reads", rule: .noAction),
      GraphLinking(path: \GraphPerson.reads)
    ),
    relation(
      .link,
      .note,
      Side(name: "thread", rule: .cascade),
      .note,
      GraphLinkAccess(path: \GraphNote.thread),
      Side(name: "replies"),
      GraphLinking(path: \GraphNote.replies)
    ),
  ]

  private static let lists: [GraphRelation] = [
    relation(
      .list,
      .team,
      Side(name: "members", minimum: 1, maximum: 5),
      .person,
      GraphListAccess(path: \GraphTeam.members),
      Side(name: "teams", maximum: 4),
      GraphLinking(path: \GraphPerson.teams)
    ),
    relation(
      .list,
      .team,
      Side(name: "audience"),
      .person,
      GraphListAccess(path: \GraphTeam.audience),
      Side(name: "attends"),
      GraphLinking(path: \GraphPerson.attends)
    ),
    relation(
      .list,
      .team,
      Side(name: "subteams", rule: .cascade),
      .team,
      GraphListAccess(path: \GraphTeam.subteams),
      Side(name: "superteams", rule: .cascade),
      GraphLinking(path: \GraphTeam.superteams)
    ),
    relation(
      .list,
      .team,
      Side(name: "trophies", rule: .cascade),
      .note,
      GraphListAccess(path: \GraphTeam.trophies)
    ),
    relation(
      .list,
      .city,
      Side(name: "routes", rule: .deny),
      .city,
      GraphListAccess(path: \GraphCity.routes)
    ),
    relation(
      .list,
      .note,
      Side(name: "cities", maximum: 3),
      .city,
      GraphListAccess(path: \GraphNote.cities),
      Side(name: "notes", rule: .deny),
      GraphLinking(path: \GraphCity.notes)
    ),
    relation(
      .list,
      .note,
      Side(name: "seen"),
      .team,
      GraphListAccess(path: \GraphNote.seen),
      Side(name: "seenBy", rule: .noAction),
      GraphLinking(path: \GraphTeam.seenBy)
    ),
  ]

  private static let sets: [GraphRelation] = [
    relation(
      .set,
      .person,
      Side(name: "friends"),
      .person,
      GraphSetAccess(path: \GraphPerson.friends),
      Side(name: "friendOf"),
      GraphLinking(path: \GraphPerson.friendOf)
    ),
    relation(
      .set,
      .person,
      Side(name: "visited"),
      .city,
      GraphSetAccess(path: \GraphPerson.visited),
      Side(name: "visitors", rule: .noAction),
      GraphLinking(path: \GraphCity.visitors)
    ),
    relation(
      .set,
      .person,
      Side(name: "badges", rule: .cascade),
      .note,
      GraphSetAccess(path: \GraphPerson.badges),
      Side(name: "badgeOf", rule: .deny),
      GraphLinking(path: \GraphNote.badgeOf)
    ),
    relation(
      .set,
      .city,
      Side(name: "twins", rule: .deny),
      .city,
      GraphSetAccess(path: \GraphCity.twins),
      Side(name: "twinOf", rule: .cascade),
      GraphLinking(path: \GraphCity.twinOf)
    ),
  ]

  private static let maps: [GraphRelation] = [
    relation(
      .map,
      .person,
      Side(name: "roles", rule: .deny),
      .team,
      GraphMapAccess(path: \GraphPerson.roles),
      Side(name: "roleOf", rule: .cascade),
      GraphLinking(path: \GraphTeam.roleOf)
    ),
    relation(
      .map,
      .team,
      Side(name: "guests", maximum: 12),
      .person,
      GraphMapAccess(path: \GraphTeam.guests),
      Side(name: "guestOf"),
      GraphLinking(path: \GraphPerson.guestOf)
    ),
    relation(
      .map,
      .city,
      Side(name: "allies", rule: .cascade),
      .city,
      GraphMapAccess(path: \GraphCity.allies),
      Side(name: "allyOf", rule: .deny),
      GraphLinking(path: \GraphCity.allyOf)
    ),
    relation(
      .map,
      .city,
      Side(name: "visits"),
      .person,
      GraphMapAccess(path: \GraphCity.visits),
      Side(name: "guestIn", rule: .noAction),
      GraphLinking(path: \GraphPerson.guestIn)
    ),
  ]

  /// The places in `all` of those that a type owns, and of those that lead to it.
  static let owned: [GraphKind: [Int]] = places { $0.owner }
  static let leading: [GraphKind: [Int]] = places { $0.target }

  private static func places(_ kind: (GraphRelation) -> GraphKind) -> [GraphKind: [Int]] {
    Dictionary(grouping: all.indices) { kind(all[$0]) }
  }

  static func place(_ owner: GraphKind, _ name: String) -> Int {
    declared.firstIndex { $0.owner == owner && $0.side.name == name } ?? 0
  }
}

extension GraphRelation {
  /// The place of each relationship among those that the same type owns, by the place in `all`.
  static let slots: [Int] = all.indices.map { place in owned[all[place].owner]?.firstIndex(of: place) ?? 0 }
}
