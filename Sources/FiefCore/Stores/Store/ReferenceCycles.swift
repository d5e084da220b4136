/// A collector of reference cycles between instances to which nothing else refers.
///
/// In a scope a key has one instance, so following links can lead back to the first object: a cycle of strong
/// references, which reference counting never frees. The collector clears the links of such objects. It does
/// not change an object to which anything outside the cycle refers, or that can be reached from such an
/// object. It also keeps objects for which this is unknown, because the application refers to one of their
/// collections or embedded objects.
enum ReferenceCycles {
  /// Clears the links of objects that only refer to each other.
  ///
  /// - Parameters:
  ///   - objects: the objects, each of them once.
  ///   - holders: the number of references to each object that the caller has.
  static func breakUp(_ objects: [Unmanaged<ObjectBase>], holders: Int) {
    var places: [UnsafeRawPointer: Int] = [:]
    places.reserveCapacity(objects.count)
    for (place, object) in objects.enumerated() { places[UnsafeRawPointer(object.toOpaque())] = place }
    var edges: [[Int]] = []
    edges.reserveCapacity(objects.count)
    var inner = [Int](repeating: 0, count: objects.count)
    for object in objects {
      let targets = object._withUnsafeGuaranteedRef { $0.heldLinks() }.compactMap { places[$0] }
      for target in targets { inner[target] += 1 }
      edges.append(targets)
    }
    if edges.allSatisfy(\.isEmpty) { return }
    let own = callersCount()
    var isReachable = [Bool](repeating: false, count: objects.count)
    var rest: [Int] = []
    for place in objects.indices
    where count(of: UnsafeRawPointer(objects[place].toOpaque())) - own > holders + inner[place] {
      isReachable[place] = true
      rest.append(place)
    }
    while let place = rest.popLast() {
      for target in edges[place] where !isReachable[target] {
        isReachable[target] = true
        rest.append(target)
      }
    }
    // Cleared values refer to other objects, whose `deinit` belongs to the application. All of them are
    // released together at the end.
    var cleared: [Any] = []
    for place in objects.indices where !isReachable[place] && !edges[place].isEmpty {
      objects[place]._withUnsafeGuaranteedRef { $0.clearLinks(into: &cleared) }
    }
    withExtendedLifetime(cleared) {}
  }

  /// Returns the number of references that the measurement itself adds. It depends on how the compiler passes
  /// arguments, so it is measured with an object that has one reference.
  private static func callersCount() -> Int {
    // SAFETY: the object is released below, and there is no other reference to it.
    let probe = Unmanaged.passRetained(EmptyObject())
    defer { probe.release() }
    return count(of: UnsafeRawPointer(probe.toOpaque())) - 1
  }

  private final class EmptyObject {}

  // SAFETY: the pointer refers to an object that the caller keeps alive.
  @inline(never)
  fileprivate static func count(of object: UnsafeRawPointer) -> Int {
    Int(bitPattern: _getRetainCount(Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()))
  }

  /// Whether only its owner refers to the collection of a property.
  // SAFETY: the pointer refers to a collection that the caller keeps alive.
  fileprivate static func isHeldOnce(_ collection: UnsafeRawPointer) -> Bool {
    count(of: collection) - callersCount() == 1
  }
}

extension ObjectBase {
  /// Returns the objects to which the links of this object refer, once for each reference.
  fileprivate func heldLinks() -> [UnsafeRawPointer] {
    var links: [UnsafeRawPointer] = []
    for property in descriptor.properties where !isDeferred(property) {
      switch (property.type.kind, property.type.container) {
      case (.link, .none) where !isAssigned(property):
        // SAFETY: the value of a link is a reference or nil, and is the wrapper's first field.
        let target = withFields { $0.load(fromByteOffset: property.offset, as: UnsafeRawPointer?.self) }
        if let target { links.append(target) }
      case (.any, .none) where !isAssigned(property):
        let value = withFields { property.field.value($0 + property.offset) }
        if case .object(let object)? = value as? AnyRealmValue {
          links.append(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
        }
      case (.link, .list), (.link, .set), (.link, .map):
        // SAFETY: the value is a reference to the collection.
        let place = withFields { $0.load(fromByteOffset: property.offset, as: UnsafeRawPointer?.self) }
        guard let place, ReferenceCycles.isHeldOnce(place) else { continue }
        let value = withFields { property.field.value($0 + property.offset) }
        appendHeld(by: value, to: &links)
      case (.linkingObjects, _):
        appendHeld(by: withFields { property.field.value($0 + property.offset) }, to: &links)
      default: continue
      }
    }
    return links
  }

  private func appendHeld(by value: any Persistable, to links: inout [UnsafeRawPointer]) {
    var objects: [ObjectBase] = []
    (value as? any ObjectHoldingCollection)?.appendHeldObjects(to: &objects)
    for object in objects { links.append(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) }
  }

  /// Whether a property of type `AnyRealmValue` contains an object that can be read from the record again.
  private func holdsObject(_ property: PropertyDescriptor) -> Bool {
    guard property.type.kind == .any, property.type.container == .none, _record != nil else { return false }
    let value = withFields { property.field.value($0 + property.offset) }
    if case .object? = value as? AnyRealmValue { return true }
    return false
  }

  /// Marks followed links as unread again.
  fileprivate func clearLinks(into cleared: inout [Any]) {
    for property in descriptor.properties where !isDeferred(property) && !isAssigned(property) {
      guard property.type.kind == .link || property.type.kind == .linkingObjects || holdsObject(property)
      else {
        continue
      }
      withFields { base in
        cleared.append(property.field.value(base + property.offset))
        if property.type.kind == .linkingObjects {
          return property.field.setPrefetched(base + property.offset, nil)
        }
        if !property.field.setNil(base + property.offset) { property.field.reset(base + property.offset) }
        guard _record?.binding.step(ofPropertyAt: property.offset) != nil else { return }
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        base.storeBytes(
          of: flags | PersistedFlags.firstRead | PersistedFlags.deferred,
          toByteOffset: property.flagsOffset,
          as: UInt8.self
        )
      }
    }
  }
}

/// A collection that refers to objects in memory, whatever the type of its elements.
protocol ObjectHoldingCollection {
  /// Appends the objects to which only this collection refers because their links were followed, once for
  /// each reference.
  ///
  /// Nothing is read. Objects are omitted if other values may refer to them through shared storage, such as a
  /// copy of an array.
  func appendHeldObjects(to objects: inout [ObjectBase])
}
