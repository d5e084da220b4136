import FiefCore
import Foundation

/// The change of one property of an object, by a key path.
///
/// ```swift
/// try batch.update(Player.self, forPrimaryKey: 7, .increment(\.points, by: -10), .timestamp(\.seen))
/// ```
/// It is applied to the value that the property has at the commit, so that two tasks or processes cannot lose a change of each
/// other. A key path may lead into an embedded object (`\.address?.city`), which is made with its class's defaults where it is
/// nil. Only the properties of the object itself are changed, none of objects that it links; neither is the primary key, nor a
/// derived property.
public struct FieldChange<Root: Object> {
  let operation: FieldOperation

  private init(_ property: AnyKeyPath, _ operand: FieldOperation.Operand) {
    operation = FieldOperation(place: .path(property), operand: operand)
  }

  /// Sets a property to a value, as an assignment does.
  public static func set<Value: Persistable>(_ property: KeyPath<Root, Value>, _ value: Value) -> Self {
    Self(property, .value(value))
  }

  /// Links the object with a primary key, which has to exist at the commit.
  ///
  /// - Parameters:
  ///   - property: a link.
  ///   - key: the primary key; an array of the parts for a compound one.
  public static func set<Target: Object>(_ property: KeyPath<Root, Target?>, toKey key: Any) -> Self {
    Self(property, .key(key))
  }

  /// Adds to a number; nil counts as 0.
  ///
  /// A sum that does not fit the property is the error `invalidValue` at the commit; nothing wraps.
  public static func increment<Number: IncrementableNumber>(
    _ property: KeyPath<Root, Number>,
    by amount: Number.Amount = 1
  ) -> Self {
    Self(property, .increment(Number._operand(amount).amount))
  }

  /// Sets a date to the time of the commit, by the store's clock: the same in all objects of the commit's batch.
  public static func timestamp(_ property: KeyPath<Root, Date>) -> Self { Self(property, .timestamp) }

  /// Sets a date to the time of the commit, by the store's clock: the same in all objects of the commit's batch.
  public static func timestamp(_ property: KeyPath<Root, Date?>) -> Self { Self(property, .timestamp) }

  /// Adds those of the elements to a list or a set that it does not have; a list gets them at its end.
  public static func union<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) -> Self where Values.Element: RealmCollectionValue {
    Self(property, .elements(elements, isUnion: true))
  }

  /// Removes the elements from a list or a set, wherever they are in it.
  public static func remove<Values: Persistable & Sequence>(
    _ property: KeyPath<Root, Values>,
    _ elements: [Values.Element]
  ) -> Self where Values.Element: RealmCollectionValue {
    Self(property, .elements(elements, isUnion: false))
  }

  /// Sets a property to the value of a new object of the class: its default, or nil.
  public static func delete<Value: Persistable>(_ property: KeyPath<Root, Value>) -> Self {
    Self(property, .delete)
  }

  /// The change of a property that is named by a text.
  ///
  /// - Parameters:
  ///   - name: the property's name, or that of its column; with dots into embedded objects: `address.city`.
  ///   - value: what becomes of it.
  public static func field(_ name: String, _ value: FieldValue) -> Self {
    Self(FieldOperation(place: .name(name), operand: .named(value)))
  }

  private init(_ operation: FieldOperation) { self.operation = operation }
}
