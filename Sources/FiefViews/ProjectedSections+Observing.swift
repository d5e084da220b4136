import FiefCore
import FiefObserving

extension ProjectedSections: ObservableContents {
  /// Returns the observation of the sections. Names refer to properties of the projection or to their source
  /// properties.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<SectionedResultsChange<ProjectedSections>> {
    sections._observation(ProjectionSchema.paths(of: elements, watched), of: Root.self).map {
      $0.mapping { ProjectedSections(sections: $0) }
    }
  }
}

extension ProjectedSection: ObservableContents {
  /// Returns the observation of the section. Names refer to properties of the projection or to their source
  /// properties.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<SectionedResultsChange<ProjectedSection>> {
    section._observation(ProjectionSchema.paths(of: elements, watched), of: Root.self).map {
      $0.mapping { ProjectedSection(section: $0) }
    }
  }
}
