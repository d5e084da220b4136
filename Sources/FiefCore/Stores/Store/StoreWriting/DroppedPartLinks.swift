/// The former values of links in embedded objects that a write has dropped, for a rollback.
///
/// Entries of released objects are removed, so that a long import runs in bounded memory. This is a class
/// because the `deinit` of an object that is released here may read other objects, whose links are dropped
/// during the call.
final class DroppedPartLinks {
  private struct Key: Hashable {
    let holder: ObjectIdentifier
    let offset: Int
  }

  private enum State {
    case link(PropertyDescriptor, value: any Persistable, flags: UInt8, isUnread: Bool)
    /// The contents of a collection, and its count after links were dropped.
    case contents(OwnedCollection, countAfterwards: Int)
  }

  private struct Entry {
    weak var holder: AnyObject?
    let state: State
  }

  private var entries: [Key: Entry] = [:]
  private var sweepAt = 1024

  /// Records a link that was dropped.
  ///
  /// - Parameters:
  ///   - value: the former value.
  ///   - flags: the former flags.
  ///   - isUnread: whether the link is in the record. The first such value is kept, whatever is read or
  ///     assigned later.
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

  /// Whether the contents of a collection are recorded and the collection has not changed since its links
  /// were dropped.
  ///
  /// - Parameter count: the number of elements.
  func has(_ collection: OwnedCollection, count: Int) -> Bool {
    contents(of: collection, count: count) != nil
  }

  /// Records a collection whose links were dropped.
  ///
  /// - Parameter saved: the former contents; nil if they are already recorded.
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

  /// Restores the dropped links, unless something else was assigned meanwhile.
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
  /// Whether the collection has unsaved changes.
  fileprivate var isAssigned: Bool {
    guard let owner, let property = owner.descriptor.property(at: offset) else { return false }
    return owner.isAssigned(property)
  }
}
