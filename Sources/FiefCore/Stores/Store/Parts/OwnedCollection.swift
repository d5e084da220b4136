import Synchronization

/// The package's name for `_OwnedCollection`.
@usableFromInline
package typealias OwnedCollection = _OwnedCollection

/// The common base class of lists, sets and maps. It manages the object and the property to which the
/// collection belongs.
///
/// A collection without an owner is a plain container. A collection with an owner marks each change in the
/// owner, so that the change is saved with the owner.
public class _OwnedCollection {
  // These are only assigned, never modified in place, so accesses cannot overlap.
  @exclusivity(unchecked) private(set) final weak var owner: ObjectBase?
  @exclusivity(unchecked) private(set) final var offset = 0
  /// The source of unread elements, for a wrapper that is encoded without its object.
  @exclusivity(unchecked) final var deferredSource: _DeferredValue?

  /// The reason why the elements are unknown; nil if they are known, or have not been read yet.
  @exclusivity(unchecked) final var unread: UnreadElements?

  /// The elements that a write has stored; nil after any change other than an addition.
  @exclusivity(unchecked) final var stored: StoredElements?

  /// The location in the store after the collection's object was released; nil before that, and if the object
  /// was not in a store.
  @exclusivity(unchecked) private(set) final var place: CollectionPlace?

  /// The objects that the application has put into the collection as values of any type since the last save,
  /// or that a save has stored in a collection of links. `nil` if no object is recorded.
  @exclusivity(unchecked) final var given: NotedObjects?

  /// Whether all elements already belong to the owner. The first read after a flush then need not visit them.
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

  /// Called when the object of the collection was released; see ``CollectionPlace``.
  final func stay(at place: CollectionPlace) { self.place = place }

  @inline(never)
  private func reportUnknown(in owner: ObjectBase) {
    let property = owner.descriptor.property(at: offset)
    owner._context?.store?.reportUnknown(type: Swift.type(of: owner).className(), property)
  }

  /// Whether the collection belongs to an object that is being released, or to an embedded object of it, and
  /// has no location in the store yet.
  final func isLeft(by object: ObjectBase) -> Bool { place == nil && (owner == nil || owner === object) }

  /// Called before each change, and before the elements are read for the change. In a write, the owner joins
  /// the write, so that the change applies to the stored elements.
  @inline(__always)
  final func willChange() {
    if WritingThreads.isAny { joinWrite() }
    if given != nil { forgetSavedObjects() }
  }

  @inline(never)
  private func joinWrite() {
    if let owner { return joinWrite(of: owner) }
    // An embedded object refers weakly to the object that contains it, which may have been released.
    guard let found = place?.owner(again: self) else { return }
    if let owner { joinWrite(of: owner) }
    withExtendedLifetime(found) {}
  }

  private func joinWrite(of owner: ObjectBase) {
    guard let root = owner.root else {
      (owner as? EmbeddedObject)?.failWriteForLostOwner()
      return
    }
    _ = root._context?.write(changing: root, self)
  }

  /// Called before elements are returned to the application. In a write, the owner joins the write.
  @inline(__always)
  final func willRead() { if WritingThreads.isAny { joinWriteByReading() } }

  @inline(never)
  private func joinWriteByReading() {
    if let owner {
      owner.root?.willRead()
      return
    }
    let found = place?.ownerForReading(self)
    if let root = owner?.root { root.willRead() }
    withExtendedLifetime(found) {}
  }

  /// Called after each change.
  ///
  /// - Parameter isAddition: whether elements were only appended, or keys of a map were set.
  final func didChange(isAddition: Bool = false) {
    if !isAddition { stored = nil }
    if let unread, !unread.isChanged {
      unread.isChanged = true
      // From now on the elements are read from the collection instead of the record.
      owner?.stopDeferring(at: offset)
    }
    if let owner { owner.markAssigned(collectionAt: offset) } else { place?.noteChange() }
  }

  /// Called before a change that would have no effect on an empty collection. If the elements are unknown,
  /// the collection may not be empty, so this counts as a change.
  final func willChangeUnread() { if unread != nil { didChange() } }

  /// Records that the stored collection has elements that the class cannot represent, so that this collection
  /// differs from the stored one.
  final func noteUnknown(_ reader: ValueReader) {
    if reader.foundUnknown { unread = UnreadElements(UnknownValue.error, isUnknown: true) }
  }

  /// The error for an element whose object was deleted.
  package static var goneElement: FiefError {
    FiefError(
      .objectNotFound,
      "An element of a list was deleted; a placeholder object without a store replaces it."
    )
  }

