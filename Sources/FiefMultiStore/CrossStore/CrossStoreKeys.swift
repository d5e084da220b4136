import FiefCore
import FiefInspection
import LMDB

/// Converts the keys of a class to and from text, for references from stores that do not have the class.
final class CrossStoreKeys: Sendable {
  private let table: Table

  private init(_ table: Table) { self.table = table }

  private static let known = OwnedLock<[ObjectIdentifier: CrossStoreKeys]>([:])

  /// Returns the converter for the keys of a class.
  static func of(_ type: Object.Type) throws -> CrossStoreKeys {
    let id = ObjectIdentifier(type)
    if let keys = known.withLock({ $0[id] }) { return keys }
    var catalogue = Catalogue(schemaVersion: 0)
    try catalogue.add(ObjectDescriptor.of(type))
    // References contain plain key values, even if the key is secret in its store.
    catalogue.removeSecrecy()
    let keys = CrossStoreKeys(Table(entry: catalogue.types[0], records: nil, indexes: [], links: []))
    known.withLock { $0[id] = keys }
    return keys
  }

  /// - Throws: ``FiefError``, for example of code `invalidValue`, if the value cannot be a key of the class.
  func key(from value: Any, store: String) throws -> [UInt8] {
    try DynamicKey.key(of: table, from: value, conversion(store))
  }

  func text(of key: [UInt8]) throws -> String { try DynamicKey.text(of: key, table) }

  /// Returns the key for a text, or `nil` if the text cannot be a key of the class.
  func key(fromText text: String) -> ObjectKey? {
    let conversion = conversion("")
    guard let parts = try? DynamicKey.parts(fromText: text, table, conversion),
      let key = try? DynamicKey.key(of: table, parts: parts, conversion)
    else { return nil }
    return ObjectKey(bytes: key)
  }

  private func conversion(_ store: String) -> ValueConversion {
    var conversion = ValueConversion()
    conversion.store = store
    conversion.type = table.name
    return conversion
  }
}
