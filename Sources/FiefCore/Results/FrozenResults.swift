import LMDB

extension Results {
  /// Returns a frozen list of the current objects. Later writes change neither its members nor their order.
  ///
  /// ```swift
  /// let dogs = store.objects(Dog.self).sorted(byKeyPath: \.name).freeze()
  /// for index in dogs.indices { show(dogs[index], at: index) }
  /// ```
  /// Only the keys of the objects are kept. If the keys cannot be read, the result is empty and the store's
  /// event handler receives the error; ``fetchFrozen()`` throws instead.
  ///
  /// In a file that imports `FiefRealm`, `freeze()` also freezes the values of the objects.
  @_disfavoredOverload
  public func freeze() -> FrozenResults<Element> {
    reported(FrozenResults(results: self, keys: KeyArray())) { try fetchFrozen() }
  }

  /// Returns a frozen list of the current objects. Throws errors, unlike ``freeze()``.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchFrozen() throws -> FrozenResults<Element> {
    var keys = KeyArray()
    try forEachRow { row, _ in
      keys.append(row.key)
      return true
    }
    return FrozenResults(results: self, keys: keys)
  }

  /// A Boolean value that indicates whether the results always have the same objects. It is `true` only for
  /// results created by `freeze()` of `FiefRealm`; all other results reflect the newest state.
  public var isFrozen: Bool { frozen != nil }
}

/// The objects that ``Results`` had at one commit, as a random-access collection.
///
/// It contains only the keys of the objects, and keeps no transaction open, so the space of deleted data can
/// be reused. Accessing an object reads it: in the `read { }` or `write { }` in which the results were
/// created, while it lasts, and otherwise from the newest state of the store. A loop reads 64 objects at a
/// time. An object that was deleted in the meantime has its key and the defaults of its class, is
/// invalidated, and is reported to the store's event handler as `objectNotFound`. In a `read { }` all objects
/// and their values belong to one state.
///
/// An index out of range terminates the process, as in an array.
public struct FrozenResults<Element: Object>: FrozenCollection, Sendable {
  private let results: Results<Element>
  private let keys: KeyArray

  init(results: Results<Element>, keys: KeyArray) {
    self.results = results
    self.keys = keys
  }

  /// The index after the last object.
  public var endIndex: Int { keys.count }

  /// Accesses the object at a valid index.
  public subscript(index: Int) -> Element {
    precondition(index >= 0 && index < keys.count, "Index out of range")
    return objects(at: index..<index + 1)[0]
  }

  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    try keys.withKey(at: index, body)
  }

  /// Returns the index of an object, or `nil` if the object is not in this collection. Objects are compared
  /// by key.
  public func index(of object: Element) -> Int? {
    results.reported(nil) { try results.key(of: object).flatMap { keys.firstIndex(of: $0) } }
  }

  /// Returns a Boolean value that indicates whether the collection contains an object. Objects are compared
  /// by key.
  public func contains(_ object: Element) -> Bool { index(of: object) != nil }

  /// Returns the results that were frozen, which reflect the newest state.
  public func thaw() -> Results<Element> { results }

  /// Returns one object for each index. If an object cannot be read, its error is reported and it is replaced
  /// by a placeholder.
  fileprivate func objects(at places: Range<Int>) -> [Element] {
    var objects: [Element] = []
    objects.reserveCapacity(places.count)
    do {
      try results.withTransaction { store, transaction, _ in
        let binding = try store.binding(of: results.elementType)
        let scope = results.context.readingScope ?? results.context.given?.scope(transaction)
        for place in places {
          objects.append(try keys.withKey(at: place) { try object($0, binding, store, transaction, scope) })
        }
      }
    } catch {
      results.context.report(error, type: Element.className(), property: nil)
    }
    // If the store cannot be read, only the number of objects is known.
    while objects.count < places.count { objects.append(results.elementType.standIn()) }
    return objects
  }

  private func object(
    _ key: UnsafeRawBufferPointer,
    _ binding: ObjectBinding,
    _ store: StoreCore,
    _ transaction: LMDB.Transaction,
    _ scope: AccessScope?
  ) throws -> Element {
    do {
      let object =
        try scope.map { try $0.object(of: binding, key: key) }
        ?? store.countedLoad(binding, key: key, from: transaction, context: results.context)
      if let object = object?.cast(to: Element.self) { return object }
      throw FiefError(
        .objectNotFound,
        "An object of frozen results is no longer in the store.",
        store: store.name,
        type: binding.table.name,
        key: binding.table.text(ofKey: [UInt8](key))
      )
    } catch {
      results.context.report(error, type: binding.table.name, property: nil)
      let isGone = (error as? FiefError)?.code == .objectNotFound
      let object = try binding.goneObject(key: key, isGone: isGone, context: results.context).cast(
        to: Element.self
      )
      return object ?? results.elementType.standIn()
    }
  }
}

extension FrozenResults {
  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> FrozenResultsIterator<Element> { FrozenResultsIterator(self) }
}

extension FrozenResults: Equatable {
  /// Returns a Boolean value that indicates whether both collections have the same objects in the same order,
  /// compared by key.
  public static func == (first: FrozenResults, second: FrozenResults) -> Bool {
    first.keys == second.keys && first.results.context.store === second.results.context.store
  }
}

/// An iterator over ``FrozenResults`` that reads 64 objects at a time.
public struct FrozenResultsIterator<Element: Object>: IteratorProtocol {
  private static var batchSize: Int { 64 }

  private let results: FrozenResults<Element>
  private var place = 0
  /// The remaining objects of the current batch, with the next object last.
  private var batch: [Element] = []

  fileprivate init(_ results: FrozenResults<Element>) { self.results = results }

  /// Returns the next object, or `nil` at the end.
  public mutating func next() -> Element? {
    if let object = batch.popLast() { return object }
    let end = Swift.min(place + Self.batchSize, results.endIndex)
    guard place < end else { return nil }
    batch = results.objects(at: place..<end).reversed()
    place = end
    return batch.popLast()
  }
}
