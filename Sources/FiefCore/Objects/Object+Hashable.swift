/// Two objects are equal where they are the same object of a store: one instance, or two of the same class that were read
/// from or saved to the same store and have the same key. Their other values are not compared.
///
/// The hash is of the class and the key. An object without a primary key has none before it is saved and is hashed by its
/// instance: do not keep it in a set while it is saved, nor one whose primary key is assigned.
extension Object: Hashable {
  /// Whether the two are the same object of a store.
  public static func == (first: Object, second: Object) -> Bool {
    if first === second { return true }
    guard let origin = first._origin, let other = second._origin, origin.isInStore, other.isInStore else {
      guard let link = first as? UndeclaredObject, let other = second as? UndeclaredObject else {
        return false
      }
      return link.storeID == other.storeID && link.reference == other.reference
    }
    return origin.isOfSameStore(as: other) && first.hasSameKey(as: second)
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

/// Makes a class identifiable by the identity of its objects, for the lists of a user interface.
///
/// ```swift
/// final class Dog: Object, ObjectKeyIdentifiable { … }
/// ```
/// A class with a property `id` of its own is identified by that.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// The same for every instance of an object, in this process.
  public var id: UInt64 {
    var hasher = Hasher()
    hashIdentity(into: &hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
