import Fief
public import Foundation

// Sections, projections and inverses have subscripts that are not optional, as in Realm. Others may change
// the store between two uses. Beyond the ends, a section is an empty placeholder, and an object is a
// placeholder that cannot be saved. The event handler gets `StoreEvent.indexOutOfBounds`. In a write, the
// write fails.

extension SectionedResults {
  /// The section at an index. Beyond the end, it is an empty section that cannot be observed, and the event
  /// handler gets the reason.
  public subscript(index: Int) -> ResultsSection<Key, Element> { sectionOrPlaceholder(at: index) }

  /// The object at an index in a section. Beyond the ends, it is a placeholder that cannot be saved, and the
  /// event handler gets the reason.
  ///
  /// - Parameter indexPath: the index of the section, and the index of the object in the section.
  public subscript(indexPath: IndexPath) -> Element { objectOrPlaceholder(at: indexPath) }
}

extension ResultsSection {
  /// The object at an index. Beyond the ends, it is a placeholder that cannot be saved, and the event handler
  /// gets the reason.
  public subscript(index: Int) -> Element { objects.objectOrPlaceholder(at: index) }
}

extension ProjectedSections {
  /// The section at an index. Beyond the end, it is an empty section that cannot be observed, and the event
  /// handler gets the reason.
  public subscript(index: Int) -> ProjectedSection<Key, Element, Root> {
    ProjectedSection(section: sections.sectionOrPlaceholder(at: index))
  }

  /// The projection at an index in a section. Beyond the ends, it shows a placeholder, and the event handler
  /// gets the reason.
  ///
  /// - Parameter indexPath: the index of the section, and the index of the projection in the section.
  public subscript(indexPath: IndexPath) -> Element {
    Element(projecting: sections.objectOrPlaceholder(at: indexPath))
  }
}

extension ProjectedSection {
  /// The projection at an index. Beyond the ends, it shows a placeholder, and the event handler gets the
  /// reason.
  public subscript(index: Int) -> Element {
    Element(projecting: section.objects.objectOrPlaceholder(at: index))
  }
}

extension ProjectedResults {
  /// The projection at an index. Beyond the ends, it shows a placeholder, and the event handler gets the
  /// reason.
  public subscript(index: Int) -> Element { Element(projecting: objects.objectOrPlaceholder(at: index)) }
}

extension LinkingObjects {
  /// The object at an index in the order of the keys. Beyond the ends, it is a placeholder that cannot be
  /// saved, and the event handler gets the reason.
  public subscript(index: Int) -> Element { objectOrPlaceholder(at: index) }
}
