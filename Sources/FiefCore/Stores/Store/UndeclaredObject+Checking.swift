extension UndeclaredObject {
  /// Checks that the link was read from a store, because the same type has a different number in other
  /// stores.
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
