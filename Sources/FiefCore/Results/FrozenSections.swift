import Foundation

extension SectionedResults {
  /// The sections of one state: later writes change neither them nor their objects.
  ///
  /// ```swift
  /// let sections = people.sectioned(by: \.city).freeze()
  /// for index in sections.indices { show(sections[index].key, sections[index].count) }
  /// ```
  /// Only keys are kept. Keys that cannot be read leave no sections, and the event handler of the store gets
  /// the error; ``fetchFrozen()`` throws instead.
  public func freeze() -> FrozenSections<Key, Element> {
    results.reported(FrozenSections(sectioned: self)) { try fetchFrozen() }
  }

  /// The sections of one state, as ``freeze()`` has them.
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

  /// Whether the sections are always the same: false, since they see the newest state.
  public var isFrozen: Bool { false }
}

extension FrozenResults {
  /// The objects in sections by the keys that a closure computes from them, in the order of the first objects.
  ///
  /// Every object is read; one that was deleted meanwhile is reported, as elsewhere, and in the section of its class's defaults.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key
  ) -> FrozenSections<Key, Element> {
    let maker = SectionMaker(key)
    return sectioned(by: maker, as: SectionedResults(results: thaw(), source: .computed(maker)))
  }

  /// The objects in sections of a property, in the order of its values; inside of a section they keep their order.
  ///
  /// Every object is read; one that was deleted meanwhile is reported, as elsewhere, and in the section of its class's defaults.
  ///
  /// - Parameters:
  ///   - keyPath: a property with a single value, or a computed one.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool
  ) -> FrozenSections<Key, Element> {
    sectioned(by: SectionMaker(keyPath), as: thaw().sectioned(by: keyPath, ascending: ascending))
      .inOrder(ascending: ascending)
  }

  /// The objects in sections of a property, those with smaller values first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>
  ) -> FrozenSections<Key, Element> { sectioned(by: keyPath, ascending: true) }

  /// - Parameter origin: the sections of the results that these objects were.
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

/// The sections that ``SectionedResults`` had in one state: a collection as an array is one.
///
/// It holds the keys of the sections and of the objects, and nothing else of the store. An object is read when it is asked
/// for, as ``FrozenResults`` reads it. An index out of range ends the process, as an array's does.
public struct FrozenSections<Key: Persistable & Hashable, Element: Object>: RandomAccessCollection {
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

  /// The same sections in the order of their keys.
  package func inOrder(ascending: Bool) -> FrozenSections {
    let elements = keys.map { ValueOrder.element(of: $0, ascending: ascending) }
    let order = keys.indices.sorted { elements[$0].lexicographicallyPrecedes(elements[$1]) }
    var sections = FrozenSections(sectioned: origin)
    sections.keys = order.map { keys[$0] }
    sections.members = order.map { members[$0] }
    return sections
  }

  /// The place of the first section.
  public var startIndex: Int { 0 }

  /// The place behind the last section.
  public var endIndex: Int { keys.count }

  /// The section at a place, which has to be one of a section.
  public subscript(index: Int) -> FrozenSection<Key, Element> {
    FrozenSection(
      origin: origin,
      index: index,
      key: keys[index],
      objects: FrozenResults(results: origin.results, keys: members[index])
    )
  }

  /// The object at a place in a section, nil beyond the end of either.
  public subscript(indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2, indices.contains(indexPath[0]) else { return nil }
    let section = self[indexPath[0]]
    return section.indices.contains(indexPath[1]) ? section[indexPath[1]] : nil
  }

  /// The keys of the sections.
  public var allKeys: [Key] { keys }

  /// Whether the sections are always the same: true.
  public var isFrozen: Bool { true }

  /// The same.
  public func freeze() -> FrozenSections { self }

  /// The sections as they are now.
  public func thaw() -> SectionedResults<Key, Element> { origin }
}

extension FrozenSections: Sendable where Key: Sendable {}

extension FrozenSections: Equatable {
  /// Whether both have equal sections in the same order, with the same objects by their keys.
  public static func == (first: FrozenSections, second: FrozenSections) -> Bool {
    first.keys.hasSameElements(as: second.keys) && first.members == second.members
      && first.origin.results.context.store === second.origin.results.context.store
  }
}

/// The objects that a section had in one state: a collection as an array is one.
public struct FrozenSection<Key: Persistable & Hashable, Element: Object>: RandomAccessCollection,
  Identifiable
{
  fileprivate let origin: SectionedResults<Key, Element>
  /// The place of the section among the others.
  public let index: Int
  /// The value that the objects had.
  public let key: Key
  fileprivate let objects: FrozenResults<Element>

  /// The value that the objects had.
  public var id: Key { key }

  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The place behind the last object.
  public var endIndex: Int { objects.endIndex }

  /// The object at a place, which has to be one of an object.
  public subscript(index: Int) -> Element { objects[index] }

  /// An iterator that reads the objects in batches.
  public func makeIterator() -> FrozenResultsIterator<Element> { objects.makeIterator() }

  /// Whether there are always the same objects: true.
  public var isFrozen: Bool { true }

  /// The same.
  public func freeze() -> FrozenSection { self }

  /// The section with this key as it is now, nil where there is none.
  public func thaw() -> ResultsSection<Key, Element>? { origin.first { $0.key.isSame(as: key) } }
}

extension FrozenSection: Sendable where Key: Sendable {}

extension FrozenSection: Equatable {
  /// Whether both have equal keys and the same objects in the same order, by their keys.
  public static func == (first: FrozenSection, second: FrozenSection) -> Bool {
    first.key.isSame(as: second.key) && first.objects == second.objects
  }
}
