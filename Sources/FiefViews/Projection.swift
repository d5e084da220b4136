import FiefCore

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
/// and a link is followed when it is first touched. In a write of its store the object joins the
/// write when it is first used. An assignment is one to the object; outside of a write it changes the object in memory.
///
/// Two projections are equal where their objects are, and both are frozen with equal values or none is.
open class Projection<Root: ObjectBase>: ProjectionObservable, CustomStringConvertible {
  /// The object that the values are those of.
  public let rootObject: Root
  /// The values of the properties when the projection was frozen; nil for one that reads its object.
  // Set once, before the projection is handed out; checking each access would cost as much as the read.
  @exclusivity(unchecked) private(set) final var frozen: FrozenValues?

  /// Makes the view of an object.
  public required init(projecting object: Root) { rootObject = object }

  /// The names of the properties with their sources and their values.
  open var description: String {
    let lines = ProjectionSchema.of(self).map { property in
      let read: Any? = if let frozen { frozen[property.keyPath]?.any } else { property.read(rootObject) }
      let value = property.plain(read).map { PrintedValue.text(of: $0) } ?? "nil"
      return "  \(property.name)(\(property.origin)) = \(value);"
    }
    return "\(type(of: self))<\(Root.className())> {\n" + lines.joined(separator: "\n") + "\n}"
  }

  final func freeze(_ values: FrozenValues) { frozen = values }
}

/// A ``Projection`` of any class of objects.
public protocol ProjectionObservable: AnyObject, SendableMetatype {
  /// The class of the object.
  associatedtype Root: ObjectBase
  /// The object that the values are those of.
  var rootObject: Root { get }
  /// Makes the view of an object.
  init(projecting object: Root)
  /// Whether it always shows the same.
  var isFrozen: Bool { get }
}

extension Projection: Hashable {
  /// Whether two projections are of the same object: of the same one of a store, or of one instance. A frozen one is equal
  /// to one that is frozen too, with an object of the same values.
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

  func kept(of object: ObjectBase) -> (any KeptValue)? {
    guard let object = object as? Root else { return nil }
    let value = object[keyPath: keyPath]
    guard let collection = value as? any KeptCollection else { return Kept(value: value) }
    return Kept(value: collection.kept() as? Value ?? value)
  }

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
  /// An assignment to a computed property, to one behind an optional link, or to a frozen projection changes
  /// nothing and is reported as ``StoreEvent/misuse(_:)``.
  public static subscript<Owner: Projection<Root>>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    get {
      let keyPath = owner[keyPath: storage].keyPath
      if let kept = owner.frozen?[keyPath] as? Kept<Value> { return kept.value }
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

/// A ``Projected`` property of any value.
protocol ProjectedProperty {
  var projectedKeyPath: AnyKeyPath { get }
  /// The value that an object has, to be kept; nil for an object of another class.
  func kept(of object: ObjectBase) -> (any KeptValue)?
}
