import FiefCore
import LMDB

/// Changes of all objects of results, made directly on their records without materializing objects.
extension Results {
  // MARK: Updating

  /// Changes properties of all objects of the results in one write, and waits until it is durable.
  ///
  /// ```swift
  /// let count = try store.objects(Order.self).where { $0.isPaid }.update {
  ///   $0.set(\.status, .closed)
  ///   $0.increment(\.version)
  /// }
  /// ```
  /// The write changes the objects that the results contain when it begins: condition, order, `distinct`,
  /// cursors, offset and limit apply as for ``all()``. An object that a list contains twice is changed once.
  /// No object is materialized. Indexes, required links, limits, derived properties and observers are handled
  /// as for changes of single objects. In a `write { }` of the store the changes are part of that write, and
  /// live objects show them.
  ///
  /// If the results contain no object, nothing is written, neither the objects that the changes link nor a
  /// link to a deleted object. The names and the types of the changes are checked nevertheless.
  ///
  /// - Parameter build: adds the changes. They are encoded before the write begins.
  /// - Returns: the number of objects.
  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue` if a change does not
  ///   fit its property or a stored value, with the key of that object; `objectNotFound` if a change links a
  ///   deleted object, with the key of the first object of the results; and the errors of queries and writes.
  ///   The store is then unchanged.
  @discardableResult
  public func update(_ build: (inout FieldChanges<Element>) throws -> Void) throws -> Int {
    try change(try FieldChanges(build).operations)
  }

  /// Changes properties of all objects of the results in one write, and waits until it is durable.
  @discardableResult
  public func update(_ changes: FieldChange<Element>...) throws -> Int {
    try change(changes.map(\.operation))
  }

  /// Changes properties of all objects of the results in one write, and returns when it is durable.
  ///
  /// The changes are encoded before the first suspension. If the task is cancelled before the write has
  /// begun, the write is removed.
  @discardableResult
  nonisolated(nonsending)
    public func update(_ build: (inout FieldChanges<Element>) throws -> Void) async throws -> Int
  {
    try await change(try FieldChanges(build).operations)
  }

  /// Changes properties of all objects of the results in one write, and returns when it is durable.
  @discardableResult
  nonisolated(nonsending) public func update(_ changes: FieldChange<Element>...) async throws -> Int {
    try await change(changes.map(\.operation))
  }

  // MARK: Deleting

  /// Deletes all objects of the results in one write, and waits until it is durable.
  ///
  /// ```swift
  /// try store.objects(Session.self).where { $0.ends < now }.delete()
  /// ```
  /// No object is materialized. Delete rules are followed, and the objects do not deny each other's deletion.
  /// In a `write { }` of the store the deletion is part of that write.
  ///
  /// - Returns: the number of objects in the results, not counting objects that delete rules deleted with
  ///   them.
  /// - Throws: ``FiefError`` of code `deletionDenied` if a rule forbids the deletion; and the errors of
  ///   queries and writes. The store is then unchanged.
  @discardableResult
  public func delete() throws -> Int { try make(.delete, in: try changedStore()) }

  /// Deletes all objects of the results in one write, and returns when it is durable.
  ///
  /// If the task is cancelled before the write has begun, the write is removed.
  @discardableResult
  nonisolated(nonsending) public func delete() async throws -> Int {
    try await make(.delete, in: try changedStore())
  }

  // MARK: The write

  private func change(_ operations: [FieldOperation]) throws -> Int {
    let store = try changedStore()
    guard let scope = context.readingScope as? WriteTransaction else {
      return try make(try encoded(operations, in: store), in: store)
    }
    return try update(operations, in: scope)
  }

  nonisolated(nonsending) private func change(_ operations: [FieldOperation]) async throws -> Int {
    let store = try changedStore()
    return try await make(try encoded(operations, in: store), in: store)
  }

  private func make(_ change: BulkChange, in store: StoreCore) throws -> Int {
    if let scope = context.readingScope as? WriteTransaction {
      return try self.change(change, in: scope, isWhole: false)
    }
    let count = Lock(0)
    _ = try store.submit(work(change, count: count))
    return count.withLock { $0 }
  }

  nonisolated(nonsending)
    private func make(_ change: BulkChange, in store: StoreCore) async throws -> Int
  {
    let count = Lock(0)
    _ = try await store.submit(work(change, count: count))
    return count.withLock { $0 }
  }
}
