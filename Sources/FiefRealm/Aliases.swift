import Fief
public import Foundation

// Names that Realm has in other places.

extension Store {
  /// The treatment of an object that is added under a key that exists.
  public typealias UpdatePolicy = Fief.UpdatePolicy

  /// Deletes the objects that are the values of a map, inside of `write { }`.
  public func delete<Key: MapKey, Value: Object>(_ map: Map<Key, Value?>) {
    var known: Set<ObjectIdentifier> = []
    delete(map.values.compactMap(\.self).filter { known.insert(ObjectIdentifier($0)).inserted })
  }
}

/// The schema version of the store at a file's place; the store may be open meanwhile.
///
/// - Parameters:
///   - fileURL: as `Realm.Configuration.fileURL`.
///   - encryptionKey: of no meaning: the version of an encrypted store can be read without it.
/// - Throws: as `Store.schemaVersion(at:)`.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  try Store.schemaVersionAtURL(fileURL)
}

extension ObjectBase {
  /// Whether another value is the same object, as `isSameObject(as:)` says it.
  public func isEqual(_ object: Any?) -> Bool {
    if let own = self as? Object, let other = object as? Object { return own == other }
    return (object as? ObjectBase).map { $0 === self } ?? false
  }
}

extension NotificationToken: Hashable {
  /// Whether both are the same token.
  public static func == (first: NotificationToken, second: NotificationToken) -> Bool { first === second }

  /// Adds the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
