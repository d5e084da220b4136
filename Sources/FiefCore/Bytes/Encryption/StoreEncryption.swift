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
  /// The user's key.
  public let keys: any StoreKeys

  /// Makes it from a key; applications use the members that `FiefEncryption` adds.
  public init(_ keys: any StoreKeys) { self.keys = keys }
}
