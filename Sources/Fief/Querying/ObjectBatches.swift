/// Objects that are read in batches: what an iterator hands out, whatever their class.
///
/// Not generic, so that the compiler of the application sees through ``next()``.
// SAFETY: `objects` has room for `capacity` references; those from `position` up to `count` are owned.
@usableFromInline
class ObjectBatches {
  @usableFromInline final var objects: UnsafeMutablePointer<Unmanaged<ObjectBase>>
  // One thread at a time iterates, and these are only read and assigned: no access can overlap.
  @exclusivity(unchecked) @usableFromInline final var position = 0
  @exclusivity(unchecked) @usableFromInline final var count = 0
  private final var capacity = 1

  init() { objects = .allocate(capacity: 1) }

  deinit {
    while position < count {
      objects[position].release()
      position += 1
    }
    objects.deallocate()
  }

  /// The next object, nil at the end.
  @inlinable
  final func next() -> ObjectBase? {
    if position == count {
      refill()
      if position == count { return nil }
    }
    defer { position &+= 1 }
    return objects[position].takeRetainedValue()
  }

  /// Reads the next batch where there is one. It is called when no object is left.
  @usableFromInline
  func refill() {}

  /// Makes room for a batch.
  final func begin(_ size: Int) {
    position = 0
    count = 0
    guard size > capacity else { return }
    objects.deallocate()
    objects = .allocate(capacity: size)
    capacity = size
  }

  /// Adds an object to a batch that has room for it.
  final func append(_ object: ObjectBase) {
    guard count < capacity else { return }
    objects[count] = .passRetained(object)
    count += 1
  }
}
