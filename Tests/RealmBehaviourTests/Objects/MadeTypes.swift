import FiefRealm
import FiefTesting
import Foundation

final class MadeToy: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var price = 0
  @Persisted var maker: String?
  @Persisted(originProperty: "toys") var owners: LinkingObjects<MadeDog>
}

final class MadeTag: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var next: MadeTag?
  @Persisted var toy: MadeToy?
  @Persisted var inner: List<MadeTag>

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

final class MadeDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "no name"
  @Persisted var age = 0
  @Persisted var price: Decimal = 0
  @Persisted var discount: Decimal?
  @Persisted var favourite: MadeToy?
  @Persisted var toys: List<MadeToy>
  @Persisted var toySet: MutableSet<MadeToy>
  @Persisted var toysByName: Map<String, MadeToy?>
  @Persisted var friend: MadeDog?
  @Persisted var tag: MadeTag?
  @Persisted var tags: List<MadeTag>
  @Persisted var words: List<String>
  @Persisted var amounts: List<Decimal>
  @Persisted var amountSet: MutableSet<Decimal?>
  @Persisted var amountMap: Map<String, Decimal>
  @Persisted(originProperty: "friend") var friendOf: LinkingObjects<MadeDog>
}

/// A class without a primary key.
final class MadeNote: Object {
  @Persisted var text = ""
  @Persisted var dog: MadeDog?
  @Persisted var notes: List<MadeNote>
  @Persisted(originProperty: "notes") var parents: LinkingObjects<MadeNote>
}

/// New objects of it have others.
final class MadeHouse: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var dog: MadeNote? = MadeNote(value: ["text": "default"])
  @Persisted var tag: MadeTag? = MadeTag("default")
  @Persisted var street = ""
}

/// Calls a closure with a fresh store of these types.
func withMadeStore(_ kind: StoreKind, _ body: (Store) throws -> Void) throws {
  let types: [Object.Type] = [MadeToy.self, MadeDog.self, MadeNote.self, MadeHouse.self]
  let fixture = try StoreFixture(TestRepository("made", objectTypes: types), kind)
  try body(fixture.store())
  fixture.end()
}
