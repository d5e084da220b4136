import FiefCore
import Foundation

/// The changes of an object's properties, in order. A later change sees the effects of earlier ones.
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

  init(named fields: [String: FieldValue]) { operations = FieldOperation.named(fields) }

  /// - Throws: the error of `build`.
  init(_ build: (inout FieldChanges) throws -> Void) rethrows { try build(&self) }

  /// Adds a change.
  public mutating func append(_ change: FieldChange<Root>) { operations.append(change.operation) }

  /// Sets a property to a value, like an assignment.
  public mutating func set<Value: Persistable>(_ property: KeyPath<Root, Value>, _ value: Value) {
    append(.set(property, value))
  }

  /// Sets a link to the object with a primary key. The object must exist at the commit.
  public mutating func set<Target: Object>(_ property: KeyPath<Root, Target?>, toKey key: Any) {
    append(.set(property, toKey: key))
  }

  /// Adds an amount to a number. `nil` counts as 0.
  public mutating func increment<Number: IncrementableNumber>(
    _ property: KeyPath<Root, Number>,
    by amount: Number.Amount = 1
  ) {
    append(.increment(property, by: amount))
  }

  /// Sets a date to the time of the commit.
  public mutating func timestamp<Value: Persistable>(_ property: KeyPath<Root, Value>)
  where Value._Present == Date { append(.timestamp(property)) }

  /// Adds the elements that a list or a set does not contain yet. In a list they are appended.
  public mutating func union<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) where Values.Element: RealmCollectionValue {
    append(.union(property, elements))
  }

  /// Removes all occurrences of the elements from a list or a set.
  public mutating func remove<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) where Values.Element: RealmCollectionValue {
    append(.remove(property, elements))
  }

  /// Resets a property to its value in a new object of the class: the default, or `nil`.
  public mutating func delete<Value: Persistable>(_ property: KeyPath<Root, Value>) {
    append(.delete(property))
  }

  /// Changes a property that is identified by its name. Dots lead into embedded objects: `address.city`.
  public mutating func field(_ name: String, _ value: FieldValue) { append(.field(name, value)) }
}
