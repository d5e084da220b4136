/// The instance for each key that a scope has handed out, as long as somebody holds it.
struct IdentityMap {
  struct Key: Hashable {
    let table: UInt32
    let key: [UInt8]
  }

  private struct Entry {
    weak var object: ObjectBase?
  }

  private var entries: [Key: Entry] = [:]
  private var sweepAt = 1024

  subscript(key: Key) -> ObjectBase? {
    get { entries[key]?.object }
    set {
      guard let newValue else {
        entries[key] = nil
        return
      }
      entries[key] = Entry(object: newValue)
      if entries.count >= sweepAt { sweep() }
    }
  }

  var all: [(Key, ObjectBase)] {
    entries.compactMap { key, entry in entry.object.map { (key, $0) } }
  }

  mutating func removeAll(ofTable table: UInt32) -> [ObjectBase] {
    let removed = entries.filter { $0.key.table == table }
    for key in removed.keys { entries[key] = nil }
    return removed.values.compactMap(\.object)
  }

  /// Drops the entries of objects that are gone; doubling the next size keeps the cost of it constant
  /// for each insertion, so that a long import runs in bounded memory.
  private mutating func sweep() {
    entries = entries.filter { $0.value.object != nil }
    sweepAt = max(1024, entries.count * 2)
  }
}
