import Foundation

extension DatabaseConfigurable {
  /// All objects of a type; nil where the store cannot be opened or does not have the type.
  public func queryAll<Element: Object>(returningClass: Element.Type) -> Results<Element>? {
    let store = store()
    guard let core = try? store.core(), (try? core.binding(of: returningClass)) != nil else { return nil }
    return store.objects(returningClass)
  }

  /// The objects of a type for which a predicate holds, in an order; nil where the store cannot be opened
  /// or does not have the type.
  ///
  /// - Parameters:
  ///   - returningClass: a class of the store.
  ///   - predicate: what the objects must fulfil; nil is every object.
  ///   - sortedBy: the name of the property to order by; nil is the order of the keys.
  ///   - ascending: whether smaller values come first.
  public func query<Element: Object>(
    returningClass: Element.Type,
    predicate: Predicate<Element>? = nil,
    sortedBy: String? = nil,
    ascending: Bool = true
  ) -> Results<Element>? {
    guard var results = queryAll(returningClass: returningClass) else { return nil }
    if let predicate { results = results.filter(predicate) }
    if let sortedBy { results = results.sorted(byKeyPath: sortedBy, ascending: ascending) }
    return results
  }

  /// The objects of a type for which a closure's condition holds, in an order; nil where the store cannot be opened
  /// or does not have the type.
  ///
  /// ```swift
  /// let dogs = repository.query(returningClass: Dog.self, sortedBy: "name") { $0.age > 3 }
  /// ```
  /// - Parameters:
  ///   - returningClass: a class of the store.
  ///   - sortedBy: the name of the property to order by; nil is the order of the keys.
  ///   - ascending: whether smaller values come first.
  ///   - isIncluded: makes the condition, as in ``Results/where(_:)``.
  public func query<Element: Object>(
    returningClass: Element.Type,
    sortedBy: String? = nil,
    ascending: Bool = true,
    where isIncluded: (Query<Element>) -> Query<Bool>
  ) -> Results<Element>? {
    guard var results = queryAll(returningClass: returningClass)?.where(isIncluded) else { return nil }
    if let sortedBy { results = results.sorted(byKeyPath: sortedBy, ascending: ascending) }
    return results
  }

  /// The object with a primary key; nil where there is none or where it cannot be read.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key; an array of the parts for a compound one.
  public func object<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) -> sending Element? {
    store().object(ofType: type, forPrimaryKey: key)
  }

  /// The number of objects of a type, in constant time.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened or does not have the type.
  public func count<Element: Object>(_ type: Element.Type) throws -> Int {
    try store().read { try $0.count(type) }
  }

  /// Whether an object with a primary key exists; no object is made.
  public func exists<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws -> Bool {
    try store().read { try $0.exists(type, forPrimaryKey: key) }
  }

  /// Calls a closure with one committed state of the store.
  public func read<Value>(_ body: (Snapshot) throws -> Value) throws -> Value {
    try store().read(body)
  }

  /// Calls a closure in a write transaction on this thread; all of its changes are committed together.
  ///
  /// - Throws: what the closure throws, with nothing changed in the store.
  @discardableResult
  public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
    try store().write(body)
  }

  /// Calls a closure in a write transaction on the thread of the write queue; many callers share one
  /// commit.
  @discardableResult
  nonisolated(nonsending)
    public func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value)
    async throws
    -> Value
  {
    try await store().write(body)
  }
}
