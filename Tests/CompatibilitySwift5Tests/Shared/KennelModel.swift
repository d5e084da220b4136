// swift-format-ignore-file: NeverUseForceTry

import FiefRealm
import Foundation

// The example of the article *Coming from Realm* as Realm has it. `ComingFromRealmTests` compares it with the article.
// Code that was written for Realm uses `try!`. This file uses it too, to show that such code compiles unchanged.

// Documentation: begin before
// Before: Realm
final class Puppy: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
}

@MainActor final class KennelModel {
  let realm = try! Realm()
  var names: [String] = []
  private var token: NotificationToken?

  func follow() {
    token = realm.objects(Puppy.self).sorted(byKeyPath: "name").observe { [weak self] change in
      switch change {
      case .initial(let puppies), .update(let puppies, _, _, _): self?.names = puppies.map(\.name)
      case .error(let error): print(error)
      }
    }
  }

  func birthday(of puppy: Puppy) throws {
    try realm.write { puppy.age += 1 }
  }

  func importPuppies(_ names: [String]) {
    DispatchQueue.global().async {
      let realm = try! Realm()
      try! realm.write {
        for name in names { realm.create(Puppy.self, value: ["name": name], update: .modified) }
      }
    }
  }
}
// Documentation: end before
