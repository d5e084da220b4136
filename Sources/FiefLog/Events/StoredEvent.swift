public import Fief
public import Foundation

/// An event of an application that a store keeps, as `store.log(event:_:)` makes it.
///
/// A repository whose store keeps events names the class in `objectTypes`.
public final class StoredEvent: Object {
  /// Identifies the event.
  @Persisted(primaryKey: true) public var id: ObjectId
  /// The event's name.
  @Persisted(indexed: true) public var name: String
  /// When it happened, by the clock of the store.
  @Persisted(indexed: true) public var date: Date
  /// The label of `StoreUsage` that it was logged under.
  @Persisted public var label: String?
  /// The parameters.
  @Persisted public var parameters: Map<String, AnyRealmValue>
}

extension Store {
  /// Keeps an event. The write is left to the write queue; a failure of it is the event `failedWrite`.
  ///
  /// ```swift
  /// try store.log(event: "reward_redeemed", ["points_used": 10, "reward_type": "free_coffee"])
  /// ```
  /// - Parameters:
  ///   - name: the event's name: a letter, then letters, digits and `_`, at most 40 characters.
  ///   - parameters: at most 25; their names are as that of the event, their texts have at most 100 characters.
  /// - Throws: `FiefError` of code `invalidValue`, with nothing kept.
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
  ///   - seconds: the age; events of exactly that age stay.
  ///   - limit: the greatest number of events that one call deletes, in one commit.
  /// - Returns: the number of deleted events; less than `limit` when none is left.
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
