import Fief

/// Objects as they were last seen, as many as fit: what their earlier values are shown from.
struct RecordCache {
  /// The greatest number of bytes that they may take.
  let limit: Int
  /// The number of bytes that they take.
  private(set) var memory = 0
  private var objects: [ObjectKey: DynamicObject] = [:]

  init(limit: Int) { self.limit = limit }

  subscript(key: ObjectKey) -> DynamicObject? { objects[key] }

  /// Replaces the object with the same key; nil for one that was deleted.
  mutating func set(_ key: ObjectKey, _ object: DynamicObject?) {
    if let old = objects.removeValue(forKey: key) { memory -= old.memory }
    guard let object, memory + object.memory <= limit else { return }
    objects[key] = object
    memory += object.memory
  }
}
