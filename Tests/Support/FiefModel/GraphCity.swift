import Fief
import Foundation

/// A city: it is held by what denies its deletion, and holds others.
final class GraphCity: Object, GraphObject {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(primaryKey: true) var place: Int?
  @Persisted(indexed: true) var mark = 0
  @Persisted var number = 0
  @Persisted var label: String?
  @Persisted var marks: MutableSet<Int>

  @Persisted var mayor: GraphPerson?
  @Persisted var twins: MutableSet<GraphCity>
  @Persisted var allies: Map<String, GraphCity?>
  @Persisted var routes: List<GraphCity>
  @Persisted var visits: Map<String, GraphPerson?>
  @Persisted var partsByName: Map<String, GraphPart?>

  @Persisted(originProperty: "home") var residents: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "visited") var visitors: LinkingObjects<GraphPerson>
  @Persisted(originProperty: "twins") var twinOf: LinkingObjects<GraphCity>
  @Persisted(originProperty: "allies") var allyOf: LinkingObjects<GraphCity>
  @Persisted(originProperty: "cities") var notes: LinkingObjects<GraphNote>

  @Persisted(indexed: true) var residentsCount = 0
  @Persisted(indexed: true) var residentsSum = 0
  @Persisted var residentsLeast: Int?
  @Persisted var visitorsCount = 0
  @Persisted var searchLabel: String?

  override class func relationships() -> [Relationship] {
    GraphVariation.current?.relationships(of: .city) ?? [
      Relationship("mayor", deleteRule: .deny), Relationship("twins", deleteRule: .deny),
      Relationship("twinOf", deleteRule: .cascade), Relationship("allies", deleteRule: .cascade),
      Relationship("allyOf", deleteRule: .deny), Relationship("routes", deleteRule: .deny),
      Relationship("visitors", deleteRule: .noAction), Relationship("notes", deleteRule: .deny),
    ]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    GraphKind.city.derivations([
      DerivedProperty("residentsCount", .count(of: "residents")),
      DerivedProperty("residentsSum", .sum(of: "residents.number")),
      DerivedProperty("residentsLeast", .min(of: "residents.number")),
      DerivedProperty("visitorsCount", .count(of: "visitors")),
      DerivedProperty("searchLabel", .lowercased(of: "label")),
    ])
  }

  override class func indexes() -> [IndexDefinition] { GraphKind.city.indexes.map(\.definition) }

  static func key(of id: Int) -> [Any?] {
    id % 4 == 0 ? ["n\(id)", nil] : ["c\(id % 5)", id / 5]
  }
}
