import Fief
import Foundation

enum PlayerLevel: Int, PersistableEnum {
  case low, middle, high
}

final class ResultsTeam: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var rank = 0

  convenience init(_ name: String, rank: Int) {
    self.init()
    self.name = name
    self.rank = rank
  }
}

/// Columns of several kinds, with and without an index.
final class ResultsPlayer: Object {
  /// The number of them that this thread has made, whatever other tests make beside it.
  static var made: Int { Thread.current.threadDictionary[madeKey] as? Int ?? 0 }
  private static let madeKey = "ResultsPlayer.made"

  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var score = 0
  @Persisted var rating: Double?
  @Persisted(indexed: true) var city: String?
  @Persisted var level = PlayerLevel.low
  @Persisted var team: ResultsTeam?
  @Persisted var joined: Date
  @Persisted var fee: Decimal
  @Persisted var tags: List<String>

  required init() {
    super.init()
    Thread.current.threadDictionary[Self.madeKey] = Self.made + 1
  }
}

/// The same values without a store.
struct PlayerValues: Hashable {
  var id = 0
  var name = ""
  var score = 0
  var rating: Double?
  var city: String?
  var level = PlayerLevel.low
  var team: String?
  var rank: Int?
  var joined = Date(timeIntervalSinceReferenceDate: 0)
  var fee = Decimal(0)

  func player(_ teams: [ResultsTeam]) -> ResultsPlayer {
    let player = ResultsPlayer()
    player.id = id
    player.name = name
    player.score = score
    player.rating = rating
    player.city = city
    player.level = level
    player.team = teams.first { $0.name == team }
    player.joined = joined
    player.fee = fee
    return player
  }

  /// Players of which many have the same values.
  static func random(_ count: Int, _ random: inout SeededGenerator) -> [PlayerValues] {
    let teams: [(String, Int)] = [("Ants", 2), ("Bees", 1), ("Cats", 2)]
    let cities = ["Aachen", "Århus", "bonn", "Bonn", "Ulm"]
    return (0..<count).map { id in
      var values = PlayerValues()
      values.id = id
      values.name = ["Ann", "Bob", "ann", "Çelik", "Zoé", ""].randomElement(using: &random) ?? ""
      values.score = Int.random(in: -3...9, using: &random)
      values.rating = Bool.random(using: &random) ? Double(Int.random(in: -2...2, using: &random)) / 2 : nil
      values.city = Int.random(in: 0..<4, using: &random) == 0 ? nil : cities.randomElement(using: &random)
      values.level = PlayerLevel.allCases.randomElement(using: &random) ?? .low
      if let team = teams.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0 {
        (values.team, values.rank) = team
      }
      values.joined = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<5, using: &random)))
      values.fee = Decimal(Int.random(in: 0..<50, using: &random)) / 4
      return values
    }
  }
}

struct ResultsRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var directory: String?
  var schemaName: String? = "players"
  var storeOptions = StoreOptions()

  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [ResultsPlayer.self, ResultsTeam.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  static func onDisk(_ directory: TemporaryDirectory) -> ResultsRepository {
    ResultsRepository(realmMemoryType: .inStorage, directory: directory.path)
  }

  var players: Results<ResultsPlayer> { store().objects(ResultsPlayer.self) }

  func fill(_ values: [PlayerValues]) throws {
    let teams = [ResultsTeam("Ants", rank: 2), ResultsTeam("Bees", rank: 1), ResultsTeam("Cats", rank: 2)]
    try store().write { try $0.add(values.map { $0.player(teams) }) }
  }

  /// Calls a closure with the players outside of a scope, in a read and in a write.
  func inEachScope(_ body: (Results<ResultsPlayer>) throws -> Void) throws {
    try body(players)
    try store().read { try body($0.objects(ResultsPlayer.self)) }
    try store().write { try body($0.objects(ResultsPlayer.self)) }
  }
}
