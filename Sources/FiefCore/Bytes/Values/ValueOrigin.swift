/// The context in which values are read. Subclasses in upper layers resolve links.
@usableFromInline
package class ValueOrigin: @unchecked Sendable {
  init() {}
}

/// The context in which values are written. Subclasses in upper layers provide the keys of linked objects.
package class ValueDestination {}
