import Fief
import Foundation

/// A team: it needs a lead and some members, and has lists and maps.
final class GraphTeam: Object, GraphObject {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var mark = 0
  @Persisted var number = 0
  @Persisted var label: String?
  @Persisted var tags: Map<String, String>

  @Persisted var lead: GraphPerson?
  @Persisted var members: List<GraphPerson>
  @Persisted var audience: List<GraphPerson>
  @Persisted var guests: Map<String, GraphPerson?>
  @Persisted var subteams: List<GraphTeam>
  @Persisted var trophies: List<GraphNote>

  @Persisted(originProperty: "subteams") var superteams: LinkingObjects<GraphTeam>
  @Persisted(originProperty: "desk") var deskOf: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "roles") var roleOf: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "seen") var seenBy: LinkingObjects<GraphNote>

  @Persisted(indexed: true) var membersCount = 0
  @Persisted var membersSum: Int32 = 0
  @Persisted var membersLeast: Int?
  @Persisted var audienceCount = 0
  @Persisted var audienceMost: Int?
  @Persisted var guestsCount = 0
  @Persisted var guestsSum: Int?
  @Persisted var staffTotal = 0
  @Persisted var changedAt: Date?

  override class func relationships() -> [Relationship] {
    GraphVariation.current?.relationships(of: .team) ?? [
      Relationship(\GraphTeam.lead, isRequired: true),
      Relationship("members", isRequired: true, minimum: 1, maximum: 5),
      Relationship("guests", maximum: 12), Relationship("subteams", deleteRule: .cascade),
      Relationship("trophies", deleteRule: .cascade), Relationship("superteams", deleteRule: .cascade),
      Relationship("roleOf", deleteRule: .cascade), Relationship(\GraphTeam.seenBy, deleteRule: .noAction),
    ]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    GraphKind.team.derivations([
      DerivedProperty("membersCount", .count(of: "members")),
      DerivedProperty(\GraphTeam.membersSum, .sum(of: "members.number")),
      DerivedProperty("membersLeast", .min(of: "members.number")),
      DerivedProperty("audienceCount", .count(of: "audience")),
      DerivedProperty("audienceMost", .max(of: "audience.number")),
      DerivedProperty("guestsCount", .count(of: "guests")),
      DerivedProperty("guestsSum", .sum(of: "guests.number")),
      DerivedProperty("staffTotal", .sum(of: "members.staffCount")),
      DerivedProperty("changedAt", .lastChange),
    ])
  }

  override class func indexes() -> [IndexDefinition] { GraphKind.team.indexes.map(\.definition) }

  static func id(of mark: Int) -> Int { mark * 1_000 - 7_000 }
}
