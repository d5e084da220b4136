import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Coming from Fluent*.
@Suite(.freshStores) struct ComingFromFluentTests {
  // Documentation: begin model
  final class Galaxy: Object, Codable {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(index: .unique) var name = ""
    @Persisted(originProperty: "galaxy") var planets: LinkingObjects<Planet>
  }

  final class Planet: Object, Codable {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var name = ""
    @Persisted var galaxy: Galaxy?

    override class func relationships() -> [Relationship] {
      [Relationship(\Planet.galaxy, isRequired: true)]
    }
  }

  struct UniverseRepository: DatabaseConfigurable {
    let schemaName: String? = "universe"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Galaxy.self, Planet.self]
  }
  // Documentation: end model

  // Documentation: begin use
  /// POST /planets: a name of a planet and the name of its galaxy.
  func addPlanet(_ name: String, in galaxyName: String) async throws -> UUID {
    try await UniverseRepository().write { transaction in
      let known = try transaction.objects(Galaxy.self).where { $0.name == galaxyName }.fetchFirst()
      let galaxy = try known ?? transaction.create(Galaxy.self, value: ["name": galaxyName])
      let planet = try transaction.create(
        Planet.self,
        value: ["name": name, "galaxy": galaxy] as [String: Any]
      )
      return planet.id
    }
  }

  /// GET /planets?galaxy=…: a page of planets with their galaxies, as JSON.
  func planets(of galaxyName: String, after cursor: QueryCursor?) throws -> Data {
    let planets = try UniverseRepository().objects(Planet.self)
      .where { $0.galaxy.name == galaxyName }
      .sorted(byKeyPath: \.name)
      .prefetching(\.galaxy)
    return try JSONEncoder().encode(planets.page(20, after: cursor).objects)
  }
  // Documentation: end use

  @Test func thePortRuns() async throws {
    let earth = try await addPlanet("Earth", in: "Milky Way")
    _ = try await addPlanet("Mars", in: "Milky Way")
    _ = try await addPlanet("X", in: "Andromeda")
    let json = try planets(of: "Milky Way", after: nil)
    let found = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
    #expect(found.map { $0["name"] as? String } == ["Earth", "Mars"])
    #expect(found.first?["id"] as? String == earth.uuidString)
    #expect(try UniverseRepository().count(Galaxy.self) == 2)
    let error = await #expect(throws: FiefError.self) {
      try await UniverseRepository().save(entity: Planet(value: ["name": "lost"]), update: true)
    }
    #expect(error?.code == .validationFailed)
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("ComingFromFluent", as: #filePath) }
}
