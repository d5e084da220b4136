import LMDB

extension Results {
  /// The objects and their order in one state: later writes change neither.
  ///
  /// ```swift
  /// let dogs = store.objects(Dog.self).sorted(byKeyPath: \.name).freeze()
  /// for index in dogs.indices { show(dogs[index], at: index) }
  /// ```
  /// Only keys are kept. Keys that cannot be read leave no objects, and the event handler of the store gets
  /// the error; ``fetchFrozen()`` throws instead.
  ///
  /// A file that imports `FiefRealm` uses `freeze()` of that module, which keeps the values of the objects too.
  @_disfavoredOverload
  public func freeze() -> FrozenResults<Element> {
    reported(FrozenResults(results: self, keys: KeyArray())) { try fetchFrozen() }
  }

  /// The objects and their order in one state, as ``freeze()`` has it.
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

  /// Whether the results always have the same objects. They see the newest state, unless `freeze()` of `FiefRealm` has made them.
  public var isFrozen: Bool { frozen != nil }
}

/// The objects that ``Results`` had in one state: a collection as an array is one.
///
/// It holds the keys of the objects and nothing else of the store: no transaction, so that nothing that is
/// deleted keeps its place in the file, and no objects. An object is read when it is asked for, in the `read
/// { }` or `write { }` that the results came from while that lasts, and everywhere else as the store has it
/// at that time; in a loop 64 of them at once. One that was deleted meanwhile has its key and the defaults of
/// its class, is invalidated, and is reported to the event handler of the store as `objectNotFound`. In a
/// `read { }` all of it is one state, values too.
///
/// An index out of range ends the process, as an array's does.
public struct FrozenResults<Element: Object>: RandomAccessCollection, Sendable {
  private let results: Results<Element>
  private let keys: KeyArray

  init(results: Results<Element>, keys: KeyArray) {
    self.results = results
    self.keys = keys
  }

  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The place behind the last object.
  public var endIndex: Int { keys.count }

  /// The object at a place, which has to be one of an object.
  public subscript(index: Int) -> Element {
    precondition(index >= 0 && index < keys.count, "Index out of range")
    return objects(at: index..<index + 1)[0]
  }

  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    try keys.withKey(at: index, body)
  }

  /// The place of an object by its key, nil where it is none of these.
  public func index(of object: Element) -> Int? {
    results.reported(nil) { try results.key(of: object).flatMap { keys.firstIndex(of: $0) } }
  }

  /// Whether an object is among these, by its key.
  public func contains(_ object: Element) -> Bool { index(of: object) != nil }

  /// Whether there are always the same objects: true.
  public var isFrozen: Bool { true }

  /// The same.
  public func freeze() -> FrozenResults { self }

  /// The results that these objects were, as they are now.
  public func thaw() -> Results<Element> { results }

  /// Objects at some places, one for each; an unreadable object is reported.
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
    // Only the number of objects is known without the store.
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
        "An object of frozen results is not in the store any more.",
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
  /// An iterator that reads the objects in batches.
  public func makeIterator() -> FrozenResultsIterator<Element> { FrozenResultsIterator(self) }
}

extension FrozenResults: Equatable {
  /// Whether both have the same objects in the same order, by their keys.
  public static func == (first: FrozenResults, second: FrozenResults) -> Bool {
    first.keys == second.keys && first.results.context.store === second.results.context.store
  }
}

/// Iterates over ``FrozenResults``, of which it reads 64 objects at once.
public struct FrozenResultsIterator<Element: Object>: IteratorProtocol {
  private static var batchSize: Int { 64 }

  private let results: FrozenResults<Element>
  private var place = 0
  /// The objects of a batch that are left, the next one at the end.
  private var batch: [Element] = []

  fileprivate init(_ results: FrozenResults<Element>) { self.results = results }

  /// The next object, nil at the end.
  public mutating func next() -> Element? {
    if let object = batch.popLast() { return object }
    let end = Swift.min(place + Self.batchSize, results.endIndex)
    guard place < end else { return nil }
    batch = results.objects(at: place..<end).reversed()
    place = end
    return batch.popLast()
  }
}
