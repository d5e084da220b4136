// The underscored requirement is for the library alone; its protocol says what it does.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Values that are stored as others, which queries can ask for: enumerations, types of the application's, and those of
/// them that may be nil.
public protocol _QueryableStored {
  /// What is stored of a value.
  associatedtype _StoredInQueries
}

extension Optional: _QueryableStored where Wrapped: _QueryableStored {
  public typealias _StoredInQueries = Wrapped._StoredInQueries?
}
