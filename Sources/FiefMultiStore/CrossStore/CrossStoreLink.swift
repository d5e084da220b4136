import FiefCore
import Foundation

/// A reference to an object in another store: the store's name, the type and the primary key.
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
/// A cross-store link is a value. It can be a property, an optional property, or an element of a ``List``, a
/// ``MutableSet`` or a ``Map``. It can be indexed and compared in queries. It is stored, and written to JSON,
/// as its ``text``, such as `pets/Dog/7`. Two links are equal if their texts have the same bytes. Reading a
/// link does not access the other store; ``resolve(in:)-(StoreManager)`` does.
///
/// Stores are independent of each other. Deleting an object clears no references to it from other stores,
/// delete rules do not apply, and no transaction covers both stores. Expect references whose object no longer
/// exists: they resolve to ``CrossStoreResolution/missing(_:)``. To change several stores together, use
/// `StoreManager.write(to:)`.
public struct CrossStoreLink<Element: Object>: CustomPersistable, Hashable, Sendable {
  /// The stored form of the reference: the store's name, the type's name and the key, separated by slashes.
  ///
  /// An integer, text, UUID or object id is written in its usual form. The parts of a compound key are
  /// separated by commas, or written as a JSON array if a part contains a comma.
  public var text: String { exactText.text }

  /// The text. References are equal if their texts have the same bytes.
  private let exactText: ExactText

  /// Creates a reference from its text. Any text is accepted; an invalid one resolves to
  /// ``CrossStoreResolutionReason/malformed``.
  public init(text: String) { exactText = ExactText(text) }

  /// Creates an empty reference, which refers to no object.
  public init() { self.init(text: "") }

  /// Creates a reference to the object with a primary key. The object need not exist.
  ///
  /// - Parameters:
  ///   - store: the name of the store that contains the object, which is the `storeName` of its repository.
  ///   - key: the primary key, an array of its parts if it is a compound key, or an ``ObjectKey``.
  /// - Throws: ``FiefError`` of code `invalidStoreName` if the name cannot be the name of a store, or
  ///   `invalidValue` if the key does not fit the type.
  public init(store: String, key: Any) throws {
    try StoreName.validate(store)
    let keys = try CrossStoreKeys.of(Element.self)
    self.init(text: Self.text(store, try keys.text(of: keys.key(from: key, store: store))))
  }

  /// Creates a reference to the object with a primary key in a repository's store. The store is not opened.
  ///
  /// - Throws: the same errors as ``init(store:key:)``.
  public init(key: Any, in repository: some DatabaseConfigurable) throws {
    try self.init(store: repository.storeName, key: key)
  }

  /// Creates a reference to an object of a repository's store. The store is not opened.
  ///
  /// - Parameters:
  ///   - object: an object of exactly this class, which has a primary key or was saved before.
  ///   - repository: the repository of the store that contains the object.
  /// - Throws: ``FiefError`` of code `invalidValue` if the object is of a subclass, which is a different type
  ///   in the store, or `missingPrimaryKey` if the object has no key.
  public init(to object: Element, in repository: some DatabaseConfigurable) throws {
    let type = Swift.type(of: object)
    guard type == Element.self else {
      throw FiefError(
        .invalidValue,
        "An object of a subclass does not have the type of the reference.",
        store: repository.storeName,
        type: type.className(),
        details: ["the reference's type: \(Element.className())"]
      )
    }
    guard let key = try object.keyInQueries else {
      throw FiefError(
        .missingPrimaryKey,
        "An object without a primary key has no key before it is saved.",
        store: repository.storeName,
        type: type.className()
      )
    }
    try self.init(store: repository.storeName, key: key)
  }

  /// The name of the store that contains the object, or `nil` if the text is not a valid reference.
  public var storeName: String? { parts.map { String($0.store) } }
  /// The name of the object's type, or `nil` if the text is not a valid reference.
  public var typeName: String? { parts.map { String($0.type) } }
  /// The text of the object's key, or `nil` if the text is not a valid reference.
  public var keyText: String? { parts.map { String($0.key) } }
  /// A Boolean value that indicates whether the reference is empty because it was never set.
  public var isEmpty: Bool { text.isEmpty }

  var parts: (store: Substring, type: Substring, key: Substring)? {
    // A key may contain slashes. The names of stores and types cannot.
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    return (parts[0], parts[1], parts[2])
  }

  private static func text(_ store: String, _ key: String) -> String {
    "\(store)/\(Element.className())/\(key)"
  }

  // MARK: Stored form

  /// Creates a reference from its text.
  public init(persistedValue: String) { self.init(text: persistedValue) }
  /// The text of the reference.
  public var persistableValue: String { text }
}

extension CrossStoreLink: CustomStringConvertible, LosslessStringConvertible {
  /// Creates a reference from its text.
  public init(_ description: String) { self.init(text: description) }
  /// The text of the reference.
  public var description: String { text }
}

extension CrossStoreLink: Codable {
  /// Decodes the text of the reference.
  public init(from decoder: any Decoder) throws {
    self.init(text: try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the text of the reference.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
