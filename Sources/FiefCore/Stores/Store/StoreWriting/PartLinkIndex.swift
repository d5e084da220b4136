/// The embedded objects whose links were read or written in a write, indexed by the targets of their links.
///
/// The store has no backlinks to embedded objects. The write does not keep the embedded objects alive, so
/// that a long import runs in bounded memory.
struct PartLinkIndex {
  private struct Place: Hashable {
    let part: ObjectIdentifier
    let offset: Int
  }

  private struct Entry {
    weak var part: ObjectBase?
    let links: [PropertyDescriptor]
  }

  /// The embedded objects that link to a live object. An embedded object may have been released since, and
  /// another object may have its address.
  private var byTarget: [ObjectIdentifier: [Place: Entry]] = [:]
  /// The embedded objects with other links to a type: collections, and links to instances that are not live
  /// in the write.
  private var byType: [String: [ObjectIdentifier: Entry]] = [:]
  /// The types that are linked.
  private(set) var types: Set<String> = []
  private var count = 0
  private var sweepAt = 1024

  /// Records an embedded object that links to a live object.
  mutating func note(_ part: ObjectBase, _ link: PropertyDescriptor, to target: ObjectBase) {
    types.insert(link.type.target ?? "")
    let place = Place(part: ObjectIdentifier(part), offset: link.offset)
    let entry = Entry(part: part, links: [link])
    let former = byTarget[ObjectIdentifier(target), default: [:]].updateValue(entry, forKey: place)
    if former == nil { didAdd() }
  }

  /// Records an embedded object that has other links to a type.
  ///
  /// - Parameter links: all its links to the type.
  mutating func note(_ part: ObjectBase, _ links: [PropertyDescriptor], to type: String) {
    types.insert(type)
    let entry = Entry(part: part, links: links)
    if byType[type, default: [:]].updateValue(entry, forKey: ObjectIdentifier(part)) == nil { didAdd() }
  }

  /// Calls a closure with each embedded object that may link to one of the given live objects, or to an
  /// object of their type that is not live, and with its links.
  ///
  /// - Parameter targets: the live objects; nil for all objects of the type.
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
    // An embedded object that now links to a different object has another entry for it.
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
