/// The embedded objects whose links were read or written in a write, found by what they link.
///
/// The store has no way from an object back to the embedded objects that link it. The write does not hold these, so that a long import runs in
/// bounded memory.
struct LinkingParts {
  private struct Place: Hashable {
    let part: ObjectIdentifier
    let offset: Int
  }

  private struct Entry {
    weak var part: ObjectBase?
    let links: [PropertyDescriptor]
  }

  /// Those that link a live object. It may have been released since, and another object may be in its place.
  private var byTarget: [ObjectIdentifier: [Place: Entry]] = [:]
  /// Those with other links to a type: collections, and instances that are not live in the write.
  private var byType: [String: [ObjectIdentifier: Entry]] = [:]
  /// The types that are linked.
  private(set) var types: Set<String> = []
  private var count = 0
  private var sweepAt = 1024

  /// Notes a part that links a live object.
  mutating func note(_ part: ObjectBase, _ link: PropertyDescriptor, to target: ObjectBase) {
    types.insert(link.type.target ?? "")
    let place = Place(part: ObjectIdentifier(part), offset: link.offset)
    let entry = Entry(part: part, links: [link])
    let former = byTarget[ObjectIdentifier(target), default: [:]].updateValue(entry, forKey: place)
    if former == nil { didAdd() }
  }

  /// Notes a part that has other links to a type.
  ///
  /// - Parameter links: all its links to the type.
  mutating func note(_ part: ObjectBase, _ links: [PropertyDescriptor], to type: String) {
    types.insert(type)
    let entry = Entry(part: part, links: links)
    if byType[type, default: [:]].updateValue(entry, forKey: ObjectIdentifier(part)) == nil { didAdd() }
  }

  /// Calls a closure with each part that may link some live objects or others of their type, and with its links.
  ///
  /// - Parameter targets: nil for all objects of the type.
  func forEach(
    linking targets: Set<ObjectIdentifier>?,
    of type: String,
    _ body: (ObjectBase, [PropertyDescriptor]) -> Void
  ) {
    for target in targets ?? Set(byTarget.keys) {
      for entry in byTarget[target, default: [:]].values where entry.links.first?.type.target == type {
        if let part = entry.part { body(part, entry.links) }
      }
    }
    for entry in byType[type, default: [:]].values { if let part = entry.part { body(part, entry.links) } }
  }

  private mutating func didAdd() {
    count += 1
    guard count >= sweepAt else { return }
    byType = byType.mapValues { $0.filter { $0.value.part != nil } }
    // A part that links another object now has an entry for that.
    for (target, entries) in byTarget {
      let kept = entries.filter { entry in
        guard let part = entry.value.part, let link = entry.value.links.first else { return false }
        let object = part.withFields { link.field.value($0 + link.offset) } as? ObjectBase
        return object.map { ObjectIdentifier($0) } == target
      }
      byTarget[target] = kept.isEmpty ? nil : kept
    }
    types = Set(byType.filter { !$0.value.isEmpty }.keys)
    for entries in byTarget.values {
      for entry in entries.values { types.formUnion(entry.links.compactMap(\.type.target)) }
    }
    count = byTarget.values.reduce(0) { $0 + $1.count } + byType.values.reduce(0) { $0 + $1.count }
    sweepAt = max(1024, count * 2)
  }
}
