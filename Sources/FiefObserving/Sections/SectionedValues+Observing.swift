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
    onEnd: @escaping @Sendable () -> Void,
    _ handler: @escaping @Sendable (Result<[Value], any Error>) -> Void
  ) throws -> NotificationToken {
    let (object, part) = try part()
    guard let collection = part as? any ObservableCollection else {
      throw FiefError(.invalidValue, "The values cannot be observed.", type: "\(Value.self)")
    }
    return withExtendedLifetime(object) { observe(collection, executor, onEnd, handler) }
  }

  private func observe<Observed: ObservableCollection>(
    _ collection: Observed,
    _ executor: ObservationExecutor,
    _ onEnd: @escaping @Sendable () -> Void,
    _ handler: @escaping @Sendable (Result<[Value], any Error>) -> Void
  ) -> NotificationToken {
    let observation = collection._observation(_WatchedPaths(nil), of: Observed.ObservedElement.self)
    return observation.observe(executor, onEnd: onEnd) { handler($0.result.map(values(of:))) }
  }
}

extension SectionedValues: ObservableContents {
  /// Returns the observation of the sections. Values have no properties, so key paths cause an `.error`. So
  /// do frozen sections, and values that are not in a store.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Value.Type
  ) -> _Observation<SectionedResultsChange<SectionedValues>> {
    // SAFETY: nothing changes the sections or their values.
    nonisolated(unsafe) let sections = self
    return _Observation { executor, onEnd, handler in
      do {
        try sections.checkObservable(watched)
        let (source, _) = try sections.observedSource()
        let follower = ValueSectionsFollower(sections)
        return try source.observe(executor, onEnd: onEnd) { values in
          if let change = follower.change(values) { handler(change) }
        }
      } catch {
        return _Observation(failing: error).observe(executor, onEnd: onEnd, handler)
      }
    }
  }

  private func checkObservable(_ watched: _WatchedPaths) throws {
    if let path = try watched.paths.get()?.first {
      throw FiefError(
        .invalidQuery,
        "The values of the sections have no properties to watch: remove the key paths.",
        property: path.text
      )
    }
    if isFrozen {
      throw FiefError(
        .invalidValue,
        "Frozen values cannot be observed because they never change. "
          + "Observe the live values that thaw() returns.",
        type: "\(Value.self)"
      )
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
