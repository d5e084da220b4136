import FiefRealm
import Foundation

extension Object {
  func set<Value>(_ path: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
    try? realm?.write { self[keyPath: path] = value }
  }
}

class Lamp: Object {
  @Persisted var on = false
}

func update<O: Object, Value>(_ object: O, _ path: ReferenceWritableKeyPath<O, Value>, _ value: Value) throws {
  guard let realm = object.realm else {
    object[keyPath: path] = value
    return
  }
  try realm.write { object[keyPath: path] = value }
}

func example(lamp: Lamp) throws { try update(lamp, \.on, true) }
