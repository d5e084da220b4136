import FiefCore
import FiefInspection
import LMDB

/// The keys of a class as text, for references from stores that do not have the class.
final class CrossStoreKeys: Sendable {
  private let table: Table

  private init(_ table: Table) { self.table = table }

  private static let known = OwnedLock<[ObjectIdentifier: CrossStoreKeys]>([:])

  /// The keys of a class, as it is declared.
  static func of(_ type: Object.Type) throws -> CrossStoreKeys {
    let id = ObjectIdentifier(type)
    if let keys = known.withLock({ $0[id] }) { return keys }
    var catalogue = Catalogue(schemaVersion: 0)
    try catalogue.add(ObjectDescriptor.of(type))
    // References have the values of keys, whatever the key is in its store.
    catalogue.removeSecrecy()
    let keys = CrossStoreKeys(Table(entry: catalogue.types[0], records: nil, indexes: [], links: []))
    known.withLock { $0[id] = keys }
    return keys
  }

  /// - Throws: ``FiefError`` of code `invalidValue` and the like for a value that is no key of the class.
  func key(from value: Any, store: String) throws -> [UInt8] {
    try DynamicKey.key(of: table, from: value, conversion(store))
  }

  func text(of key: [UInt8]) throws -> String { try DynamicKey.text(of: key, table) }

  /// The key for a text; nil for one that the class cannot have.
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
