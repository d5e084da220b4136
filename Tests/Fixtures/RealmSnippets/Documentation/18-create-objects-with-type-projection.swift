import FiefRealm
import Foundation

struct Colour: CustomPersistable {
  typealias PersistedType = Int
  var rgb: Int
  init(persistedValue: Int) { rgb = persistedValue }
  var persistableValue: Int { rgb }
}

class Pencil: Object {
  @Persisted var colour: Colour?
  @Persisted var spare: List<Colour>
}

func example() throws {
  let realm = try Realm()
  let pencil = Pencil(value: ["colour": Colour(persistedValue: 0xFF0000)])
  pencil.spare.append(Colour(persistedValue: 0x00FF00))
  try realm.write { realm.add(pencil) }
  let red = realm.objects(Pencil.self).where { $0.colour == Colour(persistedValue: 0xFF0000) }
  print(red.count)
}
