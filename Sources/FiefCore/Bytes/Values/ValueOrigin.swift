/// What values are read for; the layers of objects have its subclasses, with which links are resolved.
@usableFromInline
package class ValueOrigin: @unchecked Sendable {
  init() {}
}

/// What values are written for; the layers of objects have its subclasses, which know the keys of linked objects.
package class ValueDestination {}
