import FiefCore

extension ProjectedSections {
  /// Returns a frozen copy of the sections, like ``SectionedResults/freeze()``.
  public func freeze() -> FrozenProjectedSections<Key, Element, Root> {
    FrozenProjectedSections(sections: sections.freeze())
  }

  /// A Boolean value that indicates whether the sections never change: `false`.
  public var isFrozen: Bool { false }
}

extension ProjectedSection {
  /// Returns a frozen copy of the section, or `nil` if no section has the key any more.
  public func freeze() -> FrozenProjectedSection<Key, Element, Root>? {
    section.freeze().map { FrozenProjectedSection(section: $0) }
  }

  /// A Boolean value that indicates whether the objects never change: `false`.
  public var isFrozen: Bool { false }
}

extension FrozenProjectedResults {
  /// Divides the projections into sections by the keys that a closure computes. The sections are in the order
  /// of their first projections.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key
  ) -> FrozenProjectedSections<Key, Element, Root> {
    FrozenProjectedSections(sections: objects.sectioned(by: { key(Element(projecting: $0)) }))
  }

  /// Divides the projections into sections by one of their properties, with smaller values first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>
  ) -> FrozenProjectedSections<Key, Element, Root> { sectioned(by: keyPath, ascending: true) }

  /// Divides the projections into sections by one of their properties, in the order of its values. In a
  /// section the projections keep their order.
  ///
  /// - Parameters:
  ///   - keyPath: a stored or computed property of the projection.
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

/// The frozen sections of ``ProjectedSections``, as a random-access collection.
public struct FrozenProjectedSections<
  Key: Persistable & Hashable,
  Element: ProjectionObservable,
  Root: Object
>:
  FrozenCollection
where Element.Root == Root {
  /// The sections of the objects.
  public let sections: FrozenSections<Key, Root>

  /// The keys of the sections.
  public var allKeys: [Key] { sections.allKeys }

  /// The index after the last section.
  public var endIndex: Int { sections.endIndex }

  /// Returns the section at an index, which must be valid.
  public subscript(index: Int) -> FrozenProjectedSection<Key, Element, Root> {
    FrozenProjectedSection(section: sections[index])
  }

  /// Returns the current sections.
  public func thaw() -> ProjectedSections<Key, Element, Root> { ProjectedSections(sections: sections.thaw()) }
}

/// The frozen projections of a section, as a random-access collection.
public struct FrozenProjectedSection<
  Key: Persistable & Hashable,
  Element: ProjectionObservable,
  Root: Object
>:
  FrozenCollection, Identifiable
where Element.Root == Root {
  /// The section of the objects.
  public let section: FrozenSection<Key, Root>

  /// The value that the projections of the section shared.
  public var key: Key { section.key }

  /// The value that the projections of the section shared.
  public var id: Key { section.key }

  /// The index after the last projection.
  public var endIndex: Int { section.endIndex }

  /// Returns the projection at an index, which must be valid.
  public subscript(index: Int) -> Element { Element(projecting: section[index]) }

  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> {
    var rest = section.makeIterator()
    return AnyIterator { rest.next().map { Element(projecting: $0) } }
  }

  /// Returns the current section with this key, or `nil` if it does not exist.
  public func thaw() -> ProjectedSection<Key, Element, Root>? {
    section.thaw().map(ProjectedSection.init(section:))
  }
}
