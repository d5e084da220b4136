extension Results {
  /// What tells their store from others.
  ///
  /// - Throws: ``FiefError`` where it is not open.
  package func storeIdentity() throws -> String { try observedStore().identity }

  /// The same results in the newest state, as a handle of their store sees it.
  package func seen(by store: Store) -> Results { rebound(to: store.newest) }
}

extension Results {
  /// The store of the results.
  ///
  /// - Throws: ``FiefError`` for the error of the results, and for a store that is closed.
  package func observedStore() throws -> StoreCore { try openStore(toBe: "observed") }

  /// - Parameter use: what the results are to be.
  package func openStore(toBe use: StaticString) throws -> StoreCore {
    if let failure { throw failure }
    if frozen != nil {
      throw FiefError(
        .invalidValue,
        "Frozen results do not change and cannot be \(use). thaw() gives results that can be.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    if context.given != nil {
      throw FiefError(
        .objectNotFound,
        "The collection belongs to no object of a store, so that it cannot be \(use).",
        type: Element.className()
      )
    }
    guard let store = context.store, !store.isClosed else {
      throw FiefError(
        .storeClosed,
        "The store is closed.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    try checkCursors(in: store)
    return store
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
