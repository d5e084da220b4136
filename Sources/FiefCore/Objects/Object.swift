/// The base class of stored objects.
///
/// ```swift
/// final class Dog: Object {
///   @Persisted(primaryKey: true) var id = 0
///   @Persisted var name = ""
/// }
/// ```
/// An object without a primary key gets a generated row id when it is first saved.
open class Object: ObjectBase {
  /// Creates an object with the default values of its properties.
  public required init() { super.init() }
}

extension Object {
  /// Never called. It is declared here because every program includes this file; see
  /// ``ConformanceReferences``.
  @usableFromInline
  static func _bringConformances() -> [Any.Type] { ConformanceReferences.ofObjects }
}

/// The base class of objects that are part of another object. Embedded objects have no key. They are stored
/// in the record of their owner and are deleted with it.
///
/// A link in an embedded object has no backlink. Inverses and delete rules therefore ignore it, and the link
/// is kept when the linked object is deleted. It then reads as nil until an object is saved under the same
/// key.
open class EmbeddedObject: ObjectBase {
  /// The object that contains this object.
  final weak var _owner: ObjectBase?
  /// The location of the object. Inverses use it after the owner was released.
  final var _place: PartPlace?
  /// The previous owner. The next save checks whether it still contains this object.
  final weak var _formerOwner: ObjectBase?

  /// Creates an object with the default values of its properties.
  public required init() { super.init() }

  @usableFromInline
  override func willAssign() -> Bool {
    let root = root
    if let origin = root?._origin ?? _origin { return origin.host.willAssign(self, in: root) }
    _owner?.noteChange(of: self)
    return false
  }

  @usableFromInline
  override func didAssign() { root?.didAssign() }
}
