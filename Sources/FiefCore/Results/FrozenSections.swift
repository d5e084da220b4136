import Foundation

extension SectionedResults {
  /// Returns a frozen list of the current sections. Later writes change neither the sections nor the objects
  /// that belong to them.
  ///
  /// ```swift
  /// let sections = people.sectioned(by: \.city).freeze()
  /// for index in sections.indices { show(sections[index].key, sections[index].count) }
  /// ```
  /// Only the keys of the objects are kept. If the keys cannot be read, there are no sections and the store's
  /// event handler receives the error; ``fetchFrozen()`` throws instead.
  public func freeze() -> FrozenSections<Key, Element> {
    results.reported(FrozenSections(sectioned: self)) { try fetchFrozen() }
  }

  /// Returns a frozen list of the current sections. Throws errors, unlike ``freeze()``.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchFrozen() throws -> FrozenSections<Key, Element> {
    var frozen = FrozenSections(sectioned: self)
    switch source {
    case .path(let path):
      try forEachRow(by: path) { row, running, _, operand, isFirst in
        if isFirst { frozen.begin(try operand.value(of: row, in: running.environment).read(as: Key.self)) }
        frozen.append(row.key, at: frozen.count - 1)
      }
    case .computed(let maker):
      try results.forEachObject { object in
        guard let key = try results.key(of: object) else { return }
        key.bytes.withUnsafeBytes { frozen.append($0, of: maker.key(of: object)) }
      }
    }
    return frozen
  }

  /// A Boolean value that indicates whether the sections never change: always `false`, because they reflect
  /// the newest state.
  public var isFrozen: Bool { false }
}

extension FrozenResults {
  /// Returns the objects in sections by keys that a closure computes. Sections come in the order of their
  /// first objects.
  ///
  /// Every object is read. An object that was deleted in the meantime is reported, and belongs to the section
  /// for the defaults of its class.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key
  ) -> FrozenSections<Key, Element> {
    let maker = SectionMaker(key)
    return sectioned(by: maker, as: SectionedResults(results: thaw(), source: .computed(maker)))
  }

  /// Returns the objects in sections by a property, in the order of its values. Within a section the objects
  /// keep their order.
  ///
  /// Every object is read. An object that was deleted in the meantime is reported, and belongs to the section
  /// for the defaults of its class.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value, or a computed property.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool
  ) -> FrozenSections<Key, Element> {
    sectioned(by: SectionMaker(keyPath), as: thaw().sectioned(by: keyPath, ascending: ascending))
      .inOrder(ascending: ascending)
  }

  /// Returns the objects in sections by a property. Sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>
  ) -> FrozenSections<Key, Element> { sectioned(by: keyPath, ascending: true) }

  /// - Parameter origin: the live sections, which `thaw()` returns.
  package func sectioned<Key>(
    by maker: SectionMaker<Key, Element>,
    as origin: SectionedResults<Key, Element>
  ) -> FrozenSections<Key, Element> {
    var sections = FrozenSections(sectioned: origin)
    for (index, object) in enumerated() {
      withKey(at: index) { sections.append($0, of: maker.key(of: object)) }
    }
    return sections
  }
}

/// The sections that ``SectionedResults`` had at one commit, as a random-access collection.
///
/// It contains only the keys of the sections and of the objects. Accessing an object reads it, as with
/// ``FrozenResults``. An index out of range terminates the process, as in an array.
public struct FrozenSections<Key: Persistable & Hashable, Element: Object>: FrozenCollection {
  private let origin: SectionedResults<Key, Element>
  private var keys: [Key] = []
  private var members: [KeyArray] = []
  private var places: [ExactKey<Key>: Int] = [:]

  init(sectioned origin: SectionedResults<Key, Element>) { self.origin = origin }

  fileprivate mutating func begin(_ key: Key) {
    places[ExactKey(key)] = keys.count
    keys.append(key)
    members.append(KeyArray())
  }

  fileprivate mutating func append(_ object: UnsafeRawBufferPointer, at section: Int) {
    members[section].append(object)
  }

  fileprivate mutating func append(_ object: UnsafeRawBufferPointer, of key: Key) {
    if let place = places[ExactKey(key)] { return append(object, at: place) }
    begin(key)
    append(object, at: keys.count - 1)
  }

  /// Returns the sections in the order of their keys.
  package func inOrder(ascending: Bool) -> FrozenSections {
    let elements = keys.map { ValueOrder.element(of: $0, ascending: ascending) }
    let order = keys.indices.sorted { elements[$0].lexicographicallyPrecedes(elements[$1]) }
    var sections = FrozenSections(sectioned: origin)
    sections.keys = order.map { keys[$0] }
    sections.members = order.map { members[$0] }
    return sections
  }

  /// The index of a section.
  public typealias Index = Int

  /// The index after the last section.
  public var endIndex: Int { keys.count }

  /// Accesses the section at a valid index.
  public subscript(index: Int) -> FrozenSection<Key, Element> {
    FrozenSection(
      origin: origin,
      index: index,
      key: keys[index],
      objects: FrozenResults(results: origin.results, keys: members[index])
    )
  }

  /// Returns the object at an index path, which consists of the index of a section and of an object in it.
  /// Returns `nil` if either index is out of range.
  public subscript(indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2, indices.contains(indexPath[0]) else { return nil }
    let section = self[indexPath[0]]
    return section.indices.contains(indexPath[1]) ? section[indexPath[1]] : nil
  }

  /// The keys of the sections.
  public var allKeys: [Key] { keys }

  /// Returns the sections that were frozen, which reflect the newest state.
  public func thaw() -> SectionedResults<Key, Element> { origin }
}

extension FrozenSections: Sendable where Key: Sendable {}

extension FrozenSections: Equatable {
  /// Returns a Boolean value that indicates whether both have equal sections in the same order, with the same
  /// objects compared by key.
  public static func == (first: FrozenSections, second: FrozenSections) -> Bool {
    first.keys.hasSameElements(as: second.keys) && first.members == second.members
      && first.origin.results.context.store === second.origin.results.context.store
  }
}

/// The objects that a section had at one commit, as a random-access collection.
public struct FrozenSection<Key: Persistable & Hashable, Element: Object>: FrozenCollection, Identifiable {
  fileprivate let origin: SectionedResults<Key, Element>
  /// The index of the section.
  public let index: Int
  /// The value that the objects of the section had.
  public let key: Key
  fileprivate let objects: FrozenResults<Element>

  /// The value that the objects of the section had.
  public var id: Key { key }

  /// The index after the last object.
  public var endIndex: Int { objects.endIndex }

  /// Accesses the object at a valid index.
  public subscript(index: Int) -> Element { objects[index] }

  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> FrozenResultsIterator<Element> { objects.makeIterator() }

  /// Returns the current section with this key, or `nil` if it does not exist.
  public func thaw() -> ResultsSection<Key, Element>? { origin.first { $0.key.isSame(as: key) } }
}

extension FrozenSection: Sendable where Key: Sendable {}

extension FrozenSection: Equatable {
  /// Returns a Boolean value that indicates whether both sections have equal keys and the same objects,
  /// compared by key, in the same order.
  public static func == (first: FrozenSection, second: FrozenSection) -> Bool {
    first.key.isSame(as: second.key) && first.objects == second.objects
  }
}
