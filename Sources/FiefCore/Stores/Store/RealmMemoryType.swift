/// Where a store keeps its data.
public enum RealmMemoryType: Sendable, Hashable {
  /// In a directory on disk.
  case inStorage
  /// In memory, until the store is closed or the process ends.
  ///
  /// The same identifier is the same store. Without one, each repository object has a store of its own;
  /// it ends with the object.
  case inMemory(identifier: String?)

  /// Identifiers are the same if their UTF-8 bytes are.
  public static func == (first: RealmMemoryType, second: RealmMemoryType) -> Bool {
    switch (first, second) {
    case (.inStorage, .inStorage): true
    case (.inMemory(let first), .inMemory(let second)): first.hasSameBytes(as: second)
    default: false
    }
  }
}
