import FiefCore

extension CrossStoreLink {
  /// Looks the object up in the newest state of its store, and opens the store if necessary.
  ///
  /// Opening a store, including any migration, runs on a thread of the library.
  ///
  /// - Parameter manager: the manager with the repository of the store.
  /// - Returns: the object, or the reason why it was not found.
  /// - Throws: ``FiefError`` if the store cannot be opened or read, or of code `cancelled` if the task is
  ///   cancelled before the opening begins. If the object, the store or the class does not exist, nothing is
  ///   thrown and the result is `.missing`.
  nonisolated(nonsending)
    public func resolve(in manager: StoreManager) async throws -> sending CrossStoreResolution<Element>
  {
    let place = CrossStorePlace(self)
    guard let name = place.store else { return .missing(place.missing) }
    guard let store = try await manager.openedStore(named: name) else { return .missing(.unknownStore) }
    return try Self.object(at: place, in: store)
  }

  /// Looks the object up in a repository's store, and opens the store if necessary.
  ///
  /// - Parameter repository: the repository of the store. If the reference names another store, the result is
  ///   ``CrossStoreResolutionReason/unknownStore``.
  /// - Returns: the object, or the reason why it was not found.
  /// - Throws: ``FiefError`` if the store cannot be opened or read.
  public func resolve(in repository: some DatabaseConfigurable) throws
    -> sending CrossStoreResolution<Element>
  {
    let place = CrossStorePlace(self)
    guard let name = place.store else { return .missing(place.missing) }
    guard name.hasSameBytes(as: repository.storeName) else { return .missing(.unknownStore) }
    return try Self.object(at: place, in: repository.store())
  }

  private static func object(at place: CrossStorePlace, in store: Store) throws
    -> sending CrossStoreResolution<
      Element
    >
  {
    guard let key = place.key else { return .missing(place.missing) }
    do {
      guard let object = try store.newestObject(Element.self, key) else { return .missing(.noObject) }
      return .found(object)
    } catch let error as FiefError where error.code == .unknownType {
      return .missing(.otherType)
    }
  }
}

extension StoreManager {
  /// Looks up the objects of many references. Each store is read once, in key order, from one committed
  /// state.
  ///
  /// References to the same object return the same instance.
  ///
  /// - Returns: the result for each reference, in the order of the references.
  /// - Throws: ``FiefError`` if a store cannot be opened or read, or of code `cancelled` if the task is
  ///   cancelled before the opening of a store begins.
  nonisolated(nonsending) public func resolve<Element: Object>(
    _ links: [CrossStoreLink<Element>]
  ) async throws -> sending [CrossStoreResolution<Element>] {
    let places = links.map { CrossStorePlace($0) }
    var stores: [ExactText: Store] = [:]
    for name in Set(places.compactMap { $0.store.map { ExactText($0) } }).sorted() {
      stores[name] = try await openedStore(named: name.text)
    }
    return try CrossStoreBatch.resolve(places, in: stores)
  }

  /// Returns the open store with a name, or `nil` if no repository has the name.
  nonisolated(nonsending) func openedStore(named name: String) async throws -> Store? {
    guard let repository = repositories.first(where: { $0.storeName.hasSameBytes(as: name) }) else {
      return nil
    }
    if StoreRegistry.shared.isOpen(repository) { return try repository.store().checked() }
    let opening = StoreSandbox.capturingCurrent { [self] in
      repositories.first { $0.storeName.hasSameBytes(as: name) }?.store()
    }
    let lane = BackgroundThreads.Lane.opening(ObjectIdentifier(self), ExactText(name))
    let store = try await BackgroundThreads.shared.run(inLineOf: lane, opening)
    return try store?.checked()
  }
}

extension Store {
  /// Returns the store itself.
  ///
  /// - Throws: the error from opening the store.
  fileprivate func checked() throws -> Store {
    _ = try core()
    return self
  }
}
