import FiefCore
import LMDB

extension DynamicSnapshot {
  /// The objects that link to one object through one property.
  public struct Backlinks: Sendable, Hashable {
    /// The type of the linking objects.
    public let typeName: String
    /// The property of the linking objects.
    public let property: String
    /// The keys of the linking objects, in order.
    public let keys: [ObjectKey]
  }

  /// Returns the objects that link to an object, by type and property. Links inside embedded objects have no
  /// backlinks and are not included.
  ///
  /// - Parameters:
  ///   - typeName: the type of the linked object.
  ///   - key: as in ``key(ofType:from:)``.
  /// - Returns: the backlinks for each property through which at least one object links.
  /// - Throws: ``FiefError`` of code `unknownType` or `invalidValue`; `damagedRecord` if a backlink names an
  ///   object that does not exist.
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
