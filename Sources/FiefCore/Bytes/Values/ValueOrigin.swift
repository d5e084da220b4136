/// The context in which values are read. The object layers have subclasses, which resolve links.
@usableFromInline
package class ValueOrigin: @unchecked Sendable {
  init() {}
}

/// The context in which values are written. Subclasses in the object layers provide the keys of linked
/// objects.
package class ValueDestination {}
