import FiefCore
import LMDB

extension DynamicSnapshot {
  /// Objects that link one object, along one property.
  public struct Backlinks: Sendable, Hashable {
    /// The type of the objects that link.
    public let typeName: String
    /// Their property with the link.
    public let property: String
    /// Their keys in order.
    public let keys: [ObjectKey]
  }

  /// The objects that link an object, by type and property. Links from inside of embedded objects have no
  /// backlinks and are not among them.
  ///
  /// - Parameters:
  ///   - typeName: the type of the object that is linked.
  ///   - key: as in ``key(ofType:from:)``.
  /// - Returns: only the properties along which there are any.
  /// - Throws: ``FiefError`` of code `unknownType`, `invalidValue`; `damagedRecord` where a backlink names an object that there is not.
  public final func objects(linkingTo typeName: String, forKey key: Any) throws -> [Backlinks] {
    let target = try records(of: typeName).table
    let key = try DynamicKey.key(of: target, from: key, conversion(typeName))
    try described { try prepareForReading() }
    var result: [Backlinks] = []
    for table in tables.all {
      for link in table.links where link.column.type.target == target.name {
        let keys = try described { try FiefCore.Backlinks.sources(of: link, to: key, in: transaction) }
        if keys.isEmpty { continue }
        try described { try checkSources(keys, of: table, along: link) }
        result.append(Backlinks(typeName: table.name, property: link.column.name, keys: keys))
      }
    }
    return result.sorted { ($0.typeName, $0.property) < ($1.typeName, $1.property) }
  }

  private func checkSources(_ keys: [ObjectKey], of table: Table, along link: Table.LinkColumn) throws {
    guard let records = table.records else { return }
    for key in keys where try key.bytes.withUnsafeBytes({ try transaction.get(records, $0) }) == nil {
      throw link.missingSource(key, of: table)
    }
  }
}
