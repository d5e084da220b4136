import Fief
import Foundation
import Testing

@testable import FiefCore
@testable import FiefObserving

@Suite("Observers of objects held across writes")
struct HeldObservingTests {
  @Test("get the properties that were assigned", arguments: TypedPlace.allCases)
  func observing(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"), JoiningDog(2))
    let dog = try store.dog(1)
    let queue = DispatchQueue(label: "observing")
    let names = Lock<[[String]]>([])
    let counts = Lock<[Int]>([])
    let done = DispatchSemaphore(value: 0)
    let token = dog.observe(on: queue) { (change: ObjectChange<JoiningDog>) in
      guard case .change(_, let properties) = change else { return }
      names.withLock { $0.append(properties.map(\.name).sorted()) }
      done.signal()
    }
    let resultsToken = store.store().objects(JoiningDog.self).where { $0.age > 3 }.observe(on: queue) {
      change in
      switch change {
      case .initial(let results): counts.withLock { $0.append(results.count) }
      case .update(let results, _, _, _): counts.withLock { $0.append(results.count) }
      case .error: break
      }
      done.signal()
    }
    done.wait()
    try store.write { _ in
      dog.age = 5
      dog.marks.append(1)
    }
    done.wait()
    done.wait()
    #expect(names.withLock { $0 } == [["age", "marks"]])
    #expect(counts.withLock { $0 } == [0, 1])
    token.invalidate()
    resultsToken.invalidate()
  }

  @Test("change the objects that they are given", arguments: TypedPlace.allCases)
  func handlers(place: TypedPlace) throws {
    let store = try Joining.store(place, with: JoiningDog(1, "a"), JoiningDog(2))
    let handle = store.store()
    let queue = DispatchQueue(label: "handlers")
    let errors = Lock<[String]>([])
    let done = DispatchSemaphore(value: 0)
    let token = handle.objects(JoiningDog.self).where { $0.age > 3 }.observe(on: queue) { change in
      if case .update(let results, _, _, _) = change, let dog = results.first, dog.note == nil {
        do { try handle.write { _ in dog.note = "seen" } } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
      done.signal()
    }
    done.wait()
    let dog = try store.dog(1)
    try store.write { _ in dog.age = 4 }
    done.wait()
    done.wait()
    token.invalidate()
    #expect(errors.withLock { $0 } == [])
    let found = try store.dog(1)
    #expect(found.note == "seen" && found.age == 4)
  }
}
