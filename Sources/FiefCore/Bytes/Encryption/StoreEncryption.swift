/// The encryption of a store.
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
  /// The key in a class instance, so that an optional ``StoreEncryption`` is a single reference. To copy an
  /// optional existential, the runtime would have to instantiate a type.
  private final class Storage: Sendable {
    let keys: any StoreKeys

    init(_ keys: any StoreKeys) { self.keys = keys }
  }

  private let storage: Storage

  /// The user's key.
  public var keys: any StoreKeys { storage.keys }

  /// Creates an encryption from a key. Applications use the members that `FiefEncryption` adds.
  public init(_ keys: any StoreKeys) { storage = Storage(keys) }
}
