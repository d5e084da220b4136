/// The flags that a ``Persisted`` property keeps beside its value.
@usableFromInline
enum PersistedFlags {
  @usableFromInline static let primaryKey: UInt8 = 0x01
  /// With the following two, one of the eight declarations of indexes.
  @usableFromInline static let indexed: UInt8 = 0x02
  @usableFromInline static let index1: UInt8 = 0x40
  @usableFromInline static let index2: UInt8 = 0x80
  /// The property was assigned since the object was read or saved.
  @usableFromInline static let assigned: UInt8 = 0x04
  /// The value is still in the record that the object was read from; `firstRead` is set too.
  @usableFromInline static let deferred: UInt8 = 0x08
  /// The next read has something to do: resolve a fault, make a default, attach a collection. In a property of
  /// another kind, each read has while the object is live: bring derived properties up to date.
  @usableFromInline static let firstRead: UInt8 = 0x10
  /// The object is a tracer: reads are recorded to learn the property of a key path.
  @usableFromInline static let traced: UInt8 = 0x20
  @usableFromInline static let readHooks: UInt8 = 0x30
  /// In the prototype of a class: the property is secret. Nothing traces the prototype while it is looked at, and
  /// other objects do not have it.
  static let secret = traced

  /// Whether the property is a primary key, which is the same in every state of its object.
  @inlinable
  static func isOfKey(_ flags: UInt8) -> Bool {
    // The bit has another meaning in a value that is still in its record.
    flags & (primaryKey | deferred) == primaryKey
  }

  @inlinable
  static func declared(primaryKey: Bool, indexed: Bool) -> UInt8 {
    (primaryKey ? PersistedFlags.primaryKey : 0) | (indexed ? PersistedFlags.indexed : 0)
  }

  /// A wrapper has three bits for its indexes, so that objects need no more room for them.
  @inlinable
  static func declared(primaryKey: Bool, index: IndexOptions) -> UInt8 {
    let key = primaryKey ? PersistedFlags.primaryKey : 0
    // `plain` says nothing beside one of the others that are indexes of the values.
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

  /// The indexes that flags were made from. Declarations that have no flags of their own are one.
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

  /// Whether the declaration was one that only `indexes()` can make.
  static func isUndeclarable(_ index: IndexOptions) -> Bool { index == undeclarable }
}
