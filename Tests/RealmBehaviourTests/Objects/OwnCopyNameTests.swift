import FiefRealm
import FiefTesting
import Foundation
import Testing

private protocol Detachable: AnyObject {
  func detached() -> Self
}

/// Applications for Realm have this extension, whose name Fief has, too.
extension Object: Detachable {
  fileprivate func detached() -> Self {
    let copy = type(of: self).init()
    for property in objectSchema.properties where !property.isPrimaryKey {
      copy.setValue(value(forKey: property.name), forKey: property.name)
    }
    return copy
  }
}

@Suite("An application's own method for copies is used in place of Fief's", .timeLimit(.minutes(20)))
struct OwnCopyNameTests {
  @Test(arguments: StoreKind.allCases) func ownMethod(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      let dog = try store.write { store.create(MadeDog.self, value: ["id": 7, "name": "Rex"]) }
      let copy = dog.detached()
      #expect(copy.name == "Rex" && copy.id != 7 && copy.realm == nil)
      let detachable: any Detachable = dog
      #expect((detachable.detached() as? MadeDog)?.name == "Rex")
    }
  }
}
