import Foundation
import LMDB

/// The binary form of the catalogue; docs/format.md describes it.
extension Catalogue {
  func encoded() -> [UInt8] {
    var writer = ValueWriter()
    // The catalogue is written in the oldest format that can express its contents and is not older than the
    // store's format. Earlier versions of the library can then still read it.
    let hasRules = types.contains { !$0.relationships.isEmpty || !$0.derived.isEmpty }
    let hasOptional = types.contains { $0.relationships.contains(where: \.mayBeEmpty) }
    let needed =
      hasOptional ? Self.formatWithOptionalMinimum : hasRules ? Self.formatWithRules : Self.formatWithIndexes
    let format = max(format, needed)
    writer.appendInteger(format)
    writer.appendInteger(schemaVersion)
    withUnsafeBytes(of: storeID.uuid) { writer.append($0) }
    writer.appendInteger(nextTypeID)
    writer.appendCount(types.count)
    for type in types { type.append(to: &writer, format: format) }
    let checksum = writer.withBytes { RecordChecksum.compute($0) }
    writer.appendInteger(checksum)
    return writer.bytes
  }

  static func tooNew(_ format: UInt32) -> FiefError {
    FiefError(
      .formatTooNew,
      "The store was written by a newer version of the library.",
      details: ["the store's format: \(format)", "the newest supported format: \(newestFormat)"]
    )
  }

  static func tooOld(_ format: UInt32) -> FiefError {
    let oldest = format < oldestFormat ? oldestFormat : encryptedFormat
    return FiefError(
      .formatTooOld,
      "The store's format is too old for this version of the library. Export it with the version that wrote it, then import it.",
      details: ["the store's format: \(format)", "the oldest readable format: \(oldest)"]
    )
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(FiefError) -> Catalogue {
    guard bytes.count > 8 else { throw damaged }
    // The format comes first, so that a newer format is not mistaken for damage, whatever follows it.
    let format = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    guard format <= newestFormat else { throw tooNew(format) }
    let body = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 4)])
    let stored = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: body.count, as: UInt32.self))
    guard stored == RecordChecksum.compute(body) else { throw damaged }
    // The checksum is at the end in every format, so that an older format is not mistaken for damage either.
    if isTooOld(format) { throw tooOld(format) }
    var reader = ValueReader(body, context: nil)
    _ = try reader.integer(UInt32.self)
    let schemaVersion = try reader.integer(UInt64.self)
    let storeID = UUID(uuid: try reader.take(16).loadUnaligned(as: uuid_t.self))
    let nextTypeID = try reader.integer(UInt32.self)
    var types: [TypeEntry] = []
    for _ in 0..<(try reader.count()) { types.append(try TypeEntry(from: &reader, format: format)) }
    return Catalogue(
      format: format,
      schemaVersion: schemaVersion,
      storeID: storeID,
      types: types,
      nextTypeID: nextTypeID
    )
  }

  package static var damaged: FiefError {
    FiefError(.damagedStore, "The catalogue of the store is damaged.")
  }
}

extension TypeEntry {
  fileprivate func append(to writer: inout ValueWriter, format: UInt32) {
    writer.appendInteger(id)
    writer.appendSized { $0.append(name) }
    writer.appendInteger(UInt8(isEmbedded ? 1 : 0))
    writer.appendSized { $0.append(tree) }
    writer.appendCount(columns.count)
    for column in columns { column.append(to: &writer) }
    writer.appendCount(primaryKey.count)
    for id in primaryKey { writer.appendInteger(id) }
    writer.appendCount(layouts.count)
    for layout in layouts {
      writer.appendCount(layout.count)
      for id in layout { writer.appendInteger(id) }
    }
    writer.appendInteger(nextColumnID)
    writer.appendCount(indexes.count)
    for index in indexes { index.append(to: &writer) }
    writer.appendInteger(nextIndexID)
    if format < Catalogue.formatWithRules { return }
    writer.appendCount(relationships.count)
    for relationship in relationships { relationship.append(to: &writer, format: format) }
    writer.appendCount(derived.count)
    for derivation in derived { derivation.append(to: &writer) }
  }

