extension UndeclaredObject {
  /// Checks that the link was read from a store. Types of other stores have other numbers.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` if the link was read from another store.
  func check(isOf store: StoreCore) throws(FiefError) {
    guard storeID != store.storeID else { return }
    throw FiefError(
      .foreignObject,
      "A value of any type links to an object of another store whose class is not declared.",
      store: store.name,
      key: ObjectKey(bytes: reference.key).description
    )
  }
}
