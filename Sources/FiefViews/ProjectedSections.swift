import FiefCore
import Foundation

extension ProjectedResults {
  /// Divides the projections into sections of equal values of one of their properties, in the order of the
  /// values.
  ///
  /// ```swift
  /// for section in store.objects(PersonName.self).sectioned(by: \.street) { print(section.key,
  /// section.count) }
  /// ```
  /// - Parameters:
  ///   - keyPath: a stored or computed property of the projection. The sections of a computed property are in
  ///     the order of their first objects.
  ///   - ascending: whether sections with smaller values come first.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool = true
  ) -> ProjectedSections<Key, Element, Root> {
    if let path = try? ProjectionSchema.path(keyPath) {
      let results = objects.describing {
        $0.order.insert(QueryOrder(.path(path), ascending: ascending), at: 0)
      }
      return ProjectedSections(sections: SectionedResults(results: results, source: .path(path)))
    }
    let read = ProjectedKey(keyPath: keyPath)
    let order = ProjectionSchema.firstRead(keyPath).map { QueryOrder(.path($0), ascending: ascending) }
    let results = order.map { order in objects.describing { $0.order.insert(order, at: 0) } } ?? objects
    return ProjectedSections(
      sections: SectionedResults(results: results, source: .computed(SectionMaker { read.key(of: $0) }))
    )
  }

  /// Divides the projections into sections by the keys that a closure computes. The sections are in the order
  /// of their first objects.
  ///
  /// - Parameters:
  ///   - key: returns the key of the section that a projection belongs to.
  ///   - sortDescriptors: the order of the objects. If it is empty, they keep the order of the results.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key,
    sortDescriptors: [PropertyOrder] = []
  ) -> ProjectedSections<Key, Element, Root> {
    let sections = objects.sectioned(by: { key(Element(projecting: $0)) }, sortDescriptors: sortDescriptors)
    return ProjectedSections(sections: sections)
  }
}

/// The property of a projection by which the sections are formed.
// SAFETY: a key path is immutable. It only compares its subscript arguments, if it has any, and passes them
// on.
struct ProjectedKey<View: ProjectionObservable, Key>: @unchecked Sendable {
  let keyPath: KeyPath<View, Key>

  func key(of object: View.Root) -> Key { View(projecting: object)[keyPath: keyPath] }
}

/// The objects of ``ProjectedResults`` in sections. They are as lazy as the results.
public struct ProjectedSections<Key: Persistable & Hashable, Element: ProjectionObservable, Root: Object>:
  Sequence, Sendable
where Element.Root == Root {
  /// The sections of the objects.
  public let sections: SectionedResults<Key, Root>

  /// The number of sections.
  public var count: Int { sections.count }

  /// The keys of the sections.
  public var allKeys: [Key] { sections.allKeys }

  /// A Boolean value that indicates whether there are no sections.
  public var isEmpty: Bool { sections.isEmpty }

  /// Returns the section at an index, or `nil` if the index is out of range.
  ///
  /// In a file that imports `FiefRealm`, that module's subscript is used instead. Its result is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> ProjectedSection<Key, Element, Root>? {
    sections[index].map(ProjectedSection.init(section:))
  }

  /// Returns the projection at an index in a section, or `nil` if either index is out of range.
  ///
  /// In a file that imports `FiefRealm`, that module's subscript is used instead. Its result is not optional.
  @_disfavoredOverload
  public subscript(indexPath: IndexPath) -> Element? {
    sections[indexPath].map { Element(projecting: $0) }
  }

  /// Returns an iterator over the current sections.
  public func makeIterator() -> IndexingIterator<[ProjectedSection<Key, Element, Root>]> {
    sections.map(ProjectedSection.init(section:)).makeIterator()
  }
}

/// The projections of ``ProjectedSections`` that share a value.
public struct ProjectedSection<Key: Persistable & Hashable, Element: ProjectionObservable, Root: Object>:
  Sequence,
  Identifiable
where Element.Root == Root {
  /// The section of the objects.
  public let section: ResultsSection<Key, Root>

  package init(section: ResultsSection<Key, Root>) { self.section = section }

  /// The index of the section.
  public var index: Int { section.index }

  /// The value that the projections of the section share.
  public var key: Key { section.key }

  /// The value that the projections of the section share.
  public var id: Key { section.key }

  /// The number of objects when the section was read.
  public var count: Int { section.count }

  /// The projections, in the order of the results.
  public var objects: ProjectedResults<Element, Root> { section.objects.as(Element.self) }

  /// Returns the projection at an index in the section, or `nil` if the index is out of range.
  ///
  /// In a file that imports `FiefRealm`, that module's subscript is used instead. Its result is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { section[index].map { Element(projecting: $0) } }

  /// Returns an iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> { objects.makeIterator() }
}

extension ProjectedSection: IndexedSection {}
