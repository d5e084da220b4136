/// The parts whose links were read or written in a write, by the types that they link.
///
/// The store has no way from an object back to the parts that link it. They are not held, so that a long import runs in bounded memory;
/// a part that was handed out is held by the write.
struct LinkingParts {
  struct Entry {
    fileprivate(set) weak var part: ObjectBase?
    /// The links of the part to the type.
    let properties: [PropertyDescriptor]
  }

  private var entries: [String: [ObjectIdentifier: Entry]] = [:]
  private var count = 0
  private var sweepAt = 1024

  /// The types that are linked.
  var types: Set<String> { Set(entries.keys) }

  subscript(type: String) -> [Entry] { entries[type].map { Array($0.values) } ?? [] }

  mutating func note(_ part: ObjectBase, _ descriptor: ObjectDescriptor) {
    for (type, properties) in descriptor.partLinks {
      let entry = Entry(part: part, properties: properties)
      if entries[type, default: [:]].updateValue(entry, forKey: ObjectIdentifier(part)) == nil { count += 1 }
    }
    if count >= sweepAt { sweep() }
  }

  private mutating func sweep() {
    for type in types { entries[type] = entries[type]?.filter { $0.value.part != nil } }
    count = entries.values.reduce(0) { $0 + $1.count }
    sweepAt = max(1024, count * 2)
  }
}
