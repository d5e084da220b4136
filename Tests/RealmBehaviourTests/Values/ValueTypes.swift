import FiefRealm
import FiefTesting
import Foundation

final class AnyHolder: Object {
  @Persisted var value: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}

final class IdHolder: Object {
  @Persisted(primaryKey: true) var id = ObjectId.generate()
  @Persisted var price: Decimal128 = "1.5"
  @Persisted var other: ObjectId?
}

final class WordHolder: Object {
  @Persisted var 柱колоéнǢкƱаم👍: String = ""
}

/// A store of some classes, which is compared with itself in the end.
func withValueStore(_ kind: StoreKind, _ types: [Object.Type], _ body: (Store) throws -> Void) throws {
  let fixture = try StoreFixture(TestRepository("values", objectTypes: types), kind)
  try body(fixture.store())
  fixture.end()
}
