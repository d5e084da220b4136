/// Elements that hold objects which a write has deleted since they were read.
extension RealmCollectionValue {
  /// The element as it is stored now. A value of any type is `.none` if its object was deleted.
  var withoutDeletedObjects: Self {
    // The types first: a cast of each element would cost more than reading it.
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
