import Fief
import FiefEncryption

/// The location and kind of a test's stores.
///
/// ```swift
/// @Test(arguments: StoreKind.allCases) func savesDogs(_ kind: StoreKind) throws {
///   let pets = try StoreFixture(PetRepository(), kind)
/// }
/// ```
public enum StoreKind: String, Sendable, CaseIterable {
  /// In memory, without waiting for a disk. Opening a store takes about a millisecond.
  case inMemory
  /// In the temporary directory, with the durability that the repository's options specify.
  case onDisk
  /// In memory and encrypted with a random key, unless the repository specifies its own key.
  ///
  /// A store that the test decrypts or whose key it changes is opened in its current state.
  case encrypted

  /// Returns a sandbox for the stores of one test.
  ///
  /// - Parameter types: the repository types whose stores are in the sandbox, or `nil` for all types.
  /// - Throws: `FiefError` of code `cannotOpen` if the directory cannot be created.
  func makeSandbox(covering types: [any DatabaseConfigurable.Type]? = nil) throws -> StoreSandbox {
    switch self {
    case .inMemory: try StoreSandbox(medium: .memory, covering: types)
    case .onDisk: try StoreSandbox(medium: .disk, covering: types)
    case .encrypted: try StoreSandbox(medium: .memory, encryption: .random(), covering: types)
    }
  }
}
