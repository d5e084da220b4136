import Fief

/// A value that cannot be made of every number.
struct EdgeEven: FailableCustomPersistable, Hashable {
  let number: Int

  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    number = persistedValue
  }

  init(_ number: Int) { self.number = number }

  var persistableValue: Int { number }
}

final class EdgeHolder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var numbers: List<Int>
  @Persisted var evens: List<EdgeEven>
  @Persisted var optionals: List<Int?>
  @Persisted var texts: MutableSet<String>
  @Persisted var values: Map<String, Int?>
  @Persisted var items: List<ShelfItem>
}
