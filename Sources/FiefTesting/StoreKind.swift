import Fief
import FiefEncryption

/// The place of a test's stores.
///
/// ```swift
/// @Test(arguments: StoreKind.allCases) func savesDogs(_ kind: StoreKind) throws {
///   let pets = try StoreFixture(PetRepository(), kind)
/// }
/// ```
public enum StoreKind: String, Sendable, CaseIterable {
  /// In memory, without waiting for a disk: about a millisecond to open.
  case inMemory
  /// In the temporary directory, as durable as the repository's options say.
  case onDisk
  /// In memory and encrypted with a random key, where the repository names no key of its own.
  ///
  /// A store that the test decrypts, or gives another key, is opened as it then is.
  case encrypted

  /// A place for the stores of one test.
  ///
  /// - Parameter types: the repository types whose stores it has; nil is all of them.
  /// - Throws: `FiefError` of code `cannotOpen` where its directory cannot be created.
  func makeSandbox(covering types: [any DatabaseConfigurable.Type]? = nil) throws -> StoreSandbox {
    switch self {
    case .inMemory: try StoreSandbox(medium: .memory, covering: types)
    case .onDisk: try StoreSandbox(medium: .disk, covering: types)
    case .encrypted: try StoreSandbox(medium: .memory, encryption: .random(), covering: types)
    }
  }
}
