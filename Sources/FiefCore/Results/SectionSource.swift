/// The source of the keys of sections.
package enum SectionSource<Key: Persistable & Hashable, Element: Object>: Sendable, Equatable {
  /// A stored property, which is the first property of the results' order.
  case path(QueryPath)
  /// A key that a closure or a computed property provides for each object.
  case computed(SectionMaker<Key, Element>)
}

/// A closure or key path that provides the key of each object's section.
// SAFETY: a key path is immutable. It may contain arguments of subscripts, which this type only compares and
// passes on.
package struct SectionMaker<Key: Persistable & Hashable, Element: Object>: @unchecked Sendable {
  private enum Way {
    case keyPath(KeyPath<Element, Key>)
    case closure(@Sendable (Element) -> Key)
  }

  /// An object whose identity identifies a closure.
  private final class Identity: Sendable {}

  private let way: Way
  private let identity: Identity?

  init(_ keyPath: KeyPath<Element, Key>) {
    way = .keyPath(keyPath)
    identity = nil
  }

  package init(_ closure: @escaping @Sendable (Element) -> Key) {
    way = .closure(closure)
    identity = Identity()
  }

  func key(of object: Element) -> Key {
    switch way {
    case .keyPath(let keyPath): object[keyPath: keyPath]
    case .closure(let closure): closure(object)
    }
  }
}

extension SectionMaker: Equatable {
  package static func == (first: SectionMaker, second: SectionMaker) -> Bool {
    if case .keyPath(let keyPath) = first.way, case .keyPath(let other) = second.way {
      return keyPath == other
    }
    return first.identity != nil && first.identity === second.identity
  }
}

extension SectionedResults {
  /// Returns the sections by computed keys, in the order of their first objects.
  func sections(by maker: SectionMaker<Key, Element>) throws -> [ResultsSection<Key, Element>] {
    var keys: [Key] = []
    var members: [[QueryValue]] = []
    var places: [ExactKey<Key>: Int] = [:]
    let type = results.elementType.className()
    try results.forEachObject { object in
      let key = maker.key(of: object)
      let place = places[ExactKey(key)] ?? keys.count
      if place == keys.count {
        places[ExactKey(key)] = place
        keys.append(key)
        members.append([])
      }
      members[place].append(.object(type: type, key: try results.key(of: object)))
    }
    return zip(keys, members).enumerated().map { index, section in
      ResultsSection(
        index: index,
        key: section.0,
        count: section.1.count,
        objects: results.among(section.1),
        sections: self
      )
    }
  }

  /// Returns the keys of the sections, and the section of each row.
  package func places() throws -> SectionPlaces<Key> {
    var places = SectionPlaces<Key>()
    switch source {
    case .path(let path):
      try forEachRow(by: path) { row, running, _, operand, isFirst in
        if isFirst {
          places.keys.append(try operand.value(of: row, in: running.environment).read(as: Key.self))
        }
        places.sections.append(places.keys.count - 1)
      }
    case .computed(let maker):
      var known: [ExactKey<Key>: Int] = [:]
      try results.forEachObject { object in
        let key = maker.key(of: object)
        let section = known[ExactKey(key)] ?? places.keys.count
        if section == places.keys.count {
          known[ExactKey(key)] = section
          places.keys.append(key)
        }
        places.sections.append(section)
      }
    }
    return places
  }
}

/// The sections to which the rows of results belong.
package struct SectionPlaces<Key: Hashable> {
  package var keys: [Key] = []
  /// The index of the section of each row.
  package var sections: [Int] = []

  package init() {}
}

extension Results {
  /// Returns the results restricted to the given objects, in the same order.
  ///
  /// - Parameter keys: the keys of objects that are among the results.
  package func among(_ keys: [QueryValue]) -> Results {
    var results = describing {
      $0.start = nil
      $0.end = nil
      $0.offset = 0
      $0.limit = nil
      $0.distinct = []
    }
    results.boundTo = nil
    results.mixesCursors = false
    results.section = nil
    return results.filtered(by: .oneOf(.path(.element), keys))
  }
}
