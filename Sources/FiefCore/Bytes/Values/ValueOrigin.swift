/// The context in which values are read. The object layers have subclasses, which resolve links.
@usableFromInline
package class ValueOrigin: @unchecked Sendable {
  init() {}
}

/// The context in which values are written. The object layers have subclasses, which know the keys of linked
/// objects.
package class ValueDestination {}
