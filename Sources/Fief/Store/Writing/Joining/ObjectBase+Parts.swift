/// Embedded objects and the object that has the record they are in.
extension ObjectBase {
  /// The object with a record of its own that this one is, or is a part of; nil where that is not known.
  var root: ObjectBase? {
    var object = self
    for _ in 0...ObjectGraph.deepestEmbedding {
      guard let part = object as? EmbeddedObject else { return object }
      guard let owner = part._owner else { return nil }
      object = owner
    }
    return nil
  }

  /// Marks the properties that an embedded object is in as assigned, when it was changed.
  func noteChange(of embedded: EmbeddedObject) {
    var depth = 0
    var (owner, part) = (self, embedded)
    while depth < ObjectGraph.deepestEmbedding {
      owner.markHolders(of: part)
      guard let next = owner as? EmbeddedObject, let outer = next._owner else { return }
      (owner, part) = (outer, next)
      depth += 1
    }
  }

  private func markHolders(of embedded: EmbeddedObject) {
    let properties = descriptor.properties.filter { $0.type.kind == .embedded && $0.access != .generic }
    let address = UnsafeRawPointer(Unmanaged.passUnretained(embedded).toOpaque())
    for property in properties where property.type.container == .none {
      // SAFETY: the value is a reference or nil, and is the wrapper's first field.
      let held = withFields { $0.load(fromByteOffset: property.offset, as: UnsafeRawPointer?.self) }
      if held == address { return markAssigned(property) }
    }
    for property in properties { markAssigned(property) }
  }

  /// The value that a property has in memory; nothing is read for it.
  func valueInMemory(of property: PropertyDescriptor) -> any Persistable {
    withFields { property.field.value($0 + property.offset) }
  }

  /// Assigns nil.
  func setNil(_ property: PropertyDescriptor) {
    let isShared = _context != nil && willAssign()
    withFields { _ = property.field.setNil($0 + property.offset) }
    markAssigned(property)
    if isShared { didAssign() }
  }
}

extension EmbeddedObject {
  /// Called before an assignment to a property: the object that it is a part of joins the write of this thread.
  func partWillAssign() -> Bool {
    guard let root else {
      failWriteForLostOwner()
      return false
    }
    let write = root._context?.write(changing: root, self)
    // The store may have it no more.
    guard let owner = _owner else {
      failWriteForLostOwner()
      return false
    }
    owner.noteChange(of: self)
    guard let write else { return false }
    write.noteChange(of: root)
    return root._isShared
  }

  /// Lets the write of this thread fail: the change has no object that it could be written with.
  func failWriteForLostOwner() {
    guard WritingThreads.isAny, let store = _context?.store else { return }
    (store.activeWrite ?? WritingThreads.scopes.first)?
      .failForLostOwner(type: Swift.type(of: self).className())
  }
}

/// The pairs of equal embedded objects in a list: each one as it was read before and as it is now.
struct EmbeddedPairs {
  /// The places of the same object in the former list and in the present one.
  private(set) var pairs: [(former: Int, present: Int)] = []

  /// - Parameter isSame: whether nothing was changed in between.
  init(_ former: [EmbeddedObject], _ present: [EmbeddedObject], isSame: Bool) {
    let shorter = 0..<min(former.count, present.count)
    if isSame {
      pairs = shorter.map { ($0, $0) }
      return
    }
    // Embedded objects have no keys. Equal ones are paired first, then those at the same place.
    var rest: [ObjectText: [Int]] = [:]
    for (place, object) in present.enumerated().reversed() {
      rest[object.comparableText(), default: []].append(place)
    }
    var unmatched: [Int] = []
    for (place, object) in former.enumerated() {
      let text = object.comparableText()
      guard let places = rest[text], !places.isEmpty else {
        unmatched.append(place)
        continue
      }
      let index = places.lastIndex(of: place) ?? places.count - 1
      pairs.append((place, places[index]))
      rest[text]?.remove(at: index)
    }
    guard former.count == present.count else { return }
    let taken = Set(pairs.map(\.present))
    for place in unmatched where !taken.contains(place) { pairs.append((place, place)) }
  }
}
