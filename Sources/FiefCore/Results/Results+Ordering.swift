extension Results {
  /// Returns the objects, sorted by how well they match the full-text conditions, with the best match first.
  public func sortedByRelevance() -> Results {
    describing { $0.order = [QueryOrder(.relevance)] }
  }
}
