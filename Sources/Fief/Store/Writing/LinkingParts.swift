/// The embedded objects whose links were read or written in a write.
///
/// The store has no way from an object back to the embedded objects that link it. The write does not hold these, so that a long import runs in
/// bounded memory.
struct LinkingParts {
  private struct Entry {
    weak var part: ObjectBase?
    let links: [String: [PropertyDescriptor]]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The types that are linked.
  private(set) var types: Set<String> = []
  private var sweepAt = 1024

  /// - Returns: false for one that it has.
  @discardableResult
  mutating func note(_ part: ObjectBase, _ links: [String: [PropertyDescriptor]]) -> Bool {
    let id = ObjectIdentifier(part)
    if let known = entries[id], known.part === part { return false }
    entries[id] = Entry(part: part, links: links)
    types.formUnion(links.keys)
    if entries.count >= sweepAt { sweep() }
    return true
  }

  /// Calls a closure with each embedded object that is still there, and its links to a type.
  func forEach(linking type: String, _ body: (ObjectBase, [PropertyDescriptor]) -> Void) {
    for entry in entries.values {
      if let links = entry.links[type], let part = entry.part { body(part, links) }
    }
  }

  private mutating func sweep() {
    entries = entries.filter { $0.value.part != nil }
    types = entries.values.reduce(into: []) { $0.formUnion($1.links.keys) }
    sweepAt = max(1024, entries.count * 2)
  }
}
