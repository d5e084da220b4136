import FiefRealm
import Foundation

class Hiker: Object {
  @Persisted var name = ""
  @Persisted var peaks: MutableSet<String>
}

func example(realm: Realm, ada: Hiker, ben: Hiker) throws {
  try realm.write {
    ada.peaks.insert("Eiger")
    ben.peaks.insert(objectsIn: ["Eiger", "Mönch"])
    ada.peaks.formUnion(ben.peaks)
    ben.peaks.formIntersection(ada.peaks)
    ada.peaks.subtract(ben.peaks)
    ben.peaks.remove("Mönch")
  }
  if ada.peaks.isSubset(of: ben.peaks) || ada.peaks.intersects(ben.peaks) {
    print(ada.peaks.contains("Eiger"))
  }
}
