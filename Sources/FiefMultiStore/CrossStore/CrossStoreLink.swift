import FiefCore
import Foundation

/// A reference to an object of another store: the store's name, the type and the primary key.
///
/// ```swift
/// class Order: Object {
///   @Persisted(primaryKey: true) var number = ""
///   @Persisted(indexed: true) var dog: CrossStoreLink<Dog>?
/// }
/// order.dog = try CrossStoreLink(to: dog, in: PetRepository())
/// switch try await order.dog?.resolve(in: manager) {
/// case .found(let dog)?: print(dog.name)
/// case .missing(let reason)?: print(reason)
/// case nil: print("no dog")
/// }
/// ```
/// It is a value: it can be a property, an optional one, an element of a ``List``, a ``MutableSet`` or a
/// ``Map``, it can be indexed and compared in queries, and it is stored and written to JSON as its ``text``,
/// `pets/Dog/7`. Reading it touches no other store; ``resolve(in:)-(StoreManager)`` does.
///
/// Stores know nothing of each other. Deleting the object clears no reference to it, no delete rule is
/// followed, and no transaction covers both stores: a reference that leads to nothing is to be expected, and
/// is the value ``CrossStoreResolution/missing(_:)``. Where both stores have to change together, there is
/// `StoreManager.write(to:)`.
public struct CrossStoreLink<Element: Object>: CustomPersistable, Hashable, Sendable {
  /// The reference as it is stored: the store's name, the type's name and the key, with slashes between them.
  ///
  /// A key that is an integer, a text, a UUID or an object id is written as it is; the parts of a compound one
  /// have commas between them, or are a JSON array where a part has a comma itself.
  public let text: String

  /// Makes a reference of its text; any text can be one, and one that is none resolves to
  /// ``CrossStoreResolutionReason/malformed``.
  public init(text: String) { self.text = text }

  /// Makes a reference that leads nowhere, with an empty text.
  public init() { text = "" }

  /// Makes a reference to the object that has a primary key, whether or not there is one.
  ///
  /// - Parameters:
  ///   - store: the name of the store that has the objects, that of its repository.
  ///   - key: the primary key, an array of the parts for a compound one, or an ``ObjectKey``.
  /// - Throws: ``FiefError`` of code `invalidStoreName` for a text that cannot be the name of a store,
  ///   `invalidValue` for a key that is not one of the type's.
  public init(store: String, key: Any) throws {
    try StoreName.validate(store)
    let keys = try CrossStoreKeys.of(Element.self)
    text = Self.text(store, try keys.text(of: keys.key(from: key, store: store)))
  }

  /// Makes a reference to the object that has a primary key in a repository's store, which is not opened.
  ///
  /// - Throws: as ``init(store:key:)``.
  public init(key: Any, in repository: some DatabaseConfigurable) throws {
    try self.init(store: repository.storeName, key: key)
  }

  /// Makes a reference to an object of a repository's store, which is not opened.
  ///
  /// - Parameters:
  ///   - object: an object of just this class, with a primary key or saved before.
  ///   - repository: the description of the store that has it.
  /// - Throws: ``FiefError`` of code `invalidValue` for an object of a subclass, which is another type to the
  ///   store; `missingPrimaryKey` for one without a key.
  public init(to object: Element, in repository: some DatabaseConfigurable) throws {
    let type = Swift.type(of: object)
    guard type == Element.self else {
      throw FiefError(
        .invalidValue,
        "An object of a subclass is of another type than the reference.",
        store: repository.storeName,
        type: type.className(),
        details: ["the reference's type: \(Element.className())"]
      )
    }
    guard let key = try object.keyInQueries else {
      throw FiefError(
        .missingPrimaryKey,
        "An object without a primary key has none before it is saved.",
        store: repository.storeName,
        type: type.className()
      )
    }
    try self.init(store: repository.storeName, key: key)
  }

  /// The name of the store that has the object; nil where the text is no reference.
  public var storeName: String? { parts.map { String($0.store) } }
  /// The name of the object's type; nil where the text is no reference.
  public var typeName: String? { parts.map { String($0.type) } }
  /// The text of the object's key; nil where the text is no reference.
  public var keyText: String? { parts.map { String($0.key) } }
  /// Whether it leads nowhere, because it was never set.
  public var isEmpty: Bool { text.isEmpty }

  var parts: (store: Substring, type: Substring, key: Substring)? {
    // A key may have slashes in it; the names of stores and types have none.
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    return (parts[0], parts[1], parts[2])
  }

  private static func text(_ store: String, _ key: String) -> String {
    "\(store)/\(Element.className())/\(key)"
  }

  // MARK: As it is stored

  /// Makes a reference of its text.
  public init(persistedValue: String) { text = persistedValue }
  /// The text.
  public var persistableValue: String { text }
}

extension CrossStoreLink: CustomStringConvertible, LosslessStringConvertible {
  /// Makes a reference of its text.
  public init(_ description: String) { text = description }
  /// The text.
  public var description: String { text }
}

extension CrossStoreLink: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
