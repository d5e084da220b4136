/// A view of an object that has some of its values only, also those of objects that it links to.
///
/// ```swift
/// final class PersonName: Projection<Person> {
///   @Projected(\Person.name) var name
///   @Projected(\Person.address?.street) var street
/// }
/// let names = people.as(PersonName.self)
/// ```
/// A projection reads through to its object each time and cannot be assigned to. Reading it is reading
/// the object: it never throws and never blocks, and a link is followed when it is first touched.
open class Projection<Root: Object> {
  /// The object that the values are those of.
  public let rootObject: Root

  /// Makes the view of an object.
  public required init(projecting object: Root) { rootObject = object }
}

/// Marks a property of a ``Projection``: the value at a key path of the projected object.
@propertyWrapper
public struct Projected<Root: Object, Value> {
  private let keyPath: KeyPath<Root, Value>

  /// A property with the value at a key path.
  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  /// Not for use: the wrapper works in classes that inherit from ``Projection`` only.
  @available(*, unavailable, message: "@Projected belongs in a class that inherits from Projection")
  public var wrappedValue: Value { Root()[keyPath: keyPath] }

  /// The access to the property: the compiler calls it.
  public static subscript<Owner: Projection<Root>>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: KeyPath<Owner, Value>,
    storage storage: KeyPath<Owner, Self>
  ) -> Value {
    owner.rootObject[keyPath: owner[keyPath: storage].keyPath]
  }
}
