import FiefRealm
import FiefTesting
import Foundation
import Testing

/// A list, a set and a map of each type of values, and of its optional.
final class CollectionHolder: Object {
  @Persisted var int: List<Int>
  @Persisted var int8: List<Int8>
  @Persisted var bool: List<Bool>
  @Persisted var float: List<Float>
  @Persisted var double: List<Double>
  @Persisted var string: List<String>
  @Persisted var data: List<Data>
  @Persisted var date: List<Date>
  @Persisted var uuid: List<UUID>
  @Persisted var objectId: List<ObjectId>
  @Persisted var decimal: List<Decimal>
  @Persisted var optionalInt: List<Int?>
  @Persisted var optionalString: List<String?>
  @Persisted var optionalDate: List<Date?>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var decimalSet: MutableSet<Decimal>
  @Persisted var optionalIntSet: MutableSet<Int?>
  @Persisted var intMap: Map<String, Int>
  @Persisted var stringMap: Map<String, String>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var decimalMap: Map<String, Decimal>
  @Persisted var optionalIntMap: Map<String, Int?>
  @Persisted var cats: List<CollectionCat>
  @Persisted var catSet: MutableSet<CollectionCat>
  @Persisted var catMap: Map<String, CollectionCat?>
  @Persisted var toys: List<CollectionToy>
  @Persisted var toyMap: Map<String, CollectionToy?>
}

final class CollectionCat: Object {
  @Persisted var name = ""
  @Persisted var age = 0

  convenience init(_ name: String, _ age: Int = 0) {
    self.init()
    (self.name, self.age) = (name, age)
  }
}

final class CollectionToy: EmbeddedObject {
  @Persisted var price = 0

  convenience init(_ price: Int) {
    self.init()
    self.price = price
  }
}

/// The place of a collection whose behaviour is tested.
enum CollectionSetting: CaseIterable {
  /// The collection of an object in no store.
  case plain
  /// The collection of an object of a store in a write.
  case inMemory, onDisk

  /// Calls a closure with an object that has collections. Changes of the closure are in the store afterwards.
  func with(
    _ change: (CollectionHolder) throws -> Void,
    then look: (CollectionHolder) throws -> Void = { _ in }
  ) throws {
    guard self != .plain else {
      let holder = CollectionHolder()
      try change(holder)
      return try look(holder)
    }
    let store = try StoreFixture(
      TestRepository(
        objectTypes: [CollectionHolder.self, CollectionCat.self],
        embedded: [CollectionToy.self]
      ),
      self == .onDisk ? .onDisk : .inMemory
    )
    try store.write { try $0.add(CollectionHolder()) }
    try store.write { _ in try change(try #require(try store.objects(CollectionHolder.self).first)) }
    try look(try #require(try store.objects(CollectionHolder.self).first))
  }
}

extension StoreEvent {
  var isOutOfBounds: Bool {
    if case .indexOutOfBounds = self { return true }
    return false
  }
}
