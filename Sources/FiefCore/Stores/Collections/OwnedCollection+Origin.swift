/// The origin of a collection, for other modules of this package.
extension OwnedCollection {
  /// A handle of the store that contains the collection, or `nil` if the collection is not in a store.
  package var originStore: Store? {
    originContext.flatMap { context in context.store.map { Store(.success($0), visible: context.visible) } }
  }

  private var originContext: ObjectContext? {
    guard let owner else { return place?.context }
    return (owner.root ?? owner)._context
  }

  /// Whether the owner of the collection is frozen.
  package var isOfFrozenObject: Bool { originContext?.isFrozen ?? false }

  /// Returns whether the owner of the collection was in a store and has been deleted.
  ///
  /// - Throws: ``FiefError`` if the store cannot be read.
  package func isOwnerGone() throws -> Bool {
    if let owner { return try ((owner.root ?? owner) as? Object)?.isGone() ?? false }
    return try place?.isGone() ?? false
  }

  /// Reports a failed operation to the event handler of the collection's store.
  package func reportFailure(_ error: any Error) { report(error) }

  /// Reports an invalid use of the collection to the event handler of its store.
  package func reportMisuse(_ error: any Error) {
    let error =
      error as? FiefError ?? FiefError(.invalidValue, "The collection could not be used.", underlying: error)
    reportingContext.emit { _ in .misuse(error) }
  }
}

extension List {
  /// Returns the element at an index, or `nil` if the index is out of bounds or the object was deleted or
  /// cannot be read.
  package func element(at index: Int) -> Element? { known(at: index) }
}