  fileprivate init(from reader: inout ValueReader, format: UInt32) throws(FiefError) {
    id = try reader.integer(UInt32.self)
    name = String(decoding: try reader.sized(), as: UTF8.self)
    isEmbedded = try reader.integer(UInt8.self) != 0
    tree = String(decoding: try reader.sized(), as: UTF8.self)
    columns = []
    var indexed: [UInt16] = []
    for _ in 0..<(try reader.count()) { columns.append(try ColumnEntry(from: &reader, indexed: &indexed)) }
    primaryKey = try Self.ids(from: &reader)
    layouts = []
    for _ in 0..<(try reader.count()) { layouts.append(try Self.ids(from: &reader)) }
    nextColumnID = try reader.integer(UInt16.self)
    if format >= Catalogue.formatWithIndexes {
      for _ in 0..<(try reader.count()) { indexes.append(try IndexEntry(from: &reader)) }
      nextIndexID = try reader.integer(UInt16.self)
    } else {
      // The trees are named by the numbers of the columns, including dropped columns.
      for id in indexed { indexes.append(IndexEntry(id: id, columns: [id])) }
      nextIndexID = nextColumnID
    }
    if format >= Catalogue.formatWithRules {
      for _ in 0..<(try reader.count()) {
        relationships.append(try RelationshipEntry(from: &reader, format: format))
      }
      for _ in 0..<(try reader.count()) { derived.append(try DerivedEntry(from: &reader)) }
    }
    guard isConsistent, hasConsistentRules, format >= Catalogue.encryptedFormat || !hasSecrets else {
      throw Catalogue.damaged
    }
  }

  /// Whether the type has secret columns, which only encrypted stores may have. The loop uses indexes, as
  /// below.
  private var hasSecrets: Bool { columns.indices.contains { columns[$0].isSecret } }

  /// Whether the entry is consistent enough for the rest of the library to read records with it.
  private var isConsistent: Bool {
    var isKnown = [Bool](repeating: false, count: Int(nextColumnID))
    // The loop uses indexes, because copying a column retains five references.
    for index in columns.indices {
      let id = columns[index].id
      guard id < nextColumnID, !isKnown[Int(id)] else { return false }
      isKnown[Int(id)] = true
      if columns[index].earlier.isEmpty { continue }
      guard columns[index].hasConsistentEarlierTypes(layouts: layouts.count) else { return false }
    }
    var last: UInt16 = 0
    for index in indexes {
      guard index.id < nextIndexID, !index.columns.isEmpty,
        index.columns.count <= IndexEntry.mostColumns,
        index.columns.allSatisfy({ $0 < nextColumnID && isKnown[Int($0)] })
      else { return false }
      // In a store that had another format before, the ids may be in any order.
      if index.id <= last, indexes.count(where: { $0.id == index.id }) > 1 { return false }
      last = index.id
    }
    let areKnown = { (ids: [UInt16]) in ids.allSatisfy { $0 < nextColumnID && isKnown[Int($0)] } }
    return areKnown(primaryKey) && layouts.allSatisfy(areKnown)
      && (1...(Int(Self.lastLayout) + 1)).contains(layouts.count)
  }

  private static func ids(from reader: inout ValueReader) throws(FiefError) -> [UInt16] {
    var ids: [UInt16] = []
    for _ in 0..<(try reader.count()) { ids.append(try reader.integer(UInt16.self)) }
    return ids
  }
}

extension ColumnEntry {
  private enum Flag {
    /// Only set in formats before 4.
    static let indexed: UInt8 = 1
    static let dropped: UInt8 = 2
    static let optional: UInt8 = 4
    static let hasTarget: UInt8 = 8
    static let hasOrigin: UInt8 = 16
    static let hasDefault: UInt8 = 32
    static let hasEarlierTypes: UInt8 = 64
    static let secret: UInt8 = 128
  }

