import Foundation

extension Results {
  /// The objects in sections of equal values of a property, in the order of these values.
  ///
  /// ```swift
  /// for section in people.sorted(byKeyPath: \.name).sectioned(by: \.city) {
  ///   print(section.key, section.count)
  ///   for person in section { print("  ", person.name) }
  /// }
  /// ```
  /// Inside of a section the objects have the order of the results. Limits and cursors of the results apply to the
  /// order of the sections.
  ///
  /// A computed property is called with each object. The objects are then in the order of the first stored property that
  /// it reads, and the sections in the order in which their first objects come. To find that property it is called once with
  /// an object that has values made up for that: where it does not take every value of its properties, use a closure or
  /// `sortDescriptors`.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value; also through links to one object.
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

  /// The objects in sections of equal values of a property, in an order.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value, or a computed one.
  ///   - sortDescriptors: the order of the objects; sections come in the order of their first objects.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    sortDescriptors: [PropertyOrder]
  ) -> SectionedResults<Key, Element> {
    SectionedResults(
      results: sortDescriptors.isEmpty ? self : sorted(by: sortDescriptors),
      source: .computed(SectionMaker(keyPath))
    )
  }

  /// The objects in sections by the keys that a closure computes from them.
  ///
  /// ```swift
  /// let sections = people.sorted(byKeyPath: \.name).sectioned(by: { String($0.name.prefix(1)) })
  /// ```
  /// Every object is read and the closure called with it. Sections come in the order of their first objects.
  ///
  /// - Parameters:
  ///   - key: makes the key of the section that an object is in; it is called on the threads where the sections are used.
  ///   - sortDescriptors: the order of the objects; without any it is that of the results.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key,
    sortDescriptors: [PropertyOrder] = []
  ) -> SectionedResults<Key, Element> {
    SectionedResults(
      results: sortDescriptors.isEmpty ? self : sorted(by: sortDescriptors),
      source: .computed(SectionMaker(key))
    )
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
    return SectionedResults(results: results, source: .path(path))
  }
}

/// The objects of ``Results`` in sections: as lazy as these.
///
/// Observed sections are reported with the places of their changes:
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

  /// The sections, with their keys and counts. No object is made where the key is a stored property.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [ResultsSection<Key, Element>] {
    switch source {
    case .path(let path): try sections(by: path)
    case .computed(let maker): try sections(by: maker)
    }
  }

  private func sections(by path: QueryPath) throws -> [ResultsSection<Key, Element>] {
    var found: [Found] = []
    let isWhole = hasWholeSections
    try forEachRow(by: path) { row, running, query, operand, isFirst in
      if isFirst {
        let value = try operand.value(of: row, in: running.environment)
        found.append(Found(value: value, first: QueryBound(values: [value], key: nil, isInclusive: true)))
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

  /// Calls `body` with each row, and whether it is the first one of its section.
  func forEachRow(
    by path: QueryPath,
    _ body: (QueryRow, QueryRunning, PreparedQuery, RowOperand, Bool) throws -> Void
  ) throws {
    try results.withQuery { query, running in
      let operand = query.order.parts[0].operand
      guard operand.kind == Key._columnType.kind else {
        throw running.binder.invalid("The property has another type.", property: path.text)
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

  private struct Found {
    let value: QueryValue
    var count = 0
    /// The places of the first and of the last object; of a complete section one place for all of them.
    var first: QueryBound
    var last: QueryBound?
  }

  /// Whether a section has all objects with its value, so that the value is enough to find them.
  private var hasWholeSections: Bool { results.description.isWhole }

  /// The objects of a section by its ends: a NaN equals nothing, and the part of a section within a limit is
  /// known by its ends.
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

  /// Whether there is no section.
  public var isEmpty: Bool { results.isEmpty }

  /// The section at a place, nil beyond the end.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> ResultsSection<Key, Element>? {
    let sections = sections
    return sections.indices.contains(index) ? sections[index] : nil
  }

  /// The object at a place in a section, nil beyond the end of either.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  ///
  /// - Parameter indexPath: the place of the section, and that of the object in it.
  @_disfavoredOverload
  public subscript(indexPath: IndexPath) -> Element? {
    indexPath.count == 2 ? self[indexPath[0]]?[indexPath[1]] : nil
  }

  private var sections: [ResultsSection<Key, Element>] { results.reported([]) { try all() } }
}

extension SectionedResults: Equatable {
  /// Whether both are the same query of a store, in sections by the same property. Those by a closure are equal to
  /// themselves and their copies.
  public static func == (first: SectionedResults, second: SectionedResults) -> Bool {
    first.results.context.store === second.results.context.store
      && first.results.description == second.results.description && first.source == second.source
  }
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
