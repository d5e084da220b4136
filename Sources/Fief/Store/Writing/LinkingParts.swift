/// The embedded objects whose links were read or written in a write, found by what they link.
///
/// The store has no way from an object back to the embedded objects that link it. The write does not hold these, so that a long import runs in
/// bounded memory.
struct LinkingParts {
  private struct Entry {
    weak var part: ObjectBase?
    let links: [PropertyDescriptor]
  }

  /// Those that link a live object. It may have been released since, and another object may be in its place.
  private var byTarget: [ObjectIdentifier: [Entry]] = [:]
  /// Those with other links to a type: collections, and instances that are not live in the write.
  private var byType: [String: [ObjectIdentifier: Entry]] = [:]
  /// The types that are linked.
  private(set) var types: Set<String> = []
  private var count = 0
  private var sweepAt = 1024

  /// Notes a part that links a live object.
  mutating func note(_ part: ObjectBase, _ link: PropertyDescriptor, to target: ObjectBase) {
    types.insert(link.type.target ?? "")
    let id = ObjectIdentifier(target)
    if let last = byTarget[id]?.last, last.part === part, last.links.first?.offset == link.offset { return }
    byTarget[id, default: []].append(Entry(part: part, links: [link]))
    count += 1
    sweepIfNeeded()
  }

  /// Notes a part that has other links to a type.
  mutating func note(_ part: ObjectBase, _ links: [PropertyDescriptor], to type: String) {
    types.insert(type)
    let entry = Entry(part: part, links: links)
    if byType[type, default: [:]].updateValue(entry, forKey: ObjectIdentifier(part)) == nil { count += 1 }
    sweepIfNeeded()
  }

  /// Calls a closure with each part that may link some objects, with its links: live objects, and any of a type.
  func forEach(
    linking targets: Set<ObjectIdentifier>,
    of type: String,
    _ body: (ObjectBase, [PropertyDescriptor]) -> Void
  ) {
    for target in targets {
      for entry in byTarget[target] ?? [] { if let part = entry.part { body(part, entry.links) } }
    }
    guard let entries = byType[type] else { return }
    for entry in entries.values { if let part = entry.part { body(part, entry.links) } }
  }

  private mutating func sweepIfNeeded() {
    guard count >= sweepAt else { return }
    byType = byType.mapValues { $0.filter { $0.value.part != nil } }
    byTarget = byTarget.compactMapValues { entries in
      let kept = entries.filter { $0.part != nil }
      return kept.isEmpty ? nil : kept
    }
    count = byTarget.values.reduce(0) { $0 + $1.count } + byType.values.reduce(0) { $0 + $1.count }
    sweepAt = max(1024, count * 2)
  }
}
