/// How a store is encrypted.
///
/// ```swift
/// import FiefEncryption
///
/// var storeOptions: StoreOptions {
///   var options = StoreOptions()
///   options.encryption = .keyFile("/etc/petstore/payments.key")
///   return options
/// }
/// ```
public struct StoreEncryption: Sendable {
  /// The key in an instance, so that an optional ``StoreEncryption`` is a reference. The runtime has to make a type to copy an optional
  /// existential.
  private final class Storage: Sendable {
    let keys: any StoreKeys

    init(_ keys: any StoreKeys) { self.keys = keys }
  }

  private let storage: Storage

  /// The user's key.
  public var keys: any StoreKeys { storage.keys }

  /// Makes it from a key; applications use the members that `FiefEncryption` adds.
  public init(_ keys: any StoreKeys) { storage = Storage(keys) }
}
