/// The place of a store's data: on disk or in memory.
public enum RealmMemoryType: Sendable, Hashable {
  /// In a directory on disk.
  case inStorage
  /// In memory, until the store is closed or the process ends.
  ///
  /// Repositories with the same identifier share one store. Without an identifier, each repository object has
  /// its own store, which ends with the object.
  case inMemory(identifier: String?)

  /// Returns whether two values are equal. Identifiers are equal if their UTF-8 bytes are.
  public static func == (first: RealmMemoryType, second: RealmMemoryType) -> Bool {
    switch (first, second) {
    case (.inStorage, .inStorage): true
    case (.inMemory(let first), .inMemory(let second)): first.hasSameBytes(as: second)
    default: false
    }
  }
}
