import Foundation

/// Access to sections and objects by indexes that may be out of range.
extension SectionedResults {
  /// Returns the section at an index. If the index is out of range, returns an empty section that cannot be
  /// observed; the event handler receives the error, and a write on this thread fails.
  package func sectionOrPlaceholder(at index: Int) -> ResultsSection<Key, Element> {
    section(at: index)
      ?? ResultsSection(
        index: index,
        key: Key._defaultValue(),
        count: 0,
        objects: results.describing { $0.limit = .first(0) },
        sections: self,
        isPlaceholder: true
      )
  }

  /// Returns the object at an index path. If it is out of range, returns an object that is not in a store and
  /// cannot be saved; the event handler receives the error, and a write on this thread fails.
  package func objectOrPlaceholder(at indexPath: IndexPath) -> Element {
    let places = Array(indexPath)
    guard let section = section(at: places.count == 2 ? places[0] : -1) else {
      return results.elementType.standIn()
    }
    return section.objects.objectOrPlaceholder(at: places[1])
  }

  /// Returns the section at an index. If the index is out of range or the sections cannot be read, returns
  /// `nil`; the event handler receives the error, and a write on this thread fails.
  private func section(at index: Int) -> ResultsSection<Key, Element>? {
    do {
      let sections = try all()
      if sections.indices.contains(index) { return sections[index] }
      results.reportOutOfBounds(index, count: sections.count)
    } catch { results.failWrite(error) }
    return nil
  }
}
