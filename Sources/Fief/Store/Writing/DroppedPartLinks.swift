/// What links of embedded objects were before a write has dropped them, for a rollback.
///
/// Entries of released objects are removed, so that a long import runs in bounded memory.
struct DroppedPartLinks {
  private struct Key: Hashable {
    let holder: ObjectIdentifier
    let offset: Int
  }

  private enum State {
    case link(PropertyDescriptor, value: any Persistable, flags: UInt8)
    /// A collection's contents, and its count after they were dropped.
    case contents(OwnedCollection, countAfterwards: Int)
  }

  private struct Entry {
    weak var holder: AnyObject?
    var state: State
  }

  private var entries: [Key: Entry] = [:]
  private var sweepAt = 1024

  /// Notes a link, with its value from before it is dropped; the first one counts.
  mutating func note(_ property: PropertyDescriptor, of part: ObjectBase, _ value: any Persistable) {
    let key = Key(holder: ObjectIdentifier(part), offset: property.offset)
    if entries[key]?.holder === part { return }
    add(Entry(holder: part, state: .link(property, value: value, flags: part.flags(of: property))), key)
  }

  /// Notes a collection whose links were dropped.
  ///
  /// - Parameters:
  ///   - saved: its contents before.
  ///   - count: the number of elements before.
  mutating func note(_ collection: OwnedCollection & LinkCollection, _ saved: OwnedCollection, count: Int) {
    let key = Key(holder: ObjectIdentifier(collection), offset: 0)
    var contents = saved
    // The first contents count, unless others were given meanwhile.
    if let known = entries[key], known.holder === collection,
      case .contents(let first, let after) = known.state, after == count
    {
      contents = first
    }
    add(Entry(holder: collection, state: .contents(contents, countAfterwards: collection.count)), key)
  }

  private mutating func add(_ entry: Entry, _ key: Key) {
    entries[key] = entry
    guard entries.count >= sweepAt else { return }
    entries = entries.filter { $0.value.holder != nil }
    sweepAt = max(1024, entries.count * 2)
  }

  /// Puts back what was dropped, where nothing else was given meanwhile.
  mutating func restore() {
    for entry in entries.values {
      switch (entry.state, entry.holder) {
      case (.link(let property, let value, let flags), let part as ObjectBase):
        part.withFields { base in
          guard property.field.value(base + property.offset)._isNil, !part.isAssigned(property) else {
            return
          }
          property.field.restore(value, base + property.offset)
          base.storeBytes(of: flags, toByteOffset: property.flagsOffset, as: UInt8.self)
        }
      case (.contents(let saved, let count), let collection as OwnedCollection & LinkCollection):
        if collection.count == count { collection.restore(saved) }
      default: break
      }
    }
    entries = [:]
  }
}
