@_exported import Fief
// Code for Realm sees Foundation by its import of Realm.
@_exported import Foundation

/// A store, under Realm's name.
///
/// ```swift
/// let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schemaVersion: 2))
/// try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
/// ```
/// You can use it on any thread. The store stays open until you call `close()` or the process ends.
public typealias Realm = Store

/// An enumeration as the type of a property, under the name that older code uses.
public typealias RealmEnum = PersistableEnum
