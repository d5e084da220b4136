/// Elements that contain objects that a write has deleted since they were read.
extension RealmCollectionValue {
  /// The element as it is stored at present. If the object in an `AnyRealmValue` was deleted, the value is
  /// `.none`.
  var withoutDeletedObjects: Self {
    // The types are compared first, because casting each element would take longer than reading it.
    guard Self.self == AnyRealmValue.self, let value = self as? AnyRealmValue, value.hasObject else {
      return self
    }
    return value._withoutDeletedObjects() as? Self ?? self
  }
}

extension Array where Element: RealmCollectionValue {
  var withoutDeletedObjects: [Element] {
    Element.self == AnyRealmValue.self ? map(\.withoutDeletedObjects) : self
  }
}
