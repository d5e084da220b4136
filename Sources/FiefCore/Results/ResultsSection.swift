/// The objects of ``SectionedResults`` that have the same value.
public struct ResultsSection<Key: Persistable & Hashable, Element: Object> {
  /// The place of the section among the others.
  public let index: Int
  /// The value that the objects have.
  public let key: Key
  /// The number of objects when the section was read.
  public let count: Int
  /// The objects, in the order of the results.
  ///
  /// They are results as any others. Only where those that were put into sections have a limit, an offset, cursors or
  /// `distinct`, or where the key is not a number, a section is a piece of their order, so that another order and
  /// another `distinct` of it are refused as `invalidCursor`. Where the key is computed they are the objects that were in
  /// the section when it was read.
  public let objects: Results<Element>
  /// The sections that it is one of.
  package let sections: SectionedResults<Key, Element>

  package init(
    index: Int,
    key: Key,
    count: Int,
    objects: Results<Element>,
    sections: SectionedResults<Key, Element>
  ) {
    self.index = index
    self.key = key
    self.count = count
    self.objects = objects
    self.sections = sections
  }

  /// The section of one state, nil where there is no section with the key any more; see ``SectionedResults/freeze()``.
  public func freeze() -> FrozenSection<Key, Element>? {
    sections.freeze().first { $0.key.isSame(as: key) }
  }

  /// Whether there are always the same objects: false.
  public var isFrozen: Bool { false }

  /// The object at a place in the section as the store has it now, nil beyond the end.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { objects[index] }
}

extension ResultsSection: Identifiable {
  /// The value that the objects have.
  public var id: Key { key }
}

extension ResultsSection: Equatable {
  /// Whether both are the section of one key in equal sections.
  public static func == (first: ResultsSection, second: ResultsSection) -> Bool {
    first.key.isSame(as: second.key) && first.sections == second.sections
  }
}

extension ResultsSection: Sequence {
  /// An iterator that reads the objects in batches.
  public func makeIterator() -> ResultsIterator<Element> { objects.makeIterator() }

  /// Zero: the present number may be less than ``count``.
  public var underestimatedCount: Int { 0 }
}

extension ResultsSection: PlacedSection {}
