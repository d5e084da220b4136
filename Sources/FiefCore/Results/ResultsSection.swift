/// The objects of ``SectionedResults`` that have the same key.
public struct ResultsSection<Key: Persistable & Hashable, Element: Object> {
  /// The index of the section.
  public let index: Int
  /// The key that the objects share.
  public let key: Key
  /// The number of objects when the section was read.
  public let count: Int
  /// The objects of the section, in the order of the results.
  ///
  /// If the key is a stored property, you can filter and sort these results like any others. There are two
  /// exceptions: if the sectioned results have a limit, an offset, cursors or `distinct`, or if the key is
  /// NaN, the section is a range of their order. Using another order or another `distinct` is then an error
  /// of code `invalidCursor`. If the key is computed, these are the objects that the section had when it was
  /// read.
  public let objects: Results<Element>
  /// The sections to which this section belongs.
  package let sections: SectionedResults<Key, Element>
  /// Whether the store has no such section. The key of a placeholder is a default value.
  package let isPlaceholder: Bool

  package init(
    index: Int,
    key: Key,
    count: Int,
    objects: Results<Element>,
    sections: SectionedResults<Key, Element>,
    isPlaceholder: Bool = false
  ) {
    self.isPlaceholder = isPlaceholder
    self.index = index
    self.key = key
    self.count = count
    self.objects = objects
    self.sections = sections
  }

  /// Returns a frozen copy of the current section, or `nil` if no section with the key exists any more; see
  /// ``SectionedResults/freeze()``.
  public func freeze() -> FrozenSection<Key, Element>? {
    isPlaceholder ? nil : sections.freeze().first { $0.key.isSame(as: key) }
  }

  /// A Boolean value that indicates whether the objects never change: always `false`.
  public var isFrozen: Bool { false }

  /// Returns the object at an index of the section in the current state of the store, or `nil` if the index
  /// is out of range.
  ///
  /// In a file that imports `FiefRealm`, this module's subscript is used, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { objects[index] }
}

extension ResultsSection: Identifiable {
  /// The key that the objects share.
  public var id: Key { key }
}

extension ResultsSection: Equatable {
  /// Returns a Boolean value that indicates whether both are the section of the same key in equal sections.
  public static func == (first: ResultsSection, second: ResultsSection) -> Bool {
    if first.isPlaceholder || second.isPlaceholder {
      return first.isPlaceholder == second.isPlaceholder && first.index == second.index
        && first.sections == second.sections
    }
    return first.key.isSame(as: second.key) && first.sections == second.sections
  }
}

extension ResultsSection: Sequence {
  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> ResultsIterator<Element> { objects.makeIterator() }
}

extension ResultsSection: IndexedSection {}
