import Fief

/// The last seen versions of objects, as many as the memory limit allows. The former values of changed
/// objects are read from it.
struct RecordCache {
  /// The maximum memory use in bytes.
  let limit: Int
  /// The current memory use in bytes.
  private(set) var memory = 0
  private var objects: [ObjectKey: DynamicObject] = [:]

  init(limit: Int) { self.limit = limit }

  subscript(key: ObjectKey) -> DynamicObject? { objects[key] }

  /// Replaces the object with a key, or removes it if `object` is `nil`.
  mutating func set(_ key: ObjectKey, _ object: DynamicObject?) {
    if let old = objects.removeValue(forKey: key) { memory -= old.memory }
    guard let object, memory + object.memory <= limit else { return }
    objects[key] = object
    memory += object.memory
  }
}
