/// Two objects are equal if they represent the same object of a store: they are the same instance, or two
/// instances of the same class from the same store with the same key. Their other values are not compared.
///
/// The hash covers the class and the key. An unsaved object without a primary key is hashed by its identity.
/// Its hash changes when it is saved, and the hash of any object changes when its primary key is assigned, so
/// do not keep such an object in a set meanwhile.
extension Object: Hashable {
  /// Returns a Boolean value that indicates whether two instances represent the same object of a store.
  public static func == (first: Object, second: Object) -> Bool {
    if first === second { return true }
    guard let origin = first._origin, let other = second._origin, origin.host.isInStore, other.host.isInStore
    else {
      guard let link = first as? UndeclaredObject, let other = second as? UndeclaredObject else {
        return false
      }
      return link.storeID == other.storeID && link.reference == other.reference
    }
    return origin.host.isOfSameStore(as: other) && first.hasSameKey(as: second)
  }

  /// Hashes the class and the key.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension ObjectBase {
  fileprivate func hashIdentity(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(Swift.type(of: self)))
    if !(self is EmbeddedObject), !descriptor.primaryKey.isEmpty {
      hasher.combine(primaryKeyBytes)
    } else if _rowID != 0 {
      hasher.combine(_rowID)
    } else if let link = self as? UndeclaredObject {
      hasher.combine(link.reference)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }
}

/// Makes a class `Identifiable` by the identity of its objects, for lists in a user interface.
///
/// ```swift
/// final class Dog: Object, ObjectKeyIdentifiable { … }
/// ```
/// If a class declares its own `id` property, this property identifies its objects.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// An identifier that is the same for every instance of an object in this process.
  public var id: UInt64 {
    var hasher = Hasher()
    hashIdentity(into: &hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
