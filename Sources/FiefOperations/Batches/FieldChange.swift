import FiefCore
import Foundation

/// A change of one property of an object, addressed by a key path.
///
/// ```swift
/// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10), .timestamp(\.seen))
/// ```
/// The change is applied to the property's value at the commit, so concurrent tasks and processes never
/// overwrite each other's changes. A key path may lead into an embedded object (`\.address?.city`). If the
/// embedded object is `nil`, it is created with the defaults of its class. Only properties of the object
/// itself can be changed, not the properties of linked objects, and neither the primary key nor derived
/// properties.
public struct FieldChange<Root: Object> {
  let operation: FieldOperation

  private init(_ property: AnyKeyPath, _ operand: FieldOperation.Operand) {
    operation = FieldOperation(place: .path(property), operand: operand)
  }

  /// Sets a property to a value, like an assignment.
  public static func set<Value: Persistable>(_ property: KeyPath<Root, Value>, _ value: Value) -> Self {
    Self(property, .value(value))
  }

  /// Sets a link to the object with a primary key. The object must exist at the commit.
  ///
  /// - Parameters:
  ///   - property: the link to set.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  public static func set<Target: Object>(_ property: KeyPath<Root, Target?>, toKey key: Any) -> Self {
    Self(property, .key(key))
  }

  /// Adds an amount to a number. `nil` counts as 0.
  ///
  /// If the sum does not fit the property, the commit fails with `invalidValue`. Sums never wrap around.
  public static func increment<Number: IncrementableNumber>(
    _ property: KeyPath<Root, Number>,
    by amount: Number.Amount = 1
  ) -> Self {
    Self(property, .increment(Number._operand(amount).amount))
  }

  /// Sets a date to the time of the commit by the store's clock, which is the same for all objects of a
  /// batch.
  public static func timestamp<Value: Persistable>(_ property: KeyPath<Root, Value>) -> Self
  where Value._Present == Date { Self(property, .timestamp) }

  /// Adds the elements that a list or a set does not contain yet. In a list they are appended.
  public static func union<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) -> Self where Values.Element: RealmCollectionValue {
    Self(property, .elements(elements, isUnion: true))
  }

  /// Removes all occurrences of the elements from a list or a set.
  public static func remove<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) -> Self where Values.Element: RealmCollectionValue {
    Self(property, .elements(elements, isUnion: false))
  }

  /// Resets a property to its value in a new object of the class: the default, or `nil`.
  public static func delete<Value: Persistable>(_ property: KeyPath<Root, Value>) -> Self {
    Self(property, .delete)
  }

  /// Returns a change of a property that is identified by its name.
  ///
  /// - Parameters:
  ///   - name: the name of the property or its column. Dots lead into embedded objects: `address.city`.
  ///   - value: the change to apply.
  public static func field(_ name: String, _ value: FieldValue) -> Self {
    Self(FieldOperation(place: .name(name), operand: .named(value)))
  }

  private init(_ operation: FieldOperation) { self.operation = operation }
}
