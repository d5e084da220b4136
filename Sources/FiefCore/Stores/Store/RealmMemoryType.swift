/// Whether a store is on disk or in memory.
public enum RealmMemoryType: Sendable, Hashable {
  /// In a directory on disk.
  case inStorage
  /// In memory, until the store is closed or the process ends.
  ///
  /// Repositories with the same identifier share one store. Without an identifier, each repository object has
  /// its own store, which ends with the object.
  case inMemory(identifier: String?)

  /// Returns a Boolean value that indicates whether two values are equal. Identifiers are equal if their
  /// UTF-8 bytes are equal.
  public static func == (first: RealmMemoryType, second: RealmMemoryType) -> Bool {
    switch (first, second) {
    case (.inStorage, .inStorage): true
    case (.inMemory(let first), .inMemory(let second)): first.hasSameBytes(as: second)
    default: false
    }
  }
}
