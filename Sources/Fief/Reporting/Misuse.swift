/// Uses of the library that are errors where nothing can be thrown and no store is near.
package enum Misuse {
  /// Reports one to the test that it happens in, or on standard error.
  package static func report(_ error: FiefError) {
    ObjectContext.ofNoStore().emit { _ in .misuse(error) }
  }
}
