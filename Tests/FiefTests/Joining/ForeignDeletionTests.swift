import Fief
import Foundation
import Testing

@Suite("Deleting objects of another store")
struct ForeignDeletionTests {
  @Test("is refused, whatever object has its key here", arguments: TypedPlace.allCases)
  func refused(place: TypedPlace) throws {
    let (store, other) = (try Joining.store(place), try Joining.store(place))
    for store in [store, other] { try store.put([JoiningPerson("p"), JoiningDog(1)]) }
    let person = try #require(other.store().objects(JoiningPerson.self).first)
    let dog = try other.dog(1)
    let forms: [(WriteTransaction) throws -> Void] = [
      { try $0.delete(person) }, { try $0.delete(dog) }, { try $0.delete([person]) },
      { _ in store.store().delete(person) }, { _ in store.store().delete([dog]) },
    ]
    for delete in forms {
      let error = try typedError { try store.write { try delete($0) } }
      #expect(error.code == .foreignObject && error.store == "model")
    }
    for store in [store, other] {
      #expect(store.store().objects(JoiningPerson.self).count == 1)
      #expect(store.store().objects(JoiningDog.self).count == 1)
    }
  }
}
