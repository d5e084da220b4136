extension Results {
  /// The objects in sections of equal values of a property, in the order of these values.
  ///
  /// ```swift
  /// for section in people.sorted(byKeyPath: \.name).sectioned(by: \.city) {
  ///   print(section.key, section.count)
  ///   for person in section.objects { print("  ", person.name) }
  /// }
  /// ```
  /// Inside of a section the objects have the order of the results. Limits and cursors of the results apply to the
  /// order of the sections.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value; also through links to one object.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    var path = QueryPath.element
    let results = describing { description in
      path = try QueryPath.of(keyPath)
      description.order.insert(QueryOrder(.path(path), ascending: ascending), at: 0)
    }
    return SectionedResults(results: results, path: path)
  }

  /// The objects in sections of equal values of the property with a name, in the order of these values.
  ///
  /// - Parameters:
  ///   - keyPath: the name of a property; names with dots between them lead through links to one object.
  ///   - type: the property's type.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    byKeyPath keyPath: String,
    as type: Key.Type,
    ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let path = QueryPath(keyPath: keyPath)
    let results = describing { $0.order.insert(QueryOrder(.path(path), ascending: ascending), at: 0) }
    return SectionedResults(results: results, path: path)
  }
}

/// The objects of ``Results`` in sections: as lazy as these.
public struct SectionedResults<Key: Persistable & Hashable, Element: Object>: Sendable {
  let results: Results<Element>
  let path: QueryPath

  /// The sections, with their keys and counts; no object is made.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [ResultsSection<Key, Element>] {
    var found: [Found] = []
    let isWhole = hasWholeSections
    try results.withQuery { query, running in
      let operand = query.order.parts[0].operand
      guard operand.kind == Key._columnType.kind else {
        throw running.binder.invalid("The property has another type.", property: path.text)
      }
      let section = RowOrder([query.order.parts[0]])
      let stream = RowStream(query)
      defer { running.note(visited: stream.visited) }
      var current = ValueWriter()
      var element = ValueWriter()
      try stream.read(in: running.environment) { row in
        element.removeAll()
        try section.append(row, in: running.environment, to: &element)
        let isSame =
          !found.isEmpty && element.withBytes { first in current.withBytes { first.hasSameBytes(as: $0) } }
        if !isSame {
          let value = try operand.value(of: row, in: running.environment)
          found.append(Found(value: value, first: QueryBound(values: [value], key: nil, isInclusive: true)))
          swap(&current, &element)
        }
        let last = found.count - 1
        found[last].count += 1
        if isWhole { return true }
        let values = try query.order.values(of: row, in: running.environment)
        let place = QueryBound(
          values: values,
          key: query.identity(of: row, in: running.environment),
          isInclusive: true
        )
        if !isSame { found[last].first = place }
        found[last].last = place
        return true
      }
    }
    return try found.enumerated().map { index, section in
      ResultsSection(
        index: index,
        key: try section.value.read(as: Key.self),
        count: section.count,
        objects: isWhole && !section.value.isNotANumber
          ? results.filtered(by: .comparison(.path(path), .equal, .value(section.value)))
          : objects(of: section)
      )
    }
  }

  private struct Found {
    let value: QueryValue
    var count = 0
    /// The places of the first and of the last object; of a whole section that of all of them.
    var first: QueryBound
    var last: QueryBound?
  }

  /// Whether a section has all objects with its value, so that the value is enough to find them.
  private var hasWholeSections: Bool { results.description.isWhole }

  /// The objects of a section by its ends: what is not a number equals nothing, and what a limit leaves of a section
  /// is known by them.
  private func objects(of section: Found) -> Results<Element> {
    var objects = results.describing {
      $0.start = section.first
      $0.end = section.last ?? section.first
      $0.limit = nil
      $0.offset = 0
    }
    objects.section = SectionOrder(results.description)
    return objects
  }

  /// The number of sections.
  public var count: Int { sections.count }

  /// The keys of the sections.
  public var allKeys: [Key] { sections.map(\.key) }

  /// The section at a place, nil beyond the end.
  public subscript(index: Int) -> ResultsSection<Key, Element>? {
    let sections = sections
    return sections.indices.contains(index) ? sections[index] : nil
  }

  private var sections: [ResultsSection<Key, Element>] { results.reported([]) { try all() } }
}

extension SectionedResults: Sequence {
  /// An iterator over the sections as they are now.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, Element>]> { sections.makeIterator() }
}

/// The order that the ends of a section are places in.
struct SectionOrder: Hashable, Sendable {
  private let order: [QueryOrder]
  private let distinct: [QueryPath]

  init(_ description: QueryDescription) {
    order = description.order
    distinct = description.distinct
  }
}

extension QueryValue {
  fileprivate var isNotANumber: Bool {
    switch self {
    case .double(let value), .date(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }
}

/// The objects of ``SectionedResults`` that have the same value.
public struct ResultsSection<Key: Persistable & Hashable, Element: Object> {
  /// The place of the section among the others.
  public let index: Int
  /// The value that the objects have.
  public let key: Key
  /// How many objects there were when the section was read.
  public let count: Int
  /// The objects, in the order of the results.
  ///
  /// They are results as any others. Only where those that were put into sections have a limit, an offset, cursors or
  /// `distinct`, or where the key is not a number, a section is a piece of their order, so that another order and
  /// another `distinct` of it are refused as `invalidCursor`.
  public let objects: Results<Element>
}
