/// The changes that a write has made to objects and collections in memory, in their order. A rollback undoes
/// them, newest first.
///
/// After a rollback, objects must not appear to be stored. Otherwise they would be linked instead of saved,
/// or written under a row id that was never committed.
///
/// The log refers to changed objects weakly and removes the entries of released objects, so that a long import
/// runs in bounded memory. Only ``noteState(of:)`` retains its object, and only a write that fails calls it. This is
/// a class because the `deinit` of an object that is released here may read other objects, and the write notes
/// their changes during the call.
package final class UndoLog {
  private struct Entry {
    /// The changed object or collection.
    weak var holder: AnyObject?
    let change: UndoneChange
  }

  /// A part of an object that needs at most one entry.
  private struct Place: Hashable {
    let holder: ObjectIdentifier
    /// The offset of a property. The contents of a collection have the offset 0, the record of an object -1, and
    /// all values of an object -2.
    let offset: Int
  }

  // The accesses are short and do not run code of the application.
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The newest entries of links, collections and records.
  @exclusivity(unchecked) private var places: [Place: Int] = [:]
  @exclusivity(unchecked) private var sweepAt = 1024
  /// The number of entries at the beginning of the innermost step.
  @exclusivity(unchecked) private var start = 0
  /// The number of steps that have not ended.
  @exclusivity(unchecked) private var steps = 0

  init() {}

  /// The objects that have joined the write.
  var joined: [ObjectBase] {
    entries.compactMap { entry in
      guard case .joining(let state) = entry.change else { return nil }
      return state.object
    }
  }

  /// Adds a change to the log.
  @inline(__always)
  func append(_ change: UndoneChange, of holder: AnyObject) {
    entries.append(Entry(holder: holder, change: change))
    if entries.count >= sweepAt, steps == 0 { sweep() }
  }

  /// Calls a closure that changes objects. If the closure fails, its changes are undone. Objects that have
  /// joined the write meanwhile stay in the write.
  func step<Value>(_ body: () throws -> Value) throws -> Value {
    let outer = start
    start = entries.count
    steps += 1
    defer {
      start = outer
      steps -= 1
    }
    do { return try body() } catch {
      // A write that was cancelled meanwhile has undone everything.
      undo(entries[min(start, entries.count)...]) { $0.isOfStep }
      throw error
    }
  }

  /// Undoes all changes.
  package func undo() { undo(entries[...]) { _ in true } }

  private func undo(_ newest: ArraySlice<Entry>, where isUndone: (UndoneChange) -> Bool) {
    if newest.isEmpty { return }
    let undone = newest.filter { isUndone($0.change) }
    entries = Array(entries[..<newest.startIndex]) + newest.filter { !isUndone($0.change) }
    findPlaces()
    for entry in undone.reversed() {
      if let holder = entry.holder { entry.change.undo(holder) }
    }
    // This keeps the former values until the objects have their state.
    withExtendedLifetime(undone) {}
  }

  /// Forgets all changes, after the commit.
  func removeAll() {
    let all = entries
    entries = []
    places = [:]
    withExtendedLifetime(all) {}
  }

  @inline(never)
  private func sweep() {
    // The entries that are added during the call do not start another sweep.
    sweepAt = .max
    let all = entries
    let kept = all.filter { !$0.change.isVoid && $0.holder != nil }
    // An object that was released meanwhile may have added entries.
    entries = kept + entries[all.count...]
    sweepAt = max(1024, entries.count * 2)
    findPlaces()
    withExtendedLifetime(all) {}
  }

  // MARK: One entry for a place

  /// Returns the newest entry of a place, if it is part of the innermost step.
  private func entry(at place: Place, of holder: AnyObject) -> Int? {
    guard let index = places[place], index >= start, entries[index].holder === holder else { return nil }
    return index
  }

  /// Adds the only entry of a place. An earlier entry loses its effect.
  private func append(_ change: UndoneChange, of holder: AnyObject, at place: Place, replacing former: Int?) {
    if let former {
      let replaced = entries[former]
      entries[former] = Entry(holder: nil, change: .void)
      withExtendedLifetime(replaced) {}
    }
    places[place] = entries.count
    append(change, of: holder)
  }

  private func findPlaces() {
    if places.isEmpty { return }
    places = [:]
    for (index, entry) in entries.enumerated() {
      guard let offset = entry.change.offset, let holder = entry.holder else { continue }
      places[Place(holder: ObjectIdentifier(holder), offset: offset)] = index
    }
  }

  /// Notes the record of an object before the object gets another one. The first record of a step counts.
  func noteRecord(of object: ObjectBase) {
    let place = Place(holder: ObjectIdentifier(object), offset: -1)
    guard entry(at: place, of: object) == nil, let record = object._record else { return }
    append(.record(record), of: object, at: place, replacing: nil)
  }

  /// Notes the state of an object that does not join the write although the write changes it. The log keeps the
  /// object, because the application may hold only a collection of it.
  func noteState(of object: ObjectBase) {
    let place = Place(holder: ObjectIdentifier(object), offset: UndoneChange.offsetOfState)
    if let known = places[place], entries[known].holder === object,
      case .joining(let state) = entries[known].change, state.isKept
    {
      return
    }
    append(.joining(UndoRecord(object, isKept: true)), of: object, at: place, replacing: nil)
  }

  /// Notes a link of an embedded object that was dropped.
  ///
  /// - Parameters:
  ///   - value: the former value and flags.
  ///   - isUnread: whether the link is in the record. The first such value counts, whatever is read or
  ///     assigned later. Otherwise the last value counts.
  func noteLink(_ value: FieldValue, of part: ObjectBase, isUnread: Bool) {
    let place = Place(holder: ObjectIdentifier(part), offset: value.property.offset)
    let known = entry(at: place, of: part)
    if let known, case .link(_, let wasUnread) = entries[known].change, isUnread || wasUnread { return }
    append(.link(value, isUnread: isUnread), of: part, at: place, replacing: known)
  }

  /// Whether the contents of a collection are noted and the collection has not changed since its links were
  /// dropped.
  ///
  /// - Parameter count: the number of elements.
  func hasContents(of collection: OwnedCollection, count: Int) -> Bool {
    let place = Place(holder: ObjectIdentifier(collection), offset: 0)
    guard let known = entry(at: place, of: collection),
      case .elements(_, let countAfterwards) = entries[known].change
    else { return false }
    return count == countAfterwards
  }

  /// Notes a collection whose links were dropped.
  ///
  /// - Parameter saved: the former contents; nil if they are already noted.
  func noteContents(of collection: OwnedCollection & LinkCollection, _ saved: OwnedCollection?) {
    let place = Place(holder: ObjectIdentifier(collection), offset: 0)
    let known = entry(at: place, of: collection)
    var contents = saved
    if contents == nil, let known, case .elements(let former, _) = entries[known].change { contents = former }
    guard let contents else { return }
    append(
      .elements(contents, countAfterwards: collection.count),
      of: collection,
      at: place,
      replacing: known
    )
  }
}
