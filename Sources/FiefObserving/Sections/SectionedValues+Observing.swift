import Dispatch
import FiefCore

/// The conformances that ``ValueSource`` looks up at run time. This reference makes a linker keep their
/// files; see `ConformanceReferences`.
package var searchedCollections: [any ObservableCollection.Type] { [List<Int>.self, Results<Object>.self] }

extension ValueSource {
  /// Calls a handler with the values, and with all values again after each change.
  ///
  /// - Throws: ``FiefError`` if the values cannot be observed.
  func observe(
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (Result<[Value], any Error>) -> Void
  ) throws -> NotificationToken {
    let (object, part) = try part()
    guard let collection = part as? any ObservableCollection else {
      throw FiefError(.invalidValue, "The values cannot be observed.", type: "\(Value.self)")
    }
    return withExtendedLifetime(object) { observe(collection, executor, handler) }
  }

  private func observe<Observed: ObservableCollection>(
    _ collection: Observed,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (Result<[Value], any Error>) -> Void
  ) -> NotificationToken {
    collection._observed(_WatchedPaths(nil)).observe(executor) { change in
      switch change {
      case .initial(let found), .update(let found, _, _, _): handler(.success(values(of: found)))
      case .error(let error): handler(.failure(error))
      }
    }
  }
}

extension SectionedValues {
  /// Calls a handler with the sections and then with their changes, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// let token = person.tags.sectioned(by: { $0.prefix(1) }).observe { change in
  ///   if case .update(let sections, _, let insertions, _, _, _) = change { print(sections.allKeys,
  ///   insertions) }
  /// }
  /// ```
  /// Changes are reported as for the collection. A replaced value is reported as a deletion and an insertion;
  /// there are no modifications.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another. It receives an `.error` if the sections are
  ///     frozen or their values are not in a store.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<SectionedValues>) -> Void
  ) -> NotificationToken {
    observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the sections and then with their changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<SectionedValues>) -> Void
  ) -> NotificationToken {
    observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<SectionedValues>) -> Void
  ) -> NotificationToken {
    do {
      if isFrozen {
        throw FiefError(
          .invalidValue,
          "Frozen values cannot be observed because they never change. "
            + "Observe the live values that thaw() returns.",
          type: "\(Value.self)"
        )
      }
      let (source, _) = try observedSource()
      let follower = ValueSectionsFollower(self)
      return try source.observe(executor) { values in
        if let change = follower.change(values) { handler(change) }
      }
    } catch {
      return executor.enqueueOnce { handler(.error(error)) }
    }
  }

  /// The keys of the sections, the section of each value and the bytes that identify each value.
  fileprivate var places: (SectionPlaces<Key>, [[UInt8]]) {
    var places = SectionPlaces<Key>()
    var values: [[UInt8]] = []
    for (index, section) in enumerated() {
      places.keys.append(section.key)
      for value in section {
        places.sections.append(index)
        values.append(CollectionCoding.bytes(of: value))
      }
    }
    return (places, values)
  }
}

/// Derives the changes of sections from the values.
// SAFETY: the calls of one observation do not overlap.
private final class ValueSectionsFollower<Key: Hashable & SendableMetatype, Value: RealmCollectionValue>:
  @unchecked Sendable
{
  private let origin: SectionedValues<Key, Value>
  private var known: (SectionPlaces<Key>, [[UInt8]])?
  /// Whether an error was reported, which ends the reports.
  private var hasFailed = false

  init(_ origin: SectionedValues<Key, Value>) { self.origin = origin }

  /// - Returns: `nil` if no section has changed.
  func change(
    _ values: Result<[Value], any Error>
  ) -> SectionedResultsChange<SectionedValues<Key, Value>>? {
    if hasFailed { return nil }
    do {
      let sections = origin.of(try values.get())
      let (places, now) = sections.places
      guard let (former, before) = known else {
        known = (places, now)
        return .initial(sections)
      }
      known = (places, now)
      let (deletions, insertions) = Self.changes(from: before, to: now)
      let difference = SectionDifference(former, places, deletions, insertions, [])
      if difference.isEmpty { return nil }
      return .update(
        sections,
        deletions: difference.deletions,
        insertions: difference.insertions,
        modifications: [],
        sectionsToInsert: difference.sectionsToInsert,
        sectionsToDelete: difference.sectionsToDelete
      )
    } catch {
      hasFailed = true
      return .error(error)
    }
  }

  /// Returns the indexes of deleted and of inserted values. Equal values are matched up to the smaller number
  /// of them in both states.
  private static func changes(from before: [[UInt8]], to now: [[UInt8]]) -> ([Int], [Int]) {
    var places: [[UInt8]: [Int]] = [:]
    for index in before.indices.reversed() { places[before[index], default: []].append(index) }
    var insertions: [Int] = []
    for (index, value) in now.enumerated() where places[value]?.popLast() == nil { insertions.append(index) }
    return (places.values.flatMap(\.self).sorted(), insertions)
  }
}
