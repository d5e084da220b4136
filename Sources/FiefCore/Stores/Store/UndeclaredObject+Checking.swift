extension UndeclaredObject {
  /// Checks that the link was read from a store. Types of other stores have other numbers.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` if the link was read from another store.
  func check(isOf store: StoreCore) throws(FiefError) {
    guard storeID != store.storeID else { return }
    throw FiefError(
      .foreignObject,
      "A value of any type links an object of a class that is not declared, of another store.",
      store: store.name,
      key: ObjectKey(bytes: reference.key).description
    )
  }
}
