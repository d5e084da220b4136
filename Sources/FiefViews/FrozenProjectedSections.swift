import FiefCore

extension ProjectedSections {
  /// The sections of one state, as ``SectionedResults/freeze()`` has them.
  public func freeze() -> FrozenProjectedSections<Key, Element, Root> {
    FrozenProjectedSections(sections: sections.freeze())
  }

  /// Whether the sections are always the same: false.
  public var isFrozen: Bool { false }
}

extension ProjectedSection {
  /// The section of one state, nil where there is no section with the key any more.
  public func freeze() -> FrozenProjectedSection<Key, Element, Root>? {
    section.freeze().map { FrozenProjectedSection(section: $0) }
  }

  /// Whether there are always the same objects: false.
  public var isFrozen: Bool { false }
}

extension FrozenProjectedResults {
  /// The projections in sections by the keys that a closure computes from them, in the order of the first ones.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key
  ) -> FrozenProjectedSections<Key, Element, Root> {
    FrozenProjectedSections(sections: objects.sectioned(by: { key(Element(projecting: $0)) }))
  }

  /// The projections in sections of one of their properties, those with smaller values first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>
  ) -> FrozenProjectedSections<Key, Element, Root> { sectioned(by: keyPath, ascending: true) }

  /// The projections in sections of one of their properties, in the order of its values; inside of a section they keep their
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: a property of the projection, or a computed one.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool
  ) -> FrozenProjectedSections<Key, Element, Root> {
    let read = ProjectedKey(keyPath: keyPath)
    let sections = objects.sectioned(
      by: SectionMaker { read.key(of: $0) },
      as: thaw().sectioned(by: keyPath, ascending: ascending).sections
    )
    return FrozenProjectedSections(sections: sections.inOrder(ascending: ascending))
  }
}

/// The sections that ``ProjectedSections`` had in one state: a collection as an array is one.
public struct FrozenProjectedSections<Key: Persistable & Hashable, Element: Projection<Root>, Root: Object>:
  RandomAccessCollection
{
  /// The sections of the objects.
  public let sections: FrozenSections<Key, Root>

  /// The keys of the sections.
  public var allKeys: [Key] { sections.allKeys }

  /// The place of the first section.
  public var startIndex: Int { 0 }

  /// The place behind the last section.
  public var endIndex: Int { sections.endIndex }

  /// The section at a place, which has to be one of a section.
  public subscript(index: Int) -> FrozenProjectedSection<Key, Element, Root> {
    FrozenProjectedSection(section: sections[index])
  }

  /// Whether the sections are always the same: true.
  public var isFrozen: Bool { true }

  /// The sections as they are now.
  public func thaw() -> ProjectedSections<Key, Element, Root> { ProjectedSections(sections: sections.thaw()) }
}

/// The projections that a section had in one state: a collection as an array is one.
public struct FrozenProjectedSection<Key: Persistable & Hashable, Element: Projection<Root>, Root: Object>:
  RandomAccessCollection, Identifiable
{
  /// The section of the objects.
  public let section: FrozenSection<Key, Root>

  /// The value that the projections had.
  public var key: Key { section.key }

  /// The value that the projections had.
  public var id: Key { section.key }

  /// The place of the first projection.
  public var startIndex: Int { 0 }

  /// The place behind the last projection.
  public var endIndex: Int { section.endIndex }

  /// The projection at a place, which has to be one of an object.
  public subscript(index: Int) -> Element { Element(projecting: section[index]) }

  /// An iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = section.makeIterator()
    return AnyIterator { rest.next().map { Element(projecting: $0) } }
  }

  /// Whether there are always the same objects: true.
  public var isFrozen: Bool { true }

  /// The section with this key as it is now, nil where there is none.
  public func thaw() -> ProjectedSection<Key, Element, Root>? {
    section.thaw().map(ProjectedSection.init(section:))
  }
}
