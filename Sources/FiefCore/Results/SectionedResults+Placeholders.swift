import Foundation

/// Access to sections and objects by indexes that may be out of range.
extension SectionedResults {
  /// Returns the section at an index. If the index is out of range, the section is empty, the event handler
  /// receives the error, and a write on this thread fails.
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

  /// Returns the object at an index path. If it is out of range, the result is an object that is not in a
  /// store and cannot be saved; the event handler receives the error, and a write on this thread fails.
  package func objectOrPlaceholder(at indexPath: IndexPath) -> Element {
    let places = Array(indexPath)
    let section = sectionOrPlaceholder(at: places.count == 2 ? places[0] : -1)
    return section.objects.objectOrPlaceholder(at: places.last ?? -1)
  }
}
