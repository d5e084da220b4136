/// Where a collection came from, for modules of this package.
extension OwnedCollection {
  /// A handle of the store that has the collection; nil where none has.
  package var originStore: Store? {
    originContext.flatMap { context in context.store.map { Store(.success($0), visible: context.visible) } }
  }

  private var originContext: ObjectContext? {
    guard let owner else { return place?.context }
    return (owner.root ?? owner)._context
  }

  /// Whether the object that has the collection is frozen.
  package var isOfFrozenObject: Bool { originContext?.isFrozen ?? false }

  /// Whether the object that has the collection was in a store and is not there any more.
  ///
  /// - Throws: ``FiefError`` where the store cannot be read.
  package func isOwnerGone() throws -> Bool {
    if let owner { return try ((owner.root ?? owner) as? Object)?.isGone() ?? false }
    return try place?.isGone() ?? false
  }

  /// Tells the event handler of the collection's store what could not be done.
  package func reportFailure(_ error: any Error) { report(error) }

  /// Tells the event handler of the collection's store that it was used in a way that it cannot be.
  package func reportMisuse(_ error: any Error) {
    let error =
      error as? FiefError ?? FiefError(.invalidValue, "The collection could not be used.", underlying: error)
    reportingContext.emit { _ in .misuse(error) }
  }
}

extension List {
  /// The element at an index; nil beyond the ends, for an object that is gone, and where it cannot be read.
  package func element(at index: Int) -> Element? { known(at: index) }
}
