import FiefCore
import FiefObserving

/// A view of an object that shows only some of its values, and values of objects to which it links.
///
/// ```swift
/// final class PersonName: Projection<Person> {
///   @Projected(\Person.name) var name
///   @Projected(\Person.address?.street) var street
///   @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
/// }
/// let names = store.objects(PersonName.self)
/// ```
/// A projection reads its object on every access, in the same way as your own code reads it: a read never
/// throws and never blocks, and links are followed on first access. In a write of its store the object joins
/// the write on first use. Assigning a property of the projection assigns the property of the object; outside
/// a write that changes the object in memory.
///
/// Two unfrozen projections are equal if their objects are equal. Two frozen projections are equal if their
/// objects and all values are equal.
open class Projection<Root: ObjectBase>: ProjectionObservable, CustomStringConvertible {
  /// The object whose values the projection shows.
  public let rootObject: Root
  /// The values of the properties when the projection was frozen, or `nil` if it is not frozen.
  // Set once, before the projection is returned. An exclusivity check on each access would cost as much as
  // the read.
  @exclusivity(unchecked) private(set) final var frozen: FrozenValues?

  /// Creates a projection of an object.
  public required init(projecting object: Root) { rootObject = object }

  /// The names of the properties with their sources and values.
  open var description: String {
    let lines = ProjectionSchema.of(self).map { property in
      let read: Any? = if let frozen { frozen[property.keyPath]?.any } else { property.read(rootObject) }
      let value = property.plain(read).map { ValuePrinter.text(of: $0) } ?? "nil"
      return "  \(property.name)(\(property.origin)) = \(value);"
    }
    return "\(type(of: self))<\(Root.className())> {\n" + lines.joined(separator: "\n") + "\n}"
  }

  final func freeze(_ values: FrozenValues) { frozen = values }
}

/// A ``Projection`` of any class of objects.
public protocol ProjectionObservable: ObservableInstance, SendableMetatype where _Observed == Root {
  /// The class of the object.
  associatedtype Root: ObjectBase
  /// The object whose values the projection shows.
  var rootObject: Root { get }
  /// Creates a projection of an object.
  init(projecting object: Root)
  /// A Boolean value that indicates whether the projection never changes.
  var isFrozen: Bool { get }
}

extension Projection: Hashable {
  /// Returns whether two projections show the same object of a store or the same instance. A frozen
  /// projection is equal only to a frozen projection whose object has the same values.
  public static func == (first: Projection, second: Projection) -> Bool {
    if first.isFrozen != second.isFrozen { return false }
    if first.rootObject === second.rootObject { return true }
    guard let object = first.rootObject as? Object, let other = second.rootObject as? Object else {
      return false
    }
    return object == other && (!first.isFrozen || object.comparableText() == other.comparableText())
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

  func kept(of object: ObjectBase) -> (any AnyFrozenValue)? {
    guard let object = object as? Root else { return nil }
    let value = object[keyPath: keyPath]
    guard let collection = value as? any FreezableCollection else { return FrozenValue(value: value) }
    return FrozenValue(value: collection.kept() as? Value ?? value)
  }

  /// Creates a property with the value at a key path.
  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  /// Unavailable: the wrapper works only in classes that inherit from ``Projection``.
  @available(*, unavailable, message: "@Projected belongs in a class that inherits from Projection")
  public var wrappedValue: Value {
    get { Root()[keyPath: keyPath] }
    set {}
  }

  /// Accesses the property. Called by the compiler.
  ///
  /// Assigning a computed property, a property behind an optional link, or a property of a frozen projection
  /// changes nothing and is reported as ``StoreEvent/misuse(_:)``.
  public static subscript<Owner: Projection<Root>>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    get {
      let keyPath = owner[keyPath: storage].keyPath
      if let kept = owner.frozen?[keyPath] as? FrozenValue<Value> { return kept.value }
      return owner.rootObject[keyPath: keyPath]
    }
    set {
      let keyPath = owner[keyPath: storage].keyPath
      if owner.isFrozen { return owner.rootObject.reportMisuse(FrozenOrigin.unassignable(Root.self)) }
      guard let writable = keyPath as? ReferenceWritableKeyPath<Root, Value> else {
        owner.rootObject.reportMisuse(ProjectionSchema.readOnly(keyPath, of: Root.self))
        return
      }
      owner.rootObject[keyPath: writable] = newValue
    }
  }
}

/// A ``Projected`` property whose type of value is erased.
protocol ProjectedProperty {
  var projectedKeyPath: AnyKeyPath { get }
  /// Returns the current value of an object's property for a frozen projection, or `nil` if the object has
  /// another class.
  func kept(of object: ObjectBase) -> (any AnyFrozenValue)?
}
