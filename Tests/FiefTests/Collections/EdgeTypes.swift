import Fief

/// A value that cannot be made from every number.
struct EdgeEven: FailableCustomPersistable, Hashable {
  let number: Int

  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }

  init(_ number: Int) { self.number = number }

  var persistableValue: Int { number }
}

/// A value that cannot be made from zero, so that it has no default.
struct EdgeOdd: FailableCustomPersistable, Hashable {
  let number: Int

  init?(persistedValue: Int) {
    if persistedValue.isMultiple(of: 2) { return nil }
    number = persistedValue
  }

  /// Makes a value of any number, as another version of an application would store it.
  init(_ number: Int) { self.number = number }

  var persistableValue: Int { number }
}

final class EdgeHolder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var numbers: List<Int>
  @Persisted var evens: List<EdgeEven>
  @Persisted var odds: List<EdgeOdd>
  @Persisted var optionals: List<Int?>
  @Persisted var texts: MutableSet<String>
  @Persisted var values: Map<String, Int?>
  @Persisted var items: List<ShelfItem>
}
