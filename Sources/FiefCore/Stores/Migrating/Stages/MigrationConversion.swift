import Foundation
import LMDB

/// The automatic part of a migration, before and after its block. It converts values whose type has changed
/// if this requires rewriting records, and adapts indexes to the new types.
package struct MigrationConversion {
  let migration: Migration
  let stage: MigrationStage

  private struct Change {
    let from: ColumnEntry
    let to: ColumnEntry
  }

  /// Prepares the store for the block. Afterwards every property can be read with its new type.
  func run() throws {
    for entry in stage.working.catalogue.types where !entry.isEmbedded {
      guard let old = stage.stored.type(named: entry.name), !old.isEmbedded else { continue }
      let indexes = MigrationIndexes(migration: migration, stored: old)
      for column in entry.currentColumns { try indexes.moveNil(ofColumn: column.id) }
      let changes = entry.currentColumns.compactMap { column -> Change? in
        guard let before = old.column(named: column.name), before.id != column.id,
          Self.isConvertible(from: before.type, to: column.type)
        else { return nil }
        return Change(from: before, to: column)
      }
      if !changes.isEmpty { try convert(changes, of: entry.name) }
    }
  }

  /// Builds the new indexes after the block. The indexes of objects with new keys are already complete.
  func finish(_ catalogue: Catalogue) throws {
    for entry in catalogue.types where !entry.isEmbedded {
      guard let old = stage.stored.type(named: entry.name), old.id == entry.id, !old.isEmbedded else {
        continue
      }
      try MigrationIndexes(migration: migration, stored: old).build()
    }
  }

  /// Whether values are converted without the block: between integers, from numbers to wider types, from
  /// numbers and identifiers to text, and between optional and required. The same applies to the elements of
  /// a list, a set or a map.
  package static func isConvertible(from: ColumnType, to: ColumnType) -> Bool {
    guard from.container == to.container else { return false }
    if from.kind == to.kind { return from.target == to.target }
    switch from.kind {
    case .int8, .int16, .int32, .int64:
      return [.int8, .int16, .int32, .int64, .double, .decimal, .string].contains(to.kind)
    case .float: return [.double, .decimal, .string].contains(to.kind)
    case .double: return [.decimal, .string].contains(to.kind)
    case .decimal, .uuid, .objectId: return to.kind == .string
    default: return false
    }
  }

  /// Returns a value in a form that can be assigned to a property of another type. Numbers and identifiers
  /// become text if necessary; other values are unchanged.
  static func assignable(_ value: Any?, from: ColumnType, to: ColumnType) -> Any? {
    guard let value, from.kind != to.kind, to.kind == .string || (from.kind == .float && to.kind == .decimal)
    else { return value }
    switch from.container {
    case .none: return assignable(element: value, to: to)
    case .list, .set:
      return (value as? [Any?])?.map { $0.flatMap { assignable(element: $0, to: to) } } ?? value
    case .map:
      return (value as? [String: Any?])?.mapValues { $0.flatMap { assignable(element: $0, to: to) } } ?? value
    }
  }

  private static func assignable(element: Any, to: ColumnType) -> Any? {
    switch element {
    case let number as Float where to.kind == .decimal: DecimalText("\(number)")?.decimal ?? number
    case let number as any BinaryInteger: "\(number)"
    case let number as Float: "\(number)"
    case let number as Double: "\(number)"
    case let number as Decimal: "\(number)"
    case let id as UUID: id.uuidString
    case let id as ObjectId: "\(id)"
    default: element
    }
  }

  /// Converts a value of an embedded object to its new type. If the property is now required, nil becomes the
  /// default.
  ///
  /// - Throws: ``FiefError`` with the embedded type and its property if the value does not fit.
  static func converted(
    _ payload: [UInt8]?,
    from: ColumnEntry,
    to: ColumnEntry,
    _ conversion: ValueConversion
  ) throws -> [UInt8]? {
    guard let value = try payload.withBytes({ try DynamicPayload.value($0, type: from.type) }) else {
      return to.type.isOptional ? nil : to.defaultPayload
    }
    return try DynamicPayload.payload(
      assignable(value, from: from.type, to: to.type),
      type: to.type,
      conversion
    )
  }

  private func convert(_ changes: [Change], of typeName: String) throws {
    migration.enumerateObjects(ofType: typeName) { old, new in
      guard let old, let new else { return }
      for change in changes {
        // The column may have had a different name.
        guard let name = old.table?.entry.column(change.from.id)?.name else { continue }
        let value = old[name]
        // If the property is now required, nil becomes the default.
        if value == nil, !change.to.type.isOptional { continue }
        new[change.to.name] = Self.assignable(value, from: change.from.type, to: change.to.type)
      }
    }
    if let failure = migration.failure { throw failure }
  }
}
