import FiefRealm
import Foundation

class Person: Object {
  @Persisted var name = ""
}

func example() {
  let queue = DispatchQueue(label: "serial")
  queue.async {
    let realm = try! Realm(configuration: .defaultConfiguration, queue: queue)
    let token = realm.objects(Person.self).observe(on: queue) { changes in print(changes) }
    autoreleasepool {
      try! realm.write { realm.add(Person()) }
    }
    realm.refresh()
    token.invalidate()
  }
}
