import Synchronization

/// The name inside of the package.
@usableFromInline
package typealias OwnedCollection = _OwnedCollection

/// The common part of lists, sets and maps: the object and the property they belong to.
///
/// A collection that belongs to no object is a plain container. One that does notes each change in its owner,
/// so that the change is written with the owner.
public class _OwnedCollection {
  // These are assigned at once, so that no access can overlap.
  @exclusivity(unchecked) private(set) final weak var owner: ObjectBase?
  @exclusivity(unchecked) private(set) final var offset = 0
  /// The source of elements that are not read, for a wrapper that is encoded without its object.
  @exclusivity(unchecked) final var deferredSource: _DeferredValue?

  /// The reason why the elements are not known; nil where they are, or have yet to be read.
  @exclusivity(unchecked) final var unread: UnreadElements?

  /// The elements that a write has stored; nil once others than additions follow.
  @exclusivity(unchecked) final var stored: StoredElements?

  /// The place in the store after the end of the object that the collection belonged to; nil as long as that
  /// is held, and where it was in no store.
  @exclusivity(unchecked) private(set) final var place: CollectionPlace?

  /// Whether all elements already belong to the owner, so that the first read after a flush need not go through them.
  final func isAdopted(by owner: ObjectBase) -> Bool { stored != nil && self.owner === owner }

  final func attach(to owner: ObjectBase, at offset: Int) {
    self.owner = owner
    self.offset = offset
    owner._lendsCollections = true
    place = nil
    deferredSource = nil
    if let unread, unread.isUnknown { reportUnknown(in: owner) }
    owner._context?.didHandOutPart(of: owner)
  }

  /// The object that it belongs to has ended; see ``CollectionPlace``.
  final func stay(at place: CollectionPlace) { self.place = place }

  @inline(never)
  private func reportUnknown(in owner: ObjectBase) {
    let property = owner.descriptor.property(at: offset)
    owner._context?.store?.reportUnknown(type: Swift.type(of: owner).className(), property)
  }

  /// Whether it belongs to an object that ends, or is embedded in one, and does not know where the store has it.
  final func isLeft(by object: ObjectBase) -> Bool { place == nil && (owner == nil || owner === object) }

  /// Called before each change, and before its elements are read for it: in a write the owner joins it, so
  /// that the change applies to the stored elements.
  @inline(__always)
  final func willChange() { if WritingThreads.isAny { joinWrite() } }

  @inline(never)
  private func joinWrite() {
    // An embedded object refers weakly to the one that it is in.
    let found = owner == nil ? place?.owner(again: self) : nil
    defer { withExtendedLifetime(found) {} }
    guard let owner else { return }
    guard let root = owner.root else {
      (owner as? EmbeddedObject)?.failWriteForLostOwner()
      return
    }
    _ = root._context?.write(changing: root, self)
  }

  /// Called before elements are handed to the application: in a write the owner joins it.
  @inline(__always)
  final func willRead() { if WritingThreads.isAny { joinWriteByReading() } }

  @inline(never)
  private func joinWriteByReading() {
    let found = owner == nil ? place?.ownerForReading(self) : nil
    if let root = owner?.root { root.willRead() }
    withExtendedLifetime(found) {}
  }

  /// Called after each change.
  ///
  /// - Parameter isAddition: whether elements were only added at the end, or keys of a map set.
  final func didChange(isAddition: Bool = false) {
    if !isAddition { stored = nil }
    if let unread, !unread.isChanged {
      unread.isChanged = true
      // The elements in the record are not those that the caller wants.
      owner?.stopDeferring(at: offset)
    }
    if let owner { owner.markAssigned(at: offset) } else { place?.noteChange() }
  }

  /// Called before a change that finds nothing to do where there are no elements: there may be some.
  final func willChangeUnread() { if unread != nil { didChange() } }

  /// Notes that the collection has elements that the class has no value for: without them it differs from the
  /// stored one.
  final func noteUnknown(_ reader: ValueReader) {
    if reader.foundUnknown { unread = UnreadElements(UnknownValue.error, isUnknown: true) }
  }

  /// The error for an element whose object is gone.
  package static var goneElement: FiefError {
    FiefError(
      .objectNotFound,
      "An element of a list is an object that is gone; an object that is in no store stands for it."
    )
  }

  // MARK: Joining a write

  /// A copy of the contents, as a collection of its own to be given to ``restore(_:)``.
  func saved() -> OwnedCollection { OwnedCollection() }
  /// Restores a saved state.
  func restore(_ saved: OwnedCollection) {}
  /// Drops the elements, as before they were read.
  func forget() {}
  /// The embedded objects that were read.
  var readParts: [EmbeddedObject] { [] }
  /// Puts embedded objects that it had in the place of those that were read since and are the same ones.
  ///
  /// - Parameters:
  ///   - former: the former embedded objects.
  ///   - isSame: whether the store is unchanged since they were read.
  ///   - body: gives the first one the values of the second.
  func keepParts(_ former: OwnedCollection, isSame: Bool, _ body: (EmbeddedObject, EmbeddedObject) -> Void) {}

