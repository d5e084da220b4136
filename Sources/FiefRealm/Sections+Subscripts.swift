import Fief
public import Foundation

// Sections, projections and inverses have subscripts that are not optional, as in Realm. Other threads and
// processes may change the store between two uses. If an index is out of range, a section is an empty
// placeholder, an object is a placeholder that cannot be saved, and the event handler receives
// `StoreEvent.indexOutOfBounds`. In a write, the write fails.

extension SectionedResults {
  /// The section at an index. If the index is out of range, returns an empty section that cannot be observed,
  /// and reports the reason to the event handler.
  public subscript(index: Int) -> ResultsSection<Key, Element> { sectionOrPlaceholder(at: index) }

  /// The object at an index in a section. If an index is out of range, returns a placeholder that cannot be
  /// saved, and reports the reason to the event handler.
  ///
  /// - Parameter indexPath: the index of the section, and the index of the object in the section.
  public subscript(indexPath: IndexPath) -> Element { objectOrPlaceholder(at: indexPath) }
}

extension ResultsSection {
  /// The object at an index. If the index is out of range, returns a placeholder that cannot be saved, and
  /// reports the reason to the event handler.
  public subscript(index: Int) -> Element { objects.objectOrPlaceholder(at: index) }
}

extension ProjectedSections {
  /// The section at an index. If the index is out of range, returns an empty section that cannot be observed,
  /// and reports the reason to the event handler.
  public subscript(index: Int) -> ProjectedSection<Key, Element, Root> {
    ProjectedSection(section: sections.sectionOrPlaceholder(at: index))
  }

  /// The projection at an index in a section. If an index is out of range, returns a projection of a
  /// placeholder, and reports the reason to the event handler.
  ///
  /// - Parameter indexPath: the index of the section, and the index of the projection in the section.
  public subscript(indexPath: IndexPath) -> Element {
    Element(projecting: sections.objectOrPlaceholder(at: indexPath))
  }
}

extension ProjectedSection {
  /// The projection at an index. If the index is out of range, returns a projection of a placeholder, and
  /// reports the reason to the event handler.
  public subscript(index: Int) -> Element {
    Element(projecting: section.objects.objectOrPlaceholder(at: index))
  }
}

extension ProjectedResults {
  /// The projection at an index. If the index is out of range, returns a projection of a placeholder, and
  /// reports the reason to the event handler.
  public subscript(index: Int) -> Element { Element(projecting: objects.objectOrPlaceholder(at: index)) }
}

extension LinkingObjects {
  /// The object at an index in key order. If the index is out of range, returns a placeholder that cannot be
  /// saved, and reports the reason to the event handler.
  public subscript(index: Int) -> Element { objectOrPlaceholder(at: index) }
}
