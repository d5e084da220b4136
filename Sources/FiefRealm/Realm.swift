@_exported import Fief

/// A store, by the name that code written for Realm has.
public typealias Realm = Store
