/// The flags of a ``Persisted`` property, which are stored with its value.
@usableFromInline
enum PersistedFlags {
  @usableFromInline static let primaryKey: UInt8 = 0x01
  /// With `index1` and `index2`, a number for one of eight declarations of indexes.
  @usableFromInline static let indexed: UInt8 = 0x02
  @usableFromInline static let index1: UInt8 = 0x40
  @usableFromInline static let index2: UInt8 = 0x80
  /// The property was assigned after the object was last read or saved.
  @usableFromInline static let assigned: UInt8 = 0x04
  /// The value was not yet read from the record of the object. `firstRead` is set too.
  @usableFromInline static let deferred: UInt8 = 0x08
  /// The next read does more than return the value: it reads a link, creates a default or attaches a
  /// collection. In a derived property of a live object, every read first updates the value.
  @usableFromInline static let firstRead: UInt8 = 0x10
  /// The object is a tracer, which records reads to find the property of a key path.
  @usableFromInline static let traced: UInt8 = 0x20
  @usableFromInline static let readHooks: UInt8 = 0x30
  /// The property is secret. Only the prototype of a class has this flag, and prototypes are not traced while
  /// they have it.
  static let secret = traced

  /// Whether the property is a primary key, even while its value is unread.
  @inlinable
  static func isOfKey(_ flags: UInt8) -> Bool {
    // While the value is unread, the bit has a different meaning.
    flags & (primaryKey | deferred) == primaryKey
  }

  @inlinable
  static func declared(primaryKey: Bool, indexed: Bool) -> UInt8 {
    (primaryKey ? PersistedFlags.primaryKey : 0) | (indexed ? PersistedFlags.indexed : 0)
  }

  /// Returns the flags for a declaration. Three bits are enough for the indexes, so objects need no more
  /// memory.
  @inlinable
  static func declared(primaryKey: Bool, index: IndexOptions) -> UInt8 {
    let key = primaryKey ? PersistedFlags.primaryKey : 0
    // Together with `unique` or `caseInsensitive`, `plain` has no effect.
    let own = index.isDisjoint(with: [.unique, .caseInsensitive]) ? index : index.subtracting(.plain)
    return switch own {
    case []: key
    case .plain: key | indexed
    case .unique: key | indexed | index1
    case .caseInsensitive: key | indexed | index2
    case [.unique, .caseInsensitive]: key | indexed | index1 | index2
    case .fullText: key | index2
    case [.plain, .fullText]: key | index1
    default: key | index1 | index2
    }
  }

  /// Returns the indexes that flags declare. All declarations without such flags return the same value.
  static func index(_ flags: UInt8) -> IndexOptions {
    switch flags & (indexed | index1 | index2) {
    case indexed: .plain
    case indexed | index1: .unique
    case indexed | index2: .caseInsensitive
    case indexed | index1 | index2: [.unique, .caseInsensitive]
    case index2: .fullText
    case index1: [.plain, .fullText]
    case index1 | index2: undeclarable
    default: []
    }
  }

  private static let undeclarable: IndexOptions = [.unique, .fullText]

  /// Whether only `indexes()` can make the declaration.
  static func isUndeclarable(_ index: IndexOptions) -> Bool { index == undeclarable }
}
