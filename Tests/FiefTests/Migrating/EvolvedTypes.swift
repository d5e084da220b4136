import Fief
import FiefStress
import Testing

/// The class of a version: generic, so that any types can be put together while the test runs.
final class EvolvedRow<
  Key: EvolvingValue,
  A: EvolvingValue,
  B: EvolvingValue,
  C: EvolvingValue,
  P: EvolvingValue,
  Q: EvolvingValue
>: Object {
  @Persisted(primaryKey: true) var id = Key.standard(0)
  @Persisted(indexed: true) var a = A.standard(1)
  @Persisted var b = B.standard(2)
  @Persisted(indexed: true) var c = C.standard(3)
  @Persisted var part: EvolvedPart<P, Q>?
  @Persisted var parts: List<EvolvedPart<P, Q>>

  override class func className() -> String { "EvolvedRow" }
}

final class EvolvedPart<P: EvolvingValue, Q: EvolvingValue>: EmbeddedObject {
  @Persisted var p = P.standard(4)
  @Persisted var q = Q.standard(5)

  override class func className() -> String { "EvolvedPart" }

  convenience init?(_ values: [EvolvedValue]) {
    self.init()
    guard values.count == 2, let p = P.made(values[0]), let q = Q.made(values[1]) else { return nil }
    self.p = p
    self.q = q
  }

  var values: [EvolvedValue] { [p.evolved, q.evolved] }
}

struct EvolvedRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "evolved" }
  var schemaVersion: UInt64?
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]?
  var migrationBlock: MigrationBlock?
  var directory: String?
}

/// A row as the model has it: the values of `a`, `b` and `c`, and those of the parts.
struct EvolvedRecord: Equatable {
  var values: [EvolvedValue]
  var part: [EvolvedValue]?
  var parts: [[EvolvedValue]] = []
}

/// One version's types with what a test does with objects of them.
struct EvolvedSchema {
  let types: [any EvolvingValue.Type]
  let object: Object.Type
  let part: EmbeddedObject.Type
  let add: (WriteTransaction, Int, EvolvedRecord) throws -> Void
  /// Assigns `b` alone.
  let assign: (WriteTransaction, Int, EvolvedValue) throws -> Void
  let delete: (WriteTransaction, Int) throws -> Void
  let read: (EvolvedRepository) throws -> [Int: EvolvedRecord]
  /// The values of `a` in the store's order.
  let sorted: (EvolvedRepository) throws -> [EvolvedValue]

  static func make(_ key: any EvolvingValue.Type, _ types: [any EvolvingValue.Type]) -> EvolvedSchema {
    func open<
      Key: EvolvingValue,
      A: EvolvingValue,
      B: EvolvingValue,
      C: EvolvingValue,
      P: EvolvingValue,
      Q: EvolvingValue
    >(_ key: Key.Type, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ p: P.Type, _ q: Q.Type) -> EvolvedSchema {
      EvolvedSchema(types, EvolvedRow<Key, A, B, C, P, Q>.self)
    }
    return open(key, types[0], types[1], types[2], types[3], types[4])
  }

  private init<Key, A, B, C, P, Q>(
    _ types: [any EvolvingValue.Type],
    _ row: EvolvedRow<Key, A, B, C, P, Q>.Type
  ) {
    typealias Row = EvolvedRow<Key, A, B, C, P, Q>
    typealias Part = EvolvedPart<P, Q>
    self.types = types
    object = row
    part = Part.self
    add = { transaction, id, record in
      let object = Row()
      object.id = try #require(Key.made(.integer(Int64(id))))
      object.a = try #require(A.made(record.values[0]))
      object.b = try #require(B.made(record.values[1]))
      object.c = try #require(C.made(record.values[2]))
      object.part = try record.part.map { try #require(Part($0)) }
      object.parts.append(objectsIn: try record.parts.map { try #require(Part($0)) })
      try transaction.add(object, update: .all)
    }
    assign = { transaction, id, value in
      let object = try #require(try transaction.object(ofType: Row.self, forPrimaryKey: id))
      object.b = try #require(B.made(value))
    }
    delete = { transaction, id in
      try transaction.delete(#require(try transaction.object(ofType: Row.self, forPrimaryKey: id)))
    }
    read = { repository in
      var found: [Int: EvolvedRecord] = [:]
      try repository.read { snapshot in
        for object in try snapshot.objects(Row.self).all() {
          guard case .integer(let id) = object.id.evolved else { continue }
          found[Int(id)] = EvolvedRecord(
            values: [object.a.evolved, object.b.evolved, object.c.evolved],
            part: object.part?.values,
            parts: object.parts.map(\.values)
          )
        }
      }
      return found
    }
    sorted = { repository in
      try repository.read { try $0.objects(Row.self).sorted(byKeyPath: "a").all().map(\.a.evolved) }
    }
  }
}
