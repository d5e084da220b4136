import FiefCore
import Foundation

/// One call that requests an object from a cache.
struct CachedRead<Element: Object, Key: Sendable>: Sendable {
  typealias Fetch = @Sendable (Key) async throws -> sending Element

  let store: Store
  let type: Element.Type
  let key: Key
  let seconds: TimeInterval?
  let fetch: Fetch

  nonisolated(nonsending) func object(_ policy: CachePolicy) async throws -> sending Cached<Element> {
    let core = try store.core(for: type)
    let binding = try core.binding(of: type)
    let lifetime = try binding.lifetime(of: core, seconds: seconds)
    if policy != .networkOnly, let found = try store.fetchObject(ofType: type, forPrimaryKey: key) {
      let isExpired = lifetime.isExpired(found, at: core.tables.clock(), seconds: seconds)
      if !isExpired { return .fresh(found) }
      if policy == .cacheOnly { return .stale(found, nil) }
      if policy == .staleWhileRevalidate {
        Flights.shared.refresh(try flightKey(binding, core)) { isOutdated in
          try checkFetchIsNeeded(core)
          try await fetchBehind(core, isOutdated)
        }
        return .stale(found, nil)
      }
    } else if policy == .cacheOnly {
      throw try notFound(
        "The store has no object with the key, and the call does not fetch it.",
        binding,
        core
      )
    }
    do {
      try await Flights.shared.join(try flightKey(binding, core)) { isOutdated in
        if policy != .networkOnly { try checkFetchIsNeeded(core) }
        try await fetchAndSave(core, isOutdated)
      }
    } catch is FetchedMeanwhile {
      return try await object(policy)
    } catch let cycle as Flights.Cycle {
      throw cycleError(cycle, binding, core)
    } catch {
      // Return no expired object to a cancelled call, or to a call that must fetch.
      if policy == .networkOnly || Task.isCancelled { throw error }
      guard let found = try store.fetchObject(ofType: type, forPrimaryKey: key) else { throw error }
      return .stale(found, error)
    }
    guard let object = try store.fetchObject(ofType: type, forPrimaryKey: key) else {
      throw try notFound("The object was deleted after it was fetched.", binding, core)
    }
    return .fetched(object)
  }

  /// Thrown if a fetch of another call ended after the lookup of the call that begins a fetch.
  private struct FetchedMeanwhile: Error {}

  /// Checks that the store has no fresh object when the fetch begins. Without this check, an object could be
  /// fetched twice: a call may begin its fetch after the end of a fetch that its lookup preceded.
  private func checkFetchIsNeeded(_ core: StoreCore) throws {
    guard let found = try store.fetchObject(ofType: type, forPrimaryKey: key) else { return }
    let lifetime = try core.binding(of: type).lifetime(of: core, seconds: seconds)
    if !lifetime.isExpired(found, at: core.tables.clock(), seconds: seconds) { throw FetchedMeanwhile() }
  }

  private func flightKey(_ binding: ObjectBinding, _ core: StoreCore) throws -> FlightKey {
    let key = try binding.key(fromPrimaryKey: key, store: core.name).withUnsafeBytes { ObjectKey($0) }
    return FlightKey(store: core.number, type: binding.table.entry.id, key: key)
  }

  private func notFound(_ message: String, _ binding: ObjectBinding, _ core: StoreCore) throws -> FiefError {
    let key = binding.table.text(ofKey: try flightKey(binding, core).key.bytes)
    return FiefError(.objectNotFound, message, store: core.name, type: binding.table.name, key: key)
  }

  private func cycleError(_ cycle: Flights.Cycle, _ binding: ObjectBinding, _ core: StoreCore) -> FiefError {
    let names = cycle.keys.map { key in
      guard key.store == core.number, let table = core.tables[number: key.type] else {
        return "an object of another store"
      }
      return "\(table.name) \(HiddenValue.text(table.text(ofKey: key.key.bytes)))"
    }
    return FiefError(
      .fetchCycle,
      "A fetch waits for itself because it requests an object from the cache that is being fetched. Fetch that object without the cache.",
      store: core.name,
      type: binding.table.name,
      key: cycle.keys.first.flatMap { binding.table.text(ofKey: $0.key.bytes) },
      details: ["the fetches that wait for each other: " + (names + names.prefix(1)).joined(separator: " → ")]
    )
  }

  // MARK: Fetching

  /// Fetches in the background. No call waits for the result, so a failure is reported as an event.
  private func fetchBehind(_ core: StoreCore, _ isOutdated: () -> Bool) async throws {
    do { try await fetchAndSave(core, isOutdated) } catch {
      if !core.isClosed { core.emit(.failedCaching(store: core.name, type: type.className(), error: error)) }
      throw error
    }
  }

  private func fetchAndSave(_ core: StoreCore, _ isOutdated: () -> Bool) async throws {
    try await StoreSandbox.withCurrent(core.sandboxes) { try await fetchUntilCurrent(core, isOutdated) }
  }

  private func fetchUntilCurrent(_ core: StoreCore, _ isOutdated: () -> Bool) async throws {
    repeat {
      var object = try await fetch(key)
      while isOutdated() { object = try await fetch(key) }
      // If its calls were cancelled, another fetch may already be running.
      try Task.checkCancellation()
      try await save(object, core)
      // An invalidation may have been committed between the check and the save.
    } while isOutdated()
  }

  private func save(_ object: Element, _ core: StoreCore) async throws {
    let binding = try core.binding(of: type)
    let lifetime = try binding.lifetime(of: core, seconds: seconds)
    let wanted = try flightKey(binding, core).key
    let found = ObjectKey(bytes: try binding.key(of: object))
    guard found == wanted else {
      throw FiefError(
        .invalidValue,
        "The fetched object's primary key differs from the requested key.",
        store: core.name,
        type: binding.table.name,
        property: binding.primaryKey.map(\.name).joined(separator: ", "),
        key: binding.table.text(ofKey: wanted.bytes),
        details: ["fetched: \(HiddenValue.text(binding.table.text(ofKey: found.bytes)))"]
      )
    }
    if !lifetime.isDerived, !object.isAssigned(lifetime.property) {
      object.setValue(lifetime.value(of: core.tables.clock()), of: lifetime.property)
    }
    try await Saving.save([object], SaveOptions(.all, seeing: store.visible), in: core)
    try await store.evict(binding.table, lifetime, keeping: found)
  }
}

extension ObjectBinding {
  /// - Throws: ``FiefError`` of code `invalidValue` if the class declares no lifetime or the call's lifetime
  ///   is invalid.
  func lifetime(of store: StoreCore, seconds: TimeInterval? = nil) throws(FiefError) -> DeclaredLifetime {
    if let seconds, !(seconds >= 0) {
      throw FiefError(
        .invalidValue,
        "A lifetime cannot have a negative number of seconds.",
        store: store.name
      )
    }
    if let lifetime = descriptor.lifetime { return lifetime }
    throw FiefError(
      .invalidValue,
      "The class declares no lifetime(), so its objects never expire.",
      store: store.name,
      type: table.name
    )
  }
}

extension DeclaredLifetime {
  /// Converts a date to the type of the property.
  func value(of date: Date) -> Any { property.type.isOptional ? Date?.some(date) as Any : date }
}
