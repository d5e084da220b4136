/// The records that objects had before they got records of an uncommitted write. Entries of released objects
/// are removed.
struct FormerRecords {
  private struct Entry {
    weak var object: ObjectBase?
    let record: RecordCopy
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var sweepAt = 1024

  /// Remembers the record of an object, if this is the first call for the object.
  mutating func note(_ object: ObjectBase) {
    let id = ObjectIdentifier(object)
    guard entries[id]?.object !== object, let record = object._record else { return }
    entries[id] = Entry(object: object, record: record)
    guard entries.count >= sweepAt else { return }
    entries = entries.filter { $0.value.object != nil }
    sweepAt = max(1024, entries.count * 2)
  }

  mutating func restore() {
    for entry in entries.values { entry.object?._record = entry.record }
    entries = [:]
  }
}
