import Foundation

/// Sections and objects at places that the store may not have any more.
extension SectionedResults {
  /// The section at a place. Beyond the end it is an empty one; the event handler gets the reason, and a write on this thread fails.
  package func sectionOrPlaceholder(at index: Int) -> ResultsSection<Key, Element> {
    if let section = self[index] { return section }
    results.reportOutOfBounds(index)
    return ResultsSection(
      index: index,
      key: Key._defaultValue(),
      count: 0,
      objects: results.describing { $0.limit = .first(0) },
      sections: self
    )
  }

  /// The object at a place in a section. Beyond the ends, the object is in no store and cannot be saved; the event handler gets the
  /// reason, and a write on this thread fails.
  package func objectOrPlaceholder(at indexPath: IndexPath) -> Element {
    let places = Array(indexPath)
    let section = sectionOrPlaceholder(at: places.count == 2 ? places[0] : -1)
    return section.objects.objectOrPlaceholder(at: places.last ?? -1)
  }
}
