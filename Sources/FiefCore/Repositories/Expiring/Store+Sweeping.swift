import Foundation

/// The deletion of what has expired.
extension Store {
  /// Deletes expired objects of the classes with a ``ObjectBase/lifetime()``, and the oldest ones beyond its bounds.
  ///
  /// ```swift
  /// while try await store.sweepExpired(limit: 1000) > 0 {}
  /// ```
  /// A call is one commit: all that it deletes, or nothing. The rules of relationships hold: objects that a rule deletes
  /// with an expired one are deleted too, and do not count; one whose deletion a rule denies stays, and the next call
  /// tries it again. Where there is nothing to delete nothing is written. An index of the date makes a call as long as
  /// what it deletes; without one it reads all objects of the class.
  ///
  /// - Parameter limit: the greatest number of expired objects that the call deletes.
  /// - Returns: how many were deleted; fewer than `limit` where nothing more can be.
  /// - Throws: ``FiefError`` with nothing deleted: of code `validationFailed` where an object that stays would be without a
  ///   required one, `cancelled` where the task was cancelled before the write began.
  @discardableResult
  nonisolated(nonsending) public func sweepExpired(limit: Int = 1000) async throws -> Int {
    let core = try core()
    guard limit > 0 else { return 0 }
    let now = core.tables.clock()
    let types = try expiringTypes().filter { try hasWork($0, at: now) }
    if types.isEmpty { return 0 }
    return try await write { transaction in
      var count = 0
      for (type, table, lifetime) in types where count < limit {
        let sweep = ExpirySweep(transaction: transaction, type: type, table: table, lifetime: lifetime)
        count += try sweep.deleteExpired(at: now, limit: limit - count)
        count += try sweep.evict(limit: limit - count)
      }
      return count
    }
  }

  /// Sweeps in a task of its own until nothing is left; a failure is an event.
  ///
  /// Never inlined: opening any store would have the runtime make the types of the task.
  @inline(never)
  func sweepInBackground() {
    Task.detached(priority: .background) { [self] in
      do { while try await sweepExpired() > 0 {} } catch {
        guard let core = openedCore, !core.isClosed else { return }
        core.emit(.failedCaching(store: core.name, type: (error as? FiefError)?.type, error: error))
      }
    }
  }

  /// Deletes the oldest objects beyond the bounds of a lifetime.
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

  private typealias ExpiringType = (type: Object.Type, table: Table, lifetime: DeclaredLifetime)

  private func expiringTypes() throws -> [ExpiringType] {
    let core = try core()
    return core.tables.all.compactMap { table in
      guard visible?.contains(table.name) ?? true, let descriptor = core.descriptor(named: table.name),
        let lifetime = descriptor.lifetime, let type = descriptor.type as? Object.Type
      else { return nil }
      return (type, table, lifetime)
    }
  }

  private func hasWork(_ type: ExpiringType, at now: Date) throws -> Bool {
    let objects = objects(type.type)
    let excess = try core().read { try ExpirySweep.excess(of: type.table, type.lifetime, in: $0) }
    return try excess > 0
      || ExpirySweep.expired(objects, type.lifetime, at: now).contains { try $0.limit(1).fetchCount() > 0 }
  }
}
