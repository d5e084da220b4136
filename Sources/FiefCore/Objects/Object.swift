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
  /// Makes an object with the default values of its properties.
  public required init() { super.init() }
}

extension Object {
  /// Never called, and here because this file is in every program; see ``FoundConformances``.
  @usableFromInline
  static func _bringConformances() -> [Any.Type] { FoundConformances.ofObjects }
}

/// The base class of objects that live inside another one: they have no key, are part of their owner's
/// record and are deleted with it.
///
/// A link of one has no backlink: it has no inverse and no rule, and stays when the object that it leads to
/// is deleted. It reads as nil then, and leads to the object that is saved under that key later.
open class EmbeddedObject: ObjectBase {
  /// The object that holds this one.
  final weak var _owner: ObjectBase?
  /// The place of the object, for its inverses, when its owner has ended.
  final var _place: PartPlace?
  /// The object that held it before; it may still do so, which a save finds out.
  final weak var _formerOwner: ObjectBase?

  /// Makes an object with the default values of its properties.
  public required init() { super.init() }

  @usableFromInline
  override func willAssign() -> Bool {
    let root = root
    if let origin = root?._origin ?? _origin { return origin.willAssign(self, in: root) }
    _owner?.noteChange(of: self)
    return false
  }

  @usableFromInline
  override func didAssign() { root?.didAssign() }
}
