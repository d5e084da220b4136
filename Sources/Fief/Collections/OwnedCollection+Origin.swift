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
  func reportMisuse(_ error: any Error) {
    let error =
      error as? FiefError ?? FiefError(.invalidValue, "The collection could not be used.", underlying: error)
    reportingContext.emit { _ in .misuse(error) }
  }
}

extension Results {
  /// A handle of the store that is asked; nil where there is none.
  package var originStore: Store? {
    guard context.given == nil, let store = context.store else { return nil }
    return Store(.success(store), visible: context.visible)
  }

  /// - Throws: ``FiefError`` of code `invalidValue` outside of a write: the objects are read for it, and nothing else holds them.
  package func checkWrite(changing property: String) throws {
    if context.given != nil || context.readingScope is WriteTransaction { return }
    throw FiefError(
      .invalidValue,
      "The objects of results are changed together in a write of their store.",
      store: context.store?.name,
      type: elementType.className(),
      property: property
    )
  }

  /// Tells the event handler of the store what could not be done.
  package func reportFailure(_ error: any Error) {
    context.report(error, type: Element.className(), property: (error as? FiefError)?.property)
  }
}

extension List {
  /// The element at an index; nil beyond the ends, for an object that is gone, and where it cannot be read.
  package func element(at index: Int) -> Element? { known(at: index) }
}

extension LinkingObjects {
  /// A handle of the store that is asked; nil where the object is in none.
  package var originStore: Store? { target?._context?.store.map { Store(.success($0)) } }

  /// Whether the object that is linked was in a store and is not there any more.
  ///
  /// - Throws: ``FiefError`` where the store cannot be read.
  package func isOwnerGone() throws -> Bool { try ((target?.root ?? target) as? Object)?.isGone() ?? false }

  /// Tells the event handler of the store what could not be done.
  package func reportFailure(_ error: any Error) {
    (target?._context ?? .ofNoStore()).report(
      error,
      type: Element.className(),
      property: (error as? FiefError)?.property
    )
  }
}
