import FiefRealm
import Foundation

class StepCounter: Object {
  @Persisted var steps = 0
}

func example() throws -> NotificationToken {
  let counter = StepCounter()
  let realm = try Realm()
  try realm.write { realm.add(counter) }
  return counter.observe { change in
    switch change {
    case .change(let object, let properties):
      for property in properties {
        print("\(property.name) of \(object): \(property.oldValue ?? "") is now \(property.newValue!)")
      }
    case .error(let error): print("An error occurred: \(error)")
    case .deleted: print("The object was deleted.")
    }
  }
}
