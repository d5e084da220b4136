import Foundation

/// Deletion of expired objects.
extension StoreAccess {
  /// Deletes expired objects of the classes with a ``ObjectBase/lifetime()``, and the oldest objects beyond
  /// the limits of their lifetimes.
  ///
  /// ```swift
  /// while try await store.sweepExpired(limit: 1000) > 0 {}
  /// ```
  /// A call is one commit, which deletes everything or nothing. The rules of relationships apply: objects
  /// that a rule deletes with an expired object are deleted too, and are not counted. An object whose
  /// deletion a rule denies is kept, and the next call tries again. If there is nothing to delete, nothing is
  /// written. With an index of the date, the duration of a call depends on the number of deleted objects;
  /// without it, the call reads all objects of the class.
  ///
  /// - Parameter limit: the maximum number of expired objects that the call deletes.
  /// - Returns: the number of deleted objects; fewer than `limit` if no more can be deleted.
  /// - Throws: ``FiefError``, with nothing deleted: of code `validationFailed` if a required relationship of
  ///   a remaining object would become empty, `cancelled` if the task was cancelled before the write began.
  @discardableResult
  nonisolated(nonsending) public func sweepExpired(limit: Int = 1000) async throws -> Int {
    let store = store()
    let core = try store.core()
    guard limit > 0 else { return 0 }
    let now = core.tables.clock()
    let types = try store.expiringTypes().filter { try store.hasWork($0, at: now) }
    if types.isEmpty { return 0 }
    return try await store.write { transaction in
      var count = 0
      for (type, table, lifetime) in types where count < limit {
        let sweep = ExpirySweep(transaction: transaction, type: type, table: table, lifetime: lifetime)
        count += try sweep.deleteExpired(at: now, limit: limit - count)
        count += try sweep.evict(limit: limit - count)
      }
      return count
    }
  }
}

extension Store {
  /// Sweeps in a separate task until nothing is left to delete. A failure is reported as an event.
  ///
  /// It is never inlined. Otherwise the runtime would instantiate the types of the task when any store is
  /// opened.
  @inline(never)
  func sweepInBackground() {
    Task.detached(priority: .background) { [self] in
      do { while try await sweepExpired() > 0 {} } catch {
        guard let core = openedCore, !core.isClosed else { return }
        core.emit(.failedCaching(store: core.name, type: (error as? FiefError)?.type, error: error))
      }
    }
  }

  /// Deletes the oldest objects beyond the limits of a lifetime.
  package nonisolated(nonsending) func evict(
    _ table: Table,
    _ lifetime: DeclaredLifetime,
    keeping kept: ObjectKey
  ) async throws {
    let core = try core()
    guard let type = core.descriptor(named: table.name)?.type as? Object.Type,
      try core.read({ try ExpirySweep.excess(of: table, lifetime, in: $0) }) > 0
    else { return }
    _ = try await write { transaction in
      let sweep = ExpirySweep(transaction: transaction, type: type, table: table, lifetime: lifetime)
      return try sweep.evict(limit: .max, keeping: kept)
    }
  }

  fileprivate typealias ExpiringType = (type: Object.Type, table: Table, lifetime: DeclaredLifetime)

  fileprivate func expiringTypes() throws -> [ExpiringType] {
    let core = try core()
    return core.tables.all.compactMap { table in
      guard visible?.contains(table.name) ?? true, let descriptor = core.descriptor(named: table.name),
        let lifetime = descriptor.lifetime, let type = descriptor.type as? Object.Type
      else { return nil }
      return (type, table, lifetime)
    }
  }

  fileprivate func hasWork(_ type: ExpiringType, at now: Date) throws -> Bool {
    let objects = objects(type.type)
    let excess = try core().read { try ExpirySweep.excess(of: type.table, type.lifetime, in: $0) }
    return try excess > 0
      || ExpirySweep.expired(objects, type.lifetime, at: now).contains { try $0.limit(1).fetchCount() > 0 }
  }
}
