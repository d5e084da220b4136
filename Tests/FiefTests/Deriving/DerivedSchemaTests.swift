import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

private final class WronglyDerived: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var others: List<WronglyDerived>
  @Persisted var least = 0
  @Persisted var sum = 0.0
  @Persisted var text: Int?
  @Persisted var first = 0
  @Persisted var second = 0
  @Persisted var decimals: Decimal = 0

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("least", .min(of: "others.id")), DerivedProperty("text", .lowercased(of: "name")),
      DerivedProperty("sum", .sum(of: "others.decimals")),
      DerivedProperty("first", .sum(of: "others.second")),
      DerivedProperty("second", .sum(of: "others.first")), DerivedProperty("nothing", .lastChange),
    ]
  }
}

/// A property that cannot be derived is refused when the store is opened.
@Suite struct DerivedSchemaTests {
  @Test func violationsAreListed() throws {
    let repository = RefusedRepository()
    defer { repository.close() }
    let error = try #require(repository.store().openingError)
    #expect(error.code == .invalidSchema)
    let details = error.details.joined(separator: "\n")
    for part in [
      "least: it must be optional", "text: Int? cannot be a text", "nothing",
      "first: it is derived from itself",
      "second: it is derived from itself", "sum: Double cannot hold a sum of Decimal",
    ] {
      #expect(details.contains(part), "\(details)")
    }
  }

  struct RefusedRepository: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inMemory(identifier: "refused") }
    var schemaName: String? { "refused" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [WronglyDerived.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  }
}
