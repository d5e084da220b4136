import FiefCore
import Foundation

/// The changes of the properties of an object, in their order: a later one sees the earlier ones.
///
/// ```swift
/// try batch.update(Player.self, forPrimaryKey: 7) {
///   $0.increment(\.points, by: -10)
///   $0.timestamp(\.seen)
/// }
/// ```
public struct FieldChanges<Root: Object> {
  private(set) var operations: [FieldOperation] = []

  init() {}

  init(_ changes: [FieldChange<Root>]) { operations = changes.map(\.operation) }

  /// - Throws: what `build` throws.
  init(_ build: (inout FieldChanges) throws -> Void) rethrows { try build(&self) }

  /// Adds a change.
  public mutating func append(_ change: FieldChange<Root>) { operations.append(change.operation) }

  /// Sets a property to a value, as an assignment does.
  public mutating func set<Value: Persistable>(_ property: KeyPath<Root, Value>, _ value: Value) {
    append(.set(property, value))
  }

  /// Links the object with a primary key, which has to exist at the commit.
  public mutating func set<Target: Object>(_ property: KeyPath<Root, Target?>, toKey key: Any) {
    append(.set(property, toKey: key))
  }

  /// Adds to a number; nil counts as 0.
  public mutating func increment<Number: IncrementableNumber>(
    _ property: KeyPath<Root, Number>,
    by amount: Number.Amount = 1
  ) {
    append(.increment(property, by: amount))
  }

  /// Sets a date to the time of the commit.
  public mutating func timestamp(_ property: KeyPath<Root, Date>) { append(.timestamp(property)) }

  /// Sets a date to the time of the commit.
  public mutating func timestamp(_ property: KeyPath<Root, Date?>) { append(.timestamp(property)) }

  /// Adds those of the elements to a list or a set that it does not have; a list gets them at its end.
  public mutating func union<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) where Values.Element: RealmCollectionValue {
    append(.union(property, elements))
  }

  /// Removes the elements from a list or a set, wherever they are in it.
  public mutating func remove<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) where Values.Element: RealmCollectionValue {
    append(.remove(property, elements))
  }

  /// Sets a property to the value of a new object of the class: its default, or nil.
  public mutating func delete<Value: Persistable>(_ property: KeyPath<Root, Value>) {
    append(.delete(property))
  }

  /// Changes a property that is named by a text; with dots into embedded objects: `address.city`.
  public mutating func field(_ name: String, _ value: FieldValue) { append(.field(name, value)) }
}