  fileprivate func append(to writer: inout ValueWriter) {
    writer.appendInteger(id)
    writer.appendSized { $0.append(name) }
    var flags: UInt8 = 0
    if isDropped { flags |= Flag.dropped }
    if type.isOptional { flags |= Flag.optional }
    if type.target != nil { flags |= Flag.hasTarget }
    if originProperty != nil { flags |= Flag.hasOrigin }
    if defaultPayload != nil { flags |= Flag.hasDefault }
    if !earlier.isEmpty { flags |= Flag.hasEarlierTypes }
    if isSecret { flags |= Flag.secret }
    writer.appendInteger(flags)
    writer.appendInteger(type.kind.rawValue)
    writer.appendInteger(type.container.rawValue)
    if let target = type.target { writer.appendSized { $0.append(target) } }
    if let originProperty { writer.appendSized { $0.append(originProperty) } }
    if let defaultPayload { writer.appendSized { $0.append(defaultPayload) } }
    if earlier.isEmpty { return }
    writer.appendCount(earlier.count)
    for type in earlier { type.append(to: &writer) }
  }

  /// - Parameter indexed: receives the id of the column if the column's flag indicates an index.
  fileprivate init(from reader: inout ValueReader, indexed: inout [UInt16]) throws(FiefError) {
    id = try reader.integer(UInt16.self)
    name = String(decoding: try reader.sized(), as: UTF8.self)
    let flags = try reader.integer(UInt8.self)
    guard let kind = ColumnType.Kind(rawValue: try reader.integer(UInt8.self)),
      let container = ColumnType.Container(rawValue: try reader.integer(UInt8.self))
    else { throw Catalogue.damaged }
    type = ColumnType(kind, isOptional: flags & Flag.optional != 0, container: container)
    isDropped = flags & Flag.dropped != 0
    isSecret = flags & Flag.secret != 0
    if flags & Flag.indexed != 0, !isDropped { indexed.append(id) }
    if flags & Flag.hasTarget != 0 { type.target = String(decoding: try reader.sized(), as: UTF8.self) }
    if flags & Flag.hasOrigin != 0 { originProperty = String(decoding: try reader.sized(), as: UTF8.self) }
    if flags & Flag.hasDefault != 0 { defaultPayload = [UInt8](try reader.sized()) }
    if flags & Flag.hasEarlierTypes == 0 { return }
    for _ in 0..<(try reader.count()) { earlier.append(try EarlierType(from: &reader)) }
  }
}

extension EarlierType {
  private enum Flag {
    static let optional: UInt8 = 1
    static let hasNilPayload: UInt8 = 2
  }

  fileprivate func append(to writer: inout ValueWriter) {
    writer.appendInteger(through)
    writer.appendInteger(kind.rawValue)
    let flags = (isOptional ? Flag.optional : 0) | (nilPayload == nil ? 0 : Flag.hasNilPayload)
    writer.appendInteger(flags)
    if let nilPayload { writer.appendSized { $0.append(nilPayload) } }
  }

  fileprivate init(from reader: inout ValueReader) throws(FiefError) {
    through = try reader.integer(UInt16.self)
    guard let kind = ColumnType.Kind(rawValue: try reader.integer(UInt8.self)) else {
      throw Catalogue.damaged
    }
    self.kind = kind
    let flags = try reader.integer(UInt8.self)
    isOptional = flags & Flag.optional != 0
    if flags & Flag.hasNilPayload != 0 { nilPayload = [UInt8](try reader.sized()) }
  }
}

extension IndexEntry {
  private enum Flag {
    static let unique: UInt8 = 1
    static let caseInsensitive: UInt8 = 2
  }

  fileprivate func append(to writer: inout ValueWriter) {
    writer.appendInteger(id)
    writer.appendInteger(kind.rawValue)
    writer.appendInteger((isUnique ? Flag.unique : 0) | (isCaseInsensitive ? Flag.caseInsensitive : 0))
    writer.appendCount(columns.count)
    for column in columns { writer.appendInteger(column) }
  }

  fileprivate init(from reader: inout ValueReader) throws(FiefError) {
    id = try reader.integer(UInt16.self)
    guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else { throw Catalogue.damaged }
    self.kind = kind
    let flags = try reader.integer(UInt8.self)
    isUnique = flags & Flag.unique != 0
    isCaseInsensitive = flags & Flag.caseInsensitive != 0
    columns = []
    for _ in 0..<(try reader.count()) { columns.append(try reader.integer(UInt16.self)) }
  }
}