  // MARK: Joining a write

  /// Returns a copy of the contents, as a separate collection for ``restore(_:)``.
  func saved() -> OwnedCollection { OwnedCollection() }
  /// Restores a saved state.
  func restore(_ saved: OwnedCollection) {}
  /// Drops the elements and marks them as unread.
  func forget() {}
  /// The embedded objects that were read.
  var readParts: [EmbeddedObject] { [] }
  /// Replaces newly read embedded objects by the instances that the collection had before, if they are the
  /// same objects.
  ///
  /// - Parameters:
  ///   - former: the former embedded objects.
  ///   - isSame: whether the store is unchanged since the former objects were read.
  ///   - body: copies the values of the second object to the first.
  func keepParts(_ former: OwnedCollection, isSame: Bool, _ body: (EmbeddedObject, EmbeddedObject) -> Void) {}

  /// The large collection from which the elements are read.
  var largeAccess: LargeAccess? { nil }
  /// The error of a linked object that could not be read.
  var linkFailure: (any Error)? { nil }

  /// Calls a closure that visits the elements.
  ///
  /// - Returns: the result of the closure, and the reason why some elements could not be read; nil if all
  ///   could be read.
  final func watching<Value>(_ body: () throws -> Value) rethrows -> (Value, failure: (any Error)?) {
    let access = largeAccess
    access?.failure = nil
    let value = try body()
    return (value, unread?.error ?? access?.failure ?? linkFailure)
  }

  /// Calls a closure that visits the elements.
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
  /// - Throws: the error of the last read if the elements could not be read; ``FiefError`` of code `conflict`
  ///   if the collection was removed.
  final func checkSavable() throws {
    do { try checkRead() } catch let error as FiefError where error.code == .objectNotFound {
      var lost = FiefError.lostElements
      (lost.store, lost.type, lost.property, lost.key) = (error.store, error.type, error.property, error.key)
      throw lost
    }
  }

  /// Records why the elements of the collection, or of the collection from which it was copied, could not be
  /// read.
  final func noteUnread(_ error: (any Error)?) {
    if let error { unread = UnreadElements(error, isChanged: unread?.isChanged ?? false) }
  }

  /// Records the locations of embedded objects that were read, for their inverses.
  final func notePlaces() {
    guard PartPlace.areUsed.load(ordering: .relaxed), let owner else { return }
    for part in readParts { PartPlace.note(part, in: owner, at: offset) }
  }

  final func adopt<Element: RealmCollectionValue>(_ element: Element) {
    guard let owner else { return }
    // Links are never embedded objects. A dynamic cast would take longer to determine this.
    if Element._linkType != nil {
      owner._holdsObjects = true
      if owner._hasNotes || !(given?.isEmpty ?? true) { noteAdded(element, to: owner) }
      return
    }
    if let part = element as? EmbeddedObject, part._context != nil { owner.forgetStoredParts() }
    element._adopt(by: owner)
    noteGiven(element)
    PartPlace.note(element, in: owner, at: offset)
  }

  /// The context to which failures are reported.
  final var reportingContext: ObjectContext { owner?._context ?? place?.context ?? .ofNoStore() }

  /// Reports a failed read to the store's event handler.
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

  /// Reports a change at an index out of bounds to the store's event handler. Such a change has no effect.
  final func reportOutOfBounds(_ index: Int, count: Int) {
    willChangeUnread()
    reportReadOutOfBounds(index, count: count)
  }

  /// Makes the write of this thread fail because of an index out of bounds. In a write, the collection has
  /// the elements of the store, and other writes may have removed some of them since the caller checked the
  /// index.
  ///
  /// - Returns: false if the collection is not in a write.
  final func failWrite(_ index: Int, count: Int) -> Bool {
    guard WritingThreads.isAny, let store = reportingContext.store, let write = store.activeWrite else {
      return false
    }
    var error = FiefError(
      .invalidValue,
      "An index is out of the bounds of the stored list.",
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

/// The reason why the elements of a collection are unknown.
///
/// Such a collection reads as empty, because reading cannot throw. But it is not saved as empty: if it was
/// never changed, it stays unchanged in the store; if it was changed, saving it fails.
final class UnreadElements {
  let error: any Error
  /// Whether the collection was changed although its elements are unknown.
  var isChanged: Bool
  /// Whether only elements that the class cannot represent are missing.
  let isUnknown: Bool

  init(_ error: any Error, isChanged: Bool = false, isUnknown: Bool = false) {
    self.error = error
    self.isUnknown = isUnknown
    self.isChanged = isChanged
  }
}
