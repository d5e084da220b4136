import Foundation

extension Results {
  /// Returns the objects in sections by the values of a property, in the order of these values.
  ///
  /// ```swift
  /// for section in people.sorted(byKeyPath: \.name).sectioned(by: \.city) {
  ///   print(section.key, section.count)
  ///   for person in section { print("  ", person.name) }
  /// }
  /// ```
  /// Within a section the objects keep the order of the results. Limits and cursors of the results apply to
  /// the order of the sections.
  ///
  /// A computed property is evaluated for each object. The objects are then sorted by the first stored
  /// property that it reads, and sections are in the order of their first objects. To find this stored
  /// property, Fief evaluates the computed property once for an object with artificial values. If the
  /// computed property cannot handle every value, use a closure or `sortDescriptors` instead.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value, also through links to one object.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    guard let path = try? QueryPath.of(keyPath) else {
      let order = PropertyTracer.firstRead(keyPath).map { QueryOrder(.path($0), ascending: ascending) }
      let results = order.map { order in describing { $0.order.insert(order, at: 0) } } ?? self
      return SectionedResults(results: results, source: .computed(SectionMaker(keyPath)))
    }
    let results = describing { $0.order.insert(QueryOrder(.path(path), ascending: ascending), at: 0) }
    return SectionedResults(results: results, source: .path(path))
  }

  /// Returns the objects in sections by the values of a property, in a given order.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value, or a computed property.
  ///   - sortDescriptors: the order of the objects. Sections come in the order of their first objects.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    sortDescriptors: [PropertyOrder]
  ) -> SectionedResults<Key, Element> {
    SectionedResults(
      results: sortDescriptors.isEmpty ? self : sorted(by: sortDescriptors),
      source: .computed(SectionMaker(keyPath))
    )
  }

  /// Returns the objects in sections by keys that a closure computes.
  ///
  /// ```swift
  /// let sections = people.sorted(byKeyPath: \.name).sectioned(by: { String($0.name.prefix(1)) })
  /// ```
  /// Every object is read and passed to the closure. Sections come in the order of their first objects.
  ///
  /// - Parameters:
  ///   - key: returns the key of the section of an object. It is called on the threads that use the sections.
  ///   - sortDescriptors: the order of the objects; if it is empty, the objects keep the order of the
  ///     results.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key,
    sortDescriptors: [PropertyOrder] = []
  ) -> SectionedResults<Key, Element> {
    SectionedResults(
      results: sortDescriptors.isEmpty ? self : sorted(by: sortDescriptors),
      source: .computed(SectionMaker(key))
    )
  }

  /// Returns the objects in sections by the values of the named property, in the order of these values.
  ///
  /// - Parameters:
  ///   - keyPath: the name of a property. Names separated by dots lead through links to one object.
  ///   - type: the property's type.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    byKeyPath keyPath: String,
    as type: Key.Type,
    ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let path = QueryPath(keyPath: keyPath)
    let results = describing { $0.order.insert(QueryOrder(.path(path), ascending: ascending), at: 0) }
    return SectionedResults(results: results, source: .path(path))
  }
}

/// The objects of ``Results`` in sections. Like results, sections are read each time you use them.
///
/// An observation of the sections reports the positions of changes:
/// ```swift
/// let token = people.sectioned(by: \.city).observe { change in
///   if case .update(let sections, let deletions, let insertions, _, _, _) = change { ... }
/// }
/// ```
public struct SectionedResults<Key: Persistable & Hashable, Element: Object>: Sendable {
  package let results: Results<Element>
  package let source: SectionSource<Key, Element>

  package init(results: Results<Element>, source: SectionSource<Key, Element>) {
    self.results = results
    self.source = source
  }

