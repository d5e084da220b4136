import FiefCore
import LMDB

/// Objects that cannot be read.
package enum DynamicDamage {
  /// An object with a damaged record or a damaged collection.
  case object(ObjectKey)
  /// The objects between two readable ones, on damaged pages. A key is `nil` if no object before or after the
  /// damage can be read.
  case pages(after: ObjectKey?, before: ObjectKey?)
}

extension DynamicSnapshot {
  /// Calls a closure with every object of a type that can be read, in the order of the keys.
  ///
  /// If pages are damaged in several places, the objects between the first and the last place are skipped.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - after: a key; only the objects after it are read.
  ///   - body: receives the objects.
  ///   - onDamage: called instead of `body` for objects that cannot be read.
  /// - Throws: ``FiefError`` of code `unknownType`, or `invalidValue` if the type is embedded; errors of the
  ///   closures, except damage that `body` found.
  package final func forEachReadable(
    ofType typeName: String,
    after: ObjectKey? = nil,
    _ body: (DynamicObject) throws -> Void,
    onDamage: (DynamicDamage, FiefError) throws -> Void
  ) throws {
    let (table, records) = try records(of: typeName)
    let walk = RecordWalk(table, records, after: after?.bytes, in: transaction)
    func report(_ error: any Error, _ damage: DynamicDamage, key: [UInt8]? = nil) throws {
      let described = FiefError.described(error, store: tables.storeName, type: typeName, key: key)
      guard let described = described as? FiefError,
        described.code == .damagedStore || described.code == .damagedRecord
      else { throw described }
      try onDamage(damage, described)
      transaction.acknowledgeDamage()
    }
    var isAtEnd = false
    while !isAtEnd {
      do {
        let batch = try walk.next(Self.batch)
        isAtEnd = batch.isEmpty
        for (key, record) in batch {
          let shown = ObjectKey(bytes: key)
          do {
            try body(
              DynamicObject(table, tables, key: shown, record: try record.get(), in: transaction)
            )
          } catch {
            try report(error, .object(shown), key: table.shown(key))
          }
        }
      } catch let error as LMDBError {
        let last = walk.lastKey
        let next = walk.skipDamage()
        try report(
          error,
          .pages(after: last.map { ObjectKey(bytes: $0) }, before: next.map { ObjectKey(bytes: $0) })
        )
        isAtEnd = next == nil
      }
    }
  }
}
