/// What links of embedded objects were before a write has dropped them, for a rollback.
///
/// Entries of released objects are removed, so that a long import runs in bounded memory. A class: the `deinit` of an object that is released here
/// may read others, whose links are dropped meanwhile.
final class DroppedPartLinks {
  private struct Key: Hashable {
    let holder: ObjectIdentifier
    let offset: Int
  }

  private enum State {
    case link(PropertyDescriptor, value: any Persistable, flags: UInt8, isUnread: Bool)
    /// A collection's contents, and its count after they were dropped.
    case contents(OwnedCollection, countAfterwards: Int)
  }

  private struct Entry {
    weak var holder: AnyObject?
    let state: State
  }

  private var entries: [Key: Entry] = [:]
  private var sweepAt = 1024

  /// Notes a link that was dropped.
  ///
  /// - Parameters:
  ///   - value: its value before.
  ///   - flags: its flags before.
  ///   - isUnread: whether the record has it. The first one that the record has is kept, whatever is read or given later.
  func note(
    _ property: PropertyDescriptor,
    of part: ObjectBase,
    _ value: any Persistable,
    flags: UInt8,
    isUnread: Bool
  ) {
    let key = Key(holder: ObjectIdentifier(part), offset: property.offset)
    if let known = entries[key], known.holder === part, case .link(_, _, _, let wasUnread) = known.state,
      isUnread || wasUnread
    {
      return
    }
    let state = State.link(property, value: value, flags: flags, isUnread: isUnread)
    add(Entry(holder: part, state: state), key)
  }

  /// Whether it has the contents of a collection that was not changed since they were dropped.
  ///
  /// - Parameter count: the number of elements.
  func has(_ collection: OwnedCollection, count: Int) -> Bool {
    contents(of: collection, count: count) != nil
  }

  /// Notes a collection whose links were dropped.
  ///
  /// - Parameter saved: its contents before; nil for those that it has.
  func note(_ collection: OwnedCollection & LinkCollection, _ saved: OwnedCollection?) {
    guard let contents = saved ?? contents(of: collection, count: nil) else { return }
    let state = State.contents(contents, countAfterwards: collection.count)
    add(Entry(holder: collection, state: state), Key(holder: ObjectIdentifier(collection), offset: 0))
  }

  private func contents(of collection: OwnedCollection, count: Int?) -> OwnedCollection? {
    guard let known = entries[Key(holder: ObjectIdentifier(collection), offset: 0)],
      known.holder === collection, case .contents(let contents, let after) = known.state,
      count == nil || count == after
    else { return nil }
    return contents
  }

  private func add(_ entry: Entry, _ key: Key) {
    let former = entries.updateValue(entry, forKey: key)
    withExtendedLifetime(former) {}
    guard entries.count >= sweepAt else { return }
    let all = entries
    entries = all.filter { $0.value.holder != nil }
    sweepAt = max(1024, entries.count * 2)
    withExtendedLifetime(all) {}
  }

  /// Puts back what was dropped, where nothing else was given meanwhile.
  func restore() {
    let all = entries
    entries = [:]
    for entry in all.values {
      switch (entry.state, entry.holder) {
      case (.link(let property, let value, let flags, _), let part as ObjectBase):
        part.withFields { base in
          guard property.field.value(base + property.offset)._isNil, !part.isAssigned(property) else {
            return
          }
          property.field.restore(value, base + property.offset)
          base.storeBytes(of: flags, toByteOffset: property.flagsOffset, as: UInt8.self)
        }
      case (.contents(let saved, let count), let collection as OwnedCollection & LinkCollection):
        if collection.count == count, !collection.isAssigned { collection.restore(saved) }
      default: break
      }
    }
  }
}

extension OwnedCollection {
  /// Whether it was changed, and not written since.
  fileprivate var isAssigned: Bool {
    guard let owner, let property = owner.descriptor.property(at: offset) else { return false }
    return owner.isAssigned(property)
  }
}
