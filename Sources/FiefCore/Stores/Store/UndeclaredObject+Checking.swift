extension UndeclaredObject {
  /// - Throws: ``FiefError`` of code `foreignObject` where the link was read from another store, whose types have other
  ///   numbers.
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
