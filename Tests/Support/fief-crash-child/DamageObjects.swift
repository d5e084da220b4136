import Fief

/// The objects in the stores that are damaged: everything about an object follows from its number.
final class DamageItem: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var weight = 0
  @Persisted var owner: DamageOwner?
  @Persisted var values: List<Int>

  /// - Parameter round: the number of times that the object was changed.
  convenience init(_ number: Int, round: Int = 0, owner: DamageOwner? = nil) {
    self.init()
    self.number = number
    name = Self.name(number)
    weight = Self.weight(number, round)
    self.owner = owner
    values.append(objectsIn: (0..<Self.count(number)).map { $0 &* 7 + number })
  }

  static func name(_ number: Int) -> String { "item \(number % 50) of \(number)" }
  static func weight(_ number: Int, _ round: Int) -> Int { number * 3 + round * 100_000 }
  static func count(_ number: Int) -> Int { number % 200 == 7 ? 3000 : number % 3 }

  /// Whether the object is what its number says.
  func isRight(round: Int) -> Bool {
    guard name == Self.name(number), weight == Self.weight(number, round),
      values.count == Self.count(number), owner?.title == "owner \(number % 10)"
    else { return false }
    var index = 0
    for value in values {
      guard value == index &* 7 + number else { return false }
      index += 1
    }
    return index == Self.count(number)
  }
}

final class DamageOwner: Object {
  @Persisted var title = ""
  @Persisted(originProperty: "owner") var items: LinkingObjects<DamageItem>
}

struct DamageRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "damaged"
  let schemaVersion: UInt64? = 1
  var directory: String?
  var storeOptions = StoreOptions()
  var objectTypes: [Object.Type]? { [DamageItem.self, DamageOwner.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