  /// Returns the sections, with their keys and counts. If the key is a stored property, no object is created.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [ResultsSection<Key, Element>] {
    switch source {
    case .path(let path): try sections(by: path)
    case .computed(let maker): try sections(by: maker)
    }
  }

  private func sections(by path: QueryPath) throws -> [ResultsSection<Key, Element>] {
    var found: [SectionValue] = []
    let isWhole = hasWholeSections
    try forEachRow(by: path) { row, running, query, operand, isFirst in
      if isFirst {
        let value = try operand.value(of: row, in: running.environment)
        found.append(
          SectionValue(value: value, first: QueryBound(values: [value], key: nil, isInclusive: true))
        )
      }
      let last = found.count - 1
      found[last].count += 1
      if isWhole { return }
      let values = try query.order.values(of: row, in: running.environment)
      let place = QueryBound(
        values: values,
        key: query.identity(of: row, in: running.environment),
        isInclusive: true
      )
      if isFirst { found[last].first = place }
      found[last].last = place
    }
    return try found.enumerated().map { index, section in
      ResultsSection(
        index: index,
        key: try section.value.read(as: Key.self),
        count: section.count,
        objects: isWhole && !section.value.isNotANumber
          ? results.filtered(by: .comparison(.path(path), .equal, .value(section.value)))
          : objects(of: section),
        sections: self
      )
    }
  }

  /// Calls `body` with each row, and with whether it is the first row of its section.
  func forEachRow(
    by path: QueryPath,
    _ body: (QueryRow, QueryRunning, PreparedQuery, RowOperand, Bool) throws -> Void
  ) throws {
    try results.withQuery { query, running in
      let operand = query.order.parts[0].operand
      guard operand.kind == Key._columnType.kind else {
        throw running.binder.invalid("The property has a different type.", property: path.text)
      }
      let section = RowOrder([query.order.parts[0]])
      let stream = RowStream(query)
      defer { running.note(stream) }
      var current = ValueWriter()
      var element = ValueWriter()
      var isFirst = true
      try stream.read(in: running.environment) { row in
        element.removeAll()
        try section.append(row, in: running.environment, to: &element)
        let isSame =
          !isFirst && element.withBytes { first in current.withBytes { first.hasSameBytes(as: $0) } }
        isFirst = false
        if !isSame { swap(&current, &element) }
        try body(row, running, query, operand, !isSame)
        return true
      }
    }
  }

  private struct SectionValue {
    let value: QueryValue
    var count = 0
    /// The positions of the first and the last object. For a complete section, this is only the value, as one
    /// bound.
    var first: QueryBound
    var last: QueryBound?
  }

  /// Whether a section contains all objects with its value, so that a condition on the value finds them.
  private var hasWholeSections: Bool { results.description.isWhole }

  /// Returns the objects between the first and the last object of a section. This is needed for NaN, which
  /// equals nothing, and for a section that a limit truncates.
  private func objects(of section: SectionValue) -> Results<Element> {
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

  /// A Boolean value that indicates whether there are no sections.
  public var isEmpty: Bool { results.isEmpty }

  /// Returns the section at an index, or `nil` if the index is out of range.
  ///
  /// In a file that imports `FiefRealm`, this module's subscript is used, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> ResultsSection<Key, Element>? {
    let sections = sections
    return sections.indices.contains(index) ? sections[index] : nil
  }

  /// Returns the object at an index path, or `nil` if the section or the object does not exist.
  ///
  /// In a file that imports `FiefRealm`, this module's subscript is used, which is not optional.
  ///
  /// - Parameter indexPath: the index of the section, and the index of the object in it.
  @_disfavoredOverload
  public subscript(indexPath: IndexPath) -> Element? {
    indexPath.count == 2 ? self[indexPath[0]]?[indexPath[1]] : nil
  }

  private var sections: [ResultsSection<Key, Element>] { results.reported([]) { try all() } }
}

extension SectionedResults: Equatable {
  /// Returns a Boolean value that indicates whether both are the same query of the same store, in sections by
  /// the same property. Sections by a closure are equal only to copies of themselves.
  public static func == (first: SectionedResults, second: SectionedResults) -> Bool {
    first.results.context.store === second.results.context.store
      && first.results.description == second.results.description && first.source == second.source
  }
}

extension SectionedResults: Sequence {
  /// Returns an iterator over the current sections.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, Element>]> { sections.makeIterator() }
}

/// The order to which the bounds of a section belong.
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
