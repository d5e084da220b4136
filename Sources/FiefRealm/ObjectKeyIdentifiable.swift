import Fief

/// An object that views tell from others by its class and its key.
///
/// ```swift
/// final class Dog: Object, ObjectKeyIdentifiable {
///   @Persisted(primaryKey: true) var name = ""
/// }
/// ```
/// A class with a property `id` of its own has that as its identity.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The identity of the object in this process.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: Object {
  /// A hash of the class and the key: the same for all copies of an object, as long as the process runs.
  public var id: UInt64 { UInt64(truncatingIfNeeded: hashValue) }
}
