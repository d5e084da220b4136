import Fief
public import Foundation

// Names that Realm declares in other types.

extension Store {
  /// A policy that determines what happens when you add an object whose primary key exists.
  public typealias UpdatePolicy = Fief.UpdatePolicy

  /// Deletes the objects in a map, in a `write { }`.
  public func delete<Key: MapKey, Value: Object>(_ map: Map<Key, Value?>) {
    var known: Set<ObjectIdentifier> = []
    delete(map.values.compactMap(\.self).filter { known.insert(ObjectIdentifier($0)).inserted })
  }
}

/// A type whose values have a minimum and a maximum in aggregates.
public typealias MinMaxType = PersistableScalar

/// A type whose values have a sum and an average in aggregates.
public typealias AddableType = AggregatableNumber

/// The superclass of stored objects, by its name in Objective-C.
public typealias RealmSwiftObject = Object

/// The superclass of embedded objects, by its name in Objective-C.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject

/// The classes whose objects a store returns, for generic functions such as
/// `func all<T: RealmFetchable>(_ type: T.Type)`.
public typealias RealmFetchable = Object

/// The type of a closure that observes a store.
public typealias NotificationBlock = (_ notification: Store.Notification, _ realm: Store) -> Void

/// Returns the schema version of the store at a file URL. The store may be open.
///
/// - Parameters:
///   - fileURL: the URL, as in `Realm.Configuration.fileURL`.
///   - encryptionKey: ignored, because the version of an encrypted store can be read without its key.
/// - Throws: the errors of `Store.schemaVersion(at:)`.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  try Store.schemaVersionAtURL(fileURL)
}

extension ObjectBase {
  /// Returns a Boolean value that indicates whether a value is the same object, like `isSameObject(as:)`.
  public func isEqual(_ object: Any?) -> Bool {
    if let own = self as? Object, let other = object as? Object { return own == other }
    return (object as? ObjectBase).map { $0 === self } ?? false
  }
}

extension NotificationToken: Hashable {
  /// Returns a Boolean value that indicates whether both are the same token.
  public static func == (first: NotificationToken, second: NotificationToken) -> Bool { first === second }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
