import Fief
public import Foundation

// Sections, projections and inverses have subscripts that are not optional, as in Realm. Others may change the store between two
// uses. Beyond the ends a section is an empty one, and an object is one in no store that cannot be saved; the event handler gets
// `StoreEvent.indexOutOfBounds`. In a write the write fails.

extension SectionedResults {
  /// The section at a place; an empty one beyond the end, which is reported.
  public subscript(index: Int) -> ResultsSection<Key, Element> { sectionOrPlaceholder(at: index) }

  /// The object at a place in a section. Beyond the end it cannot be saved, and the event handler is told.
  ///
  /// - Parameter indexPath: the place of the section, and the place of the object in it.
  public subscript(indexPath: IndexPath) -> Element { objectOrPlaceholder(at: indexPath) }
}

extension ResultsSection {
  /// The object at a place in the section. Beyond the end it cannot be saved, and the event handler is told.
  public subscript(index: Int) -> Element { objects.objectOrPlaceholder(at: index) }
}

extension ProjectedSections {
  /// The section at a place; an empty one beyond the end, which is reported.
  public subscript(index: Int) -> ProjectedSection<Key, Element, Root> {
    ProjectedSection(section: sections.sectionOrPlaceholder(at: index))
  }

  /// The projection at a place in a section. Beyond the end, it shows an object that cannot be saved, and the event handler is told.
  ///
  /// - Parameter indexPath: the place of the section, and the place of the projection in it.
  public subscript(indexPath: IndexPath) -> Element {
    Element(projecting: sections.objectOrPlaceholder(at: indexPath))
  }
}

extension ProjectedSection {
  /// The projection at a place in the section. Beyond the end, it shows an object that cannot be saved, and the event handler is told.
  public subscript(index: Int) -> Element {
    Element(projecting: section.objects.objectOrPlaceholder(at: index))
  }
}

extension ProjectedResults {
  /// The projection at a place in the order. Beyond the end, it shows an object that cannot be saved, and the event handler is told.
  public subscript(index: Int) -> Element { Element(projecting: objects.objectOrPlaceholder(at: index)) }
}

extension LinkingObjects {
  /// The object at a place in the order of the keys. Beyond the end it cannot be saved, and the event handler is told.
  public subscript(index: Int) -> Element {
    let missing = FiefError(.objectNotFound, "There is no object at the index.", type: Element.className())
    do {
      if let object = try results.fetchObject(at: index) { return object }
      if realm == nil { Misuse.report(missing) } else { results.reportOutOfBounds(index) }
    } catch {
      // An object that was never saved has no store to report to.
      if realm == nil { Misuse.report(error as? FiefError ?? missing) } else { reportFailure(error) }
    }
    return Results.placeholder(missing)
  }
}
