import Fief
import Foundation

/// A person: at one end or both of relationships of every kind.
final class GraphPerson: Object, GraphObject {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(indexed: true) var mark = 0
  @Persisted var number = 0
  @Persisted var label: String?
  @Persisted var code: Int?
  @Persisted var words: List<String>

  @Persisted var home: GraphCity?
  @Persisted var boss: GraphPerson?
  @Persisted var mentor: GraphPerson?
  @Persisted var desk: GraphTeam?
  @Persisted var friends: MutableSet<GraphPerson>
  @Persisted var visited: MutableSet<GraphCity>
  @Persisted var badges: MutableSet<GraphNote>
  @Persisted var roles: Map<String, GraphTeam?>
  @Persisted var part: GraphPart?
  @Persisted var parts: List<GraphPart>

  @Persisted(originProperty: "boss") var staff: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "mentor") var mentored: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "friends") var friendOf: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "lead") var leads: LinkingObjects<GraphTeam>
  @Persisted(originProperty: "members") var teams: LinkingObjects<GraphTeam>
  @Persisted(originProperty: "guests") var guestOf: LinkingObjects<GraphTeam>
  @Persisted(originProperty: "audience") var attends: LinkingObjects<GraphTeam>
  @Persisted(originProperty: "about") var notes: LinkingObjects<GraphNote>
  @Persisted(originProperty: "reader") var reads: LinkingObjects<GraphNote>
  @Persisted(originProperty: "visits") var guestIn: LinkingObjects<GraphCity>

  @Persisted(indexed: true) var staffCount = 0
  @Persisted var staffMost: Int?
  @Persisted var friendsCount: Int16 = 0
  @Persisted var friendsSum = 0
  @Persisted(indexed: true) var searchLabel: String?
  @Persisted(indexed: true) var changedAt: Date?

  override class func relationships() -> [Relationship] {
    GraphVariation.current?.relationships(of: .person) ?? [
      Relationship("staff", deleteRule: .cascade), Relationship("mentored", deleteRule: .deny),
      Relationship("desk", deleteRule: .cascade), Relationship("badges", deleteRule: .cascade),
      Relationship(\GraphPerson.roles, deleteRule: .deny), Relationship("notes", deleteRule: .cascade),
      Relationship("reads", deleteRule: .noAction), Relationship("guestIn", deleteRule: .noAction),
      Relationship(\GraphPerson.teams, maximum: 4),
    ]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    GraphKind.person.derivations([
      DerivedProperty("staffCount", .count(of: "staff")),
      DerivedProperty("staffMost", .max(of: "staff.number")),
      DerivedProperty("friendsCount", .count(of: "friends")),
      DerivedProperty("friendsSum", .sum(of: "friends.number")),
      DerivedProperty("searchLabel", .lowercased(of: "label")),
      DerivedProperty("changedAt", .lastChange),
    ])
  }

  override class func indexes() -> [IndexDefinition] { GraphKind.person.indexes.map(\.definition) }

  private static let nameForm = GraphVariation.current?.nameForm

  /// Some keys are long, so that few links make a large collection, some longer than entries of trees have them
  /// whole, some have bytes that keys escape.
  static func name(of id: Int) -> String {
    switch nameForm ?? id % 6 {
    case 0: String(repeating: "Long ", count: 60) + "\(id)"
    case 1: "p\(id) " + String(repeating: "ä", count: 90)
    case 2: "p\u{0}\u{1}\(id)"
    default: "p\(id)"
    }
  }
}
