import Fief
import FiefTesting
import Foundation

enum FieldStatus: Int, PersistableEnum { case open, paused, closed }

final class FieldAddress: EmbeddedObject {
  @Persisted var city = "Berlin"
  @Persisted var floor: Int
  @Persisted var phones: List<String>
}

final class FieldPlayer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var nickname: String?
  @Persisted(indexed: true) var points: Int
  @Persisted var bonus: Int?
  @Persisted var level = 3
  @Persisted var status: FieldStatus
  @Persisted var seen: Date
  @Persisted var lastSeen: Date?
  @Persisted var score: Double
  @Persisted var balance: Decimal
  @Persisted var value: AnyRealmValue
  @Persisted var tags: List<String>
  @Persisted var badges: MutableSet<Int>
  @Persisted var prices: Map<String, Int>
  @Persisted var address: FieldAddress?
  @Persisted var mentor: FieldPlayer?
  @Persisted var friends: List<FieldPlayer>
  @Persisted(originProperty: "mentor") var pupils: LinkingObjects<FieldPlayer>
  var transient = 0
}

final class FieldNumbers: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var i: Int
  @Persisted var i8: Int8
  @Persisted var i16: Int16
  @Persisted var i32: Int32
  @Persisted var i64: Int64
  @Persisted var u: UInt
  @Persisted var u8: UInt8
  @Persisted var u16: UInt16
  @Persisted var u32: UInt32
  @Persisted var u64: UInt64
  @Persisted var float: Float
  @Persisted var optional: Int16?
}

final class FieldTransaction: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var player: Int
  @Persisted var points: Int
  @Persisted var date: Date

  convenience init(player: Int, points: Int) {
    self.init()
    self.player = player
    self.points = points
  }
}

final class FieldCount: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var count: Int
}

/// No primary key.
final class FieldNote: Object {
  @Persisted var text: String
  @Persisted var reads: Int
}

typealias FieldFixture = StoreFixture<TestRepository>

extension StoreFixture where Repository == TestRepository {
  static func game(_ kind: StoreKind, _ options: StoreOptions = StoreOptions()) throws -> FieldFixture {
    try StoreFixture(
      TestRepository(
        objectTypes: [
          FieldPlayer.self, FieldNumbers.self, FieldTransaction.self, FieldCount.self, FieldNote.self,
        ],
        options: options
      ),
      kind
    )
  }

  func add(_ id: Int, points: Int = 0) throws {
    try saveAndWait(entity: FieldPlayer(value: ["id": id, "points": points, "name": "player \(id)"]))
  }

  func player(_ id: Int) throws -> FieldPlayer {
    guard let player = try store().fetchObject(ofType: FieldPlayer.self, forPrimaryKey: id) else {
      throw FiefError(.objectNotFound, "no player")
    }
    return player
  }
}
