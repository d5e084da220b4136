public import Fief
public import Foundation

/// An event of the application that is stored in a store, created by `store.log(event:_:)`.
///
/// A repository whose store stores events lists this class in `objectTypes`.
public final class StoredEvent: Object {
  /// The identifier of the event.
  @Persisted(primaryKey: true) public var id: ObjectId
  /// The event's name.
  @Persisted(indexed: true) public var name: String
  /// The time of the event, by the clock of the store.
  @Persisted(indexed: true) public var date: Date
  /// The label of `StoreUsage` in effect when the event was logged.
  @Persisted public var label: String?
  /// The parameters.
  @Persisted public var parameters: Map<String, AnyRealmValue>
}

extension Store {
  /// Stores an event. The event is written asynchronously by the write queue; a failed write is reported as
  /// the event `failedWrite`.
  ///
  /// ```swift
  /// try store.log(event: "reward_redeemed", ["points_used": 10, "reward_type": "free_coffee"])
  /// ```
  /// - Parameters:
  ///   - name: the event's name: a letter, followed by letters, digits and `_`, at most 40 characters.
  ///   - parameters: at most 25 parameters. The rules for the event's name apply to their names; their texts
  ///     have at most 100 characters.
  /// - Throws: `FiefError` of code `invalidValue`, with nothing stored.
  public func log(event name: String, _ parameters: [String: LogValue] = [:]) throws(FiefError) {
    try LogLimits.check(event: name, parameters)
    let date = clock()
    let label = StoreUsage.label
    writeAsync { transaction in
      let event = StoredEvent()
      event.id = ObjectId.generate()
      event.name = name
      event.date = date
      event.label = label
      for (name, value) in parameters { event.parameters[name] = AnyRealmValue(value) }
      try transaction.add(event)
    }
  }

  /// Deletes events that are older than a number of seconds, by the clock of the store.
  ///
  /// - Parameters:
  ///   - seconds: the age. Events of exactly this age are kept.
  ///   - limit: the maximum number of events that one call deletes, in one commit.
  /// - Returns: the number of deleted events, which is less than `limit` if no older events remain.
  nonisolated(nonsending)
    public func sweepEvents(olderThan seconds: Double, limit: Int = 1_000) async throws -> Int
  {
    let bound = clock().addingTimeInterval(-seconds)
    return try await write { transaction in
      let old = try transaction.objects(StoredEvent.self).where { $0.date < bound }.limit(max(0, limit)).all()
      for event in old { try transaction.delete(event) }
      return old.count
    }
  }
}

extension AnyRealmValue {
  fileprivate init(_ value: LogValue) {
    self =
      switch value {
      case .string(let value): .string(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .bool(let value): .bool(value)
      case .date(let value): .date(value)
      }
  }
}
