@_exported import Fief

/// A store, by the name that code written for Realm has.
///
/// ```swift
/// let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schemaVersion: 2))
/// try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
/// ```
/// It can be used on any thread, and stays open until `close()` is called or the process ends.
public typealias Realm = Store

/// An enumeration that a property can have, as older code calls it.
public typealias RealmEnum = PersistableEnum
