import FiefCore
import Foundation

extension ProjectedResults {
  /// The projections in sections of equal values of one of their properties, in the order of these values.
  ///
  /// ```swift
  /// for section in store.objects(PersonName.self).sectioned(by: \.street) { print(section.key, section.count) }
  /// ```
  /// - Parameters:
  ///   - keyPath: a property of the projection, or a computed one; the sections of a computed one come in the
  ///     order of their first objects.
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

  /// The projections in sections by the keys that a closure computes from them, in the order of their first objects.
  ///
  /// - Parameters:
  ///   - key: makes the key of the section that a projection is in.
  ///   - sortDescriptors: the order of the objects; without any it is that of the results.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Element) -> Key,
    sortDescriptors: [PropertyOrder] = []
  ) -> ProjectedSections<Key, Element, Root> {
    let sections = objects.sectioned(by: { key(Element(projecting: $0)) }, sortDescriptors: sortDescriptors)
    return ProjectedSections(sections: sections)
  }
}

/// A property of a projection that sections are made by.
// SAFETY: a key path is constant, and what it may hold are arguments of subscripts, which it only compares and passes on.
struct ProjectedKey<View: ProjectionObservable, Key>: @unchecked Sendable {
  let keyPath: KeyPath<View, Key>

  func key(of object: View.Root) -> Key { View(projecting: object)[keyPath: keyPath] }
}

/// The objects of ``ProjectedResults`` in sections: as lazy as these.
public struct ProjectedSections<Key: Persistable & Hashable, Element: Projection<Root>, Root: Object>:
  Sequence, Sendable
{
  /// The sections of the objects.
  public let sections: SectionedResults<Key, Root>

  /// The number of sections.
  public var count: Int { sections.count }

  /// The keys of the sections.
  public var allKeys: [Key] { sections.allKeys }

  /// Whether there is no section.
  public var isEmpty: Bool { sections.isEmpty }

  /// The section at a place, nil beyond the end.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> ProjectedSection<Key, Element, Root>? {
    sections[index].map(ProjectedSection.init(section:))
  }

  /// The projection at a place in a section, nil beyond the end of either.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(indexPath: IndexPath) -> Element? {
    sections[indexPath].map { Element(projecting: $0) }
  }

  /// An iterator over the sections as they are now.
  public func makeIterator() -> IndexingIterator<[ProjectedSection<Key, Element, Root>]> {
    sections.map(ProjectedSection.init(section:)).makeIterator()
  }
}

/// The projections of ``ProjectedSections`` that have the same value.
public struct ProjectedSection<Key: Persistable & Hashable, Element: Projection<Root>, Root: Object>:
  Sequence,
  Identifiable
{
  /// The section of the objects.
  public let section: ResultsSection<Key, Root>

  package init(section: ResultsSection<Key, Root>) { self.section = section }

  /// The place of the section among the others.
  public var index: Int { section.index }

  /// The value that the projections have.
  public var key: Key { section.key }

  /// The value that the projections have.
  public var id: Key { section.key }

  /// The number of objects when the section was read.
  public var count: Int { section.count }

  /// The projections, in the order of the results.
  public var objects: ProjectedResults<Element, Root> { section.objects.as(Element.self) }

  /// The projection at a place in the section, nil beyond the end.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which is not optional.
  @_disfavoredOverload
  public subscript(index: Int) -> Element? { section[index].map { Element(projecting: $0) } }

  /// An iterator that reads the objects in batches.
  public func makeIterator() -> AnyIterator<Element> { objects.makeIterator() }

  /// Zero: the present number may be less than ``count``.
  public var underestimatedCount: Int { 0 }
}

extension ProjectedSection: PlacedSection {}
