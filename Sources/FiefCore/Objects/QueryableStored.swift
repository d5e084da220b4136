// The underscored requirement is internal to the library; its protocol documents it.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A type whose values are stored as another type, with which queries compare: enumerations, custom types,
/// and optionals of these.
public protocol _QueryableStored {
  /// The stored type.
  associatedtype _StoredInQueries = Self
}

extension Optional: _QueryableStored where Wrapped: _QueryableStored {
  public typealias _StoredInQueries = Wrapped._StoredInQueries?
}
