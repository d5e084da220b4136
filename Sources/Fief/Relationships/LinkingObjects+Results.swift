import Foundation

/// What is asked most of an inverse; everything else that ``Results`` can do, ``LinkingObjects/results`` does.
extension LinkingObjects {
  /// The number of objects that link here, from the tree that leads back: no key is gathered, no object made.
  public var count: Int { prefetched?.count ?? results.count }

  /// Whether nothing links here; no object is made.
  public var isEmpty: Bool { prefetched?.isEmpty ?? results.isEmpty }

  /// The first object that links here, in the order of the keys; no other object is made.
  public var first: Element? { prefetched.map(\.first) ?? results.first }

  /// The last object that links here, in the order of the keys.
  public var last: Element? { prefetched.map(\.last) ?? results.last }

  /// The object at a place in the order of the keys, nil beyond the end.
  public subscript(index: Int) -> Element? {
    guard let prefetched else { return results[index] }
    return prefetched.indices.contains(index) ? prefetched[index] : nil
  }

  /// Whether an object links here, by its key; none is made to find out.
  public func contains(_ object: Element) -> Bool { results.contains(object) }

  /// The place of an object in the order of the keys, nil where it does not link here.
  public func index(of object: Element) -> Int? { results.index(of: object) }

  /// The linking objects for which a closure's condition holds, as ``Results/where(_:)`` has them.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    results.where(isIncluded)
  }

  /// The linking objects for which a predicate holds, as ``Results/filter(_:)`` has them.
  public func filter(_ predicate: Predicate<Element>) -> Results<Element> { results.filter(predicate) }

  /// The linking objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> Results<Element> {
    do { return try results.query(format, arguments: args) } catch {
      return results.failing(FiefError.ofQuery(error))
    }
  }

  /// The linking objects in the order of a property, as ``Results/sorted(byKeyPath:ascending:)-(String,_)`` has them.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The linking objects in the order of a property.
  public func sorted<Value>(
    byKeyPath keyPath: KeyPath<Element, Value>,
    ascending: Bool = true
  ) -> Results<Element> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The linking objects in the order of several properties, the first of them deciding first.
  public func sorted(by order: [PropertyOrder]) -> Results<Element> { results.sorted(by: order) }

  /// The linking objects in the order of several Foundation sort descriptors.
  public func sorted(by descriptors: [SortDescriptor<Element>]) -> Results<Element> {
    results.sorted(by: descriptors)
  }

  /// Of the linking objects with equal values of all of some properties only the first.
  public func distinct(by keyPaths: PartialKeyPath<Element>...) -> Results<Element> {
    results.distinct(by: keyPaths)
  }

  /// At most so many of the linking objects, the first ones.
  public func limit(_ count: Int) -> Results<Element> { results.limit(count) }

  /// Calls a closure with each linking object, all read in one transaction.
  ///
  /// - Throws: what the closure throws, and ``FiefError`` as ``Results/forEachObject(_:)`` has it.
  public func forEachObject(_ body: (Element) throws -> Void) throws { try results.forEachObject(body) }

  /// The sum of a property of the linking objects; 0 where nothing links here.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Value {
    results.sum(of: keyPath)
  }

  /// The average of a property of the linking objects; nil where nothing links here.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Element, Value>) -> Double? {
    results.average(of: keyPath)
  }

  /// The least value of a property of the linking objects; nil where nothing links here.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    results.min(of: keyPath)
  }

  /// The greatest value of a property of the linking objects; nil where nothing links here.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>) -> Value? {
    results.max(of: keyPath)
  }
}
