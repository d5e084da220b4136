import Fief

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

  var medium: StoreSandbox.Medium {
    switch self {
    case .inMemory: .memory
    case .onDisk: .disk
    }
  }
}
