/// A view of an object that has some of its values only, also those of objects that it links to.
///
/// ```swift
/// final class PersonName: Projection<Person> {
///   @Projected(\Person.name) var name
///   @Projected(\Person.address?.street) var street
///   @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
/// }
/// let names = store.objects(PersonName.self)
/// ```
/// A projection reads through to its object each time. Reading it is reading the object: it never throws and never blocks,
/// and a link is followed when it is first touched. An assignment is one to the object: in a write of its store it joins the
/// write, outside of one it changes the object in memory.
///
/// Two projections are equal where their objects are.
open class Projection<Root: ObjectBase>: ProjectionObservable, CustomStringConvertible {
  /// The object that the values are those of.
  public let rootObject: Root

  /// Makes the view of an object.
  public required init(projecting object: Root) { rootObject = object }

  /// The names of the properties with what they are projected from and their values.
  open var description: String {
    let lines = ProjectionSchema.of(self).map { property in
      let value = property.value(of: rootObject).map { PrintedValue.text(of: $0) } ?? "nil"
      return "  \(property.name)(\(property.origin)) = \(value);"
    }
    return "\(type(of: self))<\(Root.className())> {\n" + lines.joined(separator: "\n") + "\n}"
  }
}

/// What a ``Projection`` is, whatever its object is.
public protocol ProjectionObservable: AnyObject, SendableMetatype {
  /// The class of the object.
  associatedtype Root: ObjectBase
  /// The object that the values are those of.
  var rootObject: Root { get }
  /// Makes the view of an object.
  init(projecting object: Root)
}

extension Projection: Hashable {
  /// Whether two projections are of the same object: of the same one of a store, or of one instance.
  public static func == (first: Projection, second: Projection) -> Bool {
    if first.rootObject === second.rootObject { return true }
    guard let object = first.rootObject as? Object, let other = second.rootObject as? Object else {
      return false
    }
    return object == other
  }

  /// Hashes the object.
  public func hash(into hasher: inout Hasher) {
    if let object = rootObject as? Object {
      object.hash(into: &hasher)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }
}

/// Marks a property of a ``Projection``: the value at a key path of the projected object.
@propertyWrapper
public struct Projected<Root: ObjectBase, Value>: ProjectedProperty {
  private let keyPath: KeyPath<Root, Value>

  var projectedKeyPath: AnyKeyPath { keyPath }

  /// A property with the value at a key path.
  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  /// Not for use: the wrapper works in classes that inherit from ``Projection`` only.
  @available(*, unavailable, message: "@Projected belongs in a class that inherits from Projection")
  public var wrappedValue: Value {
    get { Root()[keyPath: keyPath] }
    set {}
  }

  /// The access to the property: the compiler calls it.
  ///
  /// An assignment to what is worked out, or is behind an optional link, changes nothing and is reported as
  /// ``StoreEvent/misuse(_:)``.
  public static subscript<Owner: Projection<Root>>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    get { owner.rootObject[keyPath: owner[keyPath: storage].keyPath] }
    set {
      let keyPath = owner[keyPath: storage].keyPath
      guard let writable = keyPath as? ReferenceWritableKeyPath<Root, Value> else {
        owner.rootObject.reportMisuse(ProjectionSchema.readOnly(keyPath, of: Root.self))
        return
      }
      owner.rootObject[keyPath: writable] = newValue
    }
  }
}

/// What a ``Projected`` is, whatever its value is.
protocol ProjectedProperty {
  var projectedKeyPath: AnyKeyPath { get }
}