  /// The large collection that the elements are read from.
  var largeAccess: LargeAccess? { nil }
  /// The error of a linked object that could not be read.
  var linkFailure: (any Error)? { nil }

  /// Calls a closure that goes through the elements.
  ///
  /// - Returns: also why some of the elements could not be read; nil where there were no others.
  final func watching<Value>(_ body: () throws -> Value) rethrows -> (Value, failure: (any Error)?) {
    let access = largeAccess
    access?.failure = nil
    let value = try body()
    return (value, unread?.error ?? access?.failure ?? linkFailure)
  }

  /// Calls a closure that goes through the elements.
  ///
  /// - Throws: the error of elements that could not be read.
  final func readingAll<Value>(_ body: () -> Value) throws -> Value {
    let (value, failure) = watching(body)
    if let failure { throw failure }
    return value
  }

  /// - Throws: the error of elements that could not be read.
  final func checkRead() throws {
    guard let unread else { return }
    guard var error = unread.error as? FiefError, error.property == nil, let owner else { throw unread.error }
    error.property = owner.descriptor.property(at: offset)?.name
    throw error
  }

  /// Called before the elements are written.
  ///
  /// - Throws: the error of the last read, if the elements could not be read. If the collection was removed, ``FiefError`` of code
  ///   `conflict`.
  final func checkSavable() throws {
    do { try checkRead() } catch let error as FiefError where error.code == .objectNotFound {
      var lost = FiefError.lostElements
      (lost.store, lost.type, lost.property, lost.key) = (error.store, error.type, error.property, error.key)
      throw lost
    }
  }

  /// Notes why the elements, or those of the collection that this is a copy of, could not be read.
  final func noteUnread(_ error: (any Error)?) {
    if let error { unread = UnreadElements(error, isChanged: unread?.isChanged ?? false) }
  }

  /// Lets embedded objects that were read remember where they are, for their inverses.
  final func notePlaces() {
    guard PartPlace.areUsed.load(ordering: .relaxed), let owner else { return }
    for part in readParts { PartPlace.note(part, in: owner, at: offset) }
  }

  final func adopt(_ element: some RealmCollectionValue) {
    guard let owner else { return }
    if let part = element as? EmbeddedObject, part._context != nil { owner.forgetStoredParts() }
    element._adopt(by: owner)
    PartPlace.note(element, in: owner, at: offset)
  }

  /// The context that failures are reported to.
  final var reportingContext: ObjectContext { owner?._context ?? place?.context ?? .ofNoStore() }

  /// Tells the store's event handler what could not be found out.
  package final func report(_ error: any Error) {
    guard let owner else {
      (place?.context ?? .ofNoStore()).report(error, type: place?.type ?? "", property: nil)
      return
    }
    (owner._context ?? .ofNoStore()).report(
      error,
      type: Swift.type(of: owner).className(),
      property: owner.descriptor.property(at: offset)?.name
    )
  }

  /// A change at an index that is out of bounds changes nothing and is reported to the store's event handler.
  final func reportOutOfBounds(_ index: Int, count: Int) {
    willChangeUnread()
    reportReadOutOfBounds(index, count: count)
  }

  /// Makes the write of this thread fail for an index beyond the ends: in it the collection has the elements that the store
  /// has, of which others may have removed some since the caller looked.
  ///
  /// - Returns: false where the collection is in no write.
  final func failWrite(_ index: Int, count: Int) -> Bool {
    guard WritingThreads.isAny, let store = reportingContext.store, let write = store.activeWrite else {
      return false
    }
    var error = FiefError(
      .invalidValue,
      "An index is beyond the ends of the list that the store has.",
      store: store.name,
      type: owner.map { Swift.type(of: $0).className() } ?? place?.type,
      details: ["the index: \(index)", "the count: \(count)"]
    )
    error.property = owner.flatMap { $0.descriptor.property(at: offset)?.name }
    write.fail(error)
    return true
  }

  final func reportReadOutOfBounds(_ index: Int, count: Int) {
    let context = reportingContext
    let type = owner.map { Swift.type(of: $0).className() } ?? place?.type
    context.emit { .indexOutOfBounds(store: $0, type: type, index: index, count: count) }
  }
}

/// The reason why a collection does not know its elements.
///
/// Such a collection reads as empty, since reading cannot throw. It is not written as empty: one that was never
/// changed stays in the store as it is, and one that was changed without known elements makes the save fail.
final class UnreadElements {
  let error: any Error
  /// Whether the collection was changed since, though its elements are not known.
  var isChanged: Bool
  /// Whether all but some elements are there, which the class has no value for.
  let isUnknown: Bool

  init(_ error: any Error, isChanged: Bool = false, isUnknown: Bool = false) {
    self.error = error
    self.isUnknown = isUnknown
    self.isChanged = isChanged
  }
}
