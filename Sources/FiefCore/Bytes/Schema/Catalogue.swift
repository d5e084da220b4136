import Foundation

/// The schema of a store, which the store itself contains.
///
/// Ids of types and columns are never reused, and a column remembers its earlier types. A record can
/// therefore be read with the layout with which it was written, however old it is, and without the
/// application's classes. If the new type of a property cannot express every value of the old type, the
/// property gets a new column.
package struct Catalogue: Sendable, Equatable {
  /// The tree that contains the catalogue.
  package static let treeName = "fief:catalogue"
  /// The name of the tree of large collections.
  package static let collectionTreeName = "fief:collections"
  /// The key of the catalogue in its tree.
  package static let key = Array("catalogue".utf8)

  /// The version of the on-disk format that this library writes for an unencrypted store.
  static let currentFormat: UInt32 = 6
  /// The version of the on-disk format that this library writes for an encrypted store. Versions of the
  /// library without encryption refuse it.
  package static let encryptedFormat: UInt32 = 8
  /// The format of encrypted stores before commits had an authenticated record. No release used it.
  private static let formatWithoutSeal: UInt32 = 7
  /// The newest format that can be read.
  static let newestFormat = encryptedFormat
  /// The first format that distinguishes a required minimum from a minimum that an empty relationship also
  /// meets.
  static let formatWithOptionalMinimum: UInt32 = 6
  /// The first format in which the checksums of records also cover their keys.
  static let formatWithKeysInChecksums: UInt32 = 6
  /// The first format with large collections in a separate tree.
  static let formatWithLargeCollections: UInt32 = 5
  /// The first format with rules of relationships and with derived properties.
  static let formatWithRules: UInt32 = 5
  /// The first format with entries for indexes. Before it, a flag of a column indicated a plain index.
  static let formatWithIndexes: UInt32 = 4
  /// The oldest format that can be read. It also lacks earlier types of columns. Format 1 was used by builds
  /// before the first release.
  static let oldestFormat: UInt32 = 2

  /// Whether a format is too old for this library.
  static func isTooOld(_ format: UInt32) -> Bool { format < oldestFormat || format == formatWithoutSeal }

  package var format: UInt32 = Catalogue.currentFormat
  package var schemaVersion: UInt64
  private var identifier: Identifier
  package var types: [TypeEntry]
  var nextTypeID: UInt32

  package init(schemaVersion: UInt64) {
    self.schemaVersion = schemaVersion
    self.identifier = Identifier(UUID())
    self.types = []
    self.nextTypeID = 1
  }

  init(format: UInt32, schemaVersion: UInt64, storeID: UUID, types: [TypeEntry], nextTypeID: UInt32) {
    self.format = format
    self.schemaVersion = schemaVersion
    self.identifier = Identifier(storeID)
    self.types = types
    self.nextTypeID = nextTypeID
  }

  /// The identifier that distinguishes the store from all other stores.
  package var storeID: UUID {
    get { UUID(uuid: unsafeBitCast(identifier, to: uuid_t.self)) }
    set { identifier = Identifier(newValue) }
  }

  // SAFETY: both have 16 bytes, and any bytes are a value of either.
  /// The bytes of an identifier as two numbers. For a structure of sixteen fields the compiler uses types
  /// that the runtime would have to instantiate when a store is opened.
  private struct Identifier: Equatable {
    let first: UInt64
    let second: UInt64

    init(_ id: UUID) { self = unsafeBitCast(id.uuid, to: Identifier.self) }
  }

  /// A secret property, given by the name of its column; `nil` if no property is secret.
  var secret: (type: String, property: String)? {
    for type in types {
      guard let column = type.columns.first(where: { $0.isSecret && !$0.isDropped }) else { continue }
      return (type.name, column.name)
    }
    return nil
  }

  package func type(named name: String) -> TypeEntry? {
    types.first { $0.name == name }
  }
}

/// One object type in the catalogue.
package struct TypeEntry: Sendable, Equatable {
  /// The highest layout version.
  static let lastLayout: UInt16 = 0x3FFF

  package var id: UInt32
  package var name: String
  package var isEmbedded: Bool
  /// The tree of the records; empty for an embedded type.
  var tree: String
  /// All columns that the type has ever had, including dropped columns.
  package var columns: [ColumnEntry]
  /// The columns of the primary key, in order; empty if keys are generated.
  package var primaryKey: [UInt16]
  /// The columns in the records of each layout version. The last version is the current one.
  var layouts: [[UInt16]]
  var nextColumnID: UInt16
  package var indexes: [IndexEntry] = []
  var nextIndexID: UInt16 = 1
  /// The relationships that have rules.
  package var relationships: [RelationshipEntry] = []
  /// The derived properties.
  package var derived: [DerivedEntry] = []

  package var currentColumns: [ColumnEntry] { columns.filter { !$0.isDropped } }

  func indexTree(_ index: IndexEntry) -> String { "index:\(id).\(index.id)" }

  package func column(named name: String) -> ColumnEntry? {
    columns.first { $0.name == name && !$0.isDropped }
  }

  package func id(ofColumnNamed name: String) -> UInt16? {
    columns.firstIndex { $0.name == name && !$0.isDropped }.map { columns[$0].id }
  }

  package func column(_ id: UInt16) -> ColumnEntry? {
    columns.first { $0.id == id }
  }
}

/// One column of a type.
package struct ColumnEntry: Sendable, Equatable {
  package var id: UInt16
  package var name: String
  package var type: ColumnType
  package var isDropped: Bool = false
  /// The property of `type.target` that an inverse follows back.
  package var originProperty: String?
  /// The payload for records written before the column existed; `nil` means nil or empty.
  var defaultPayload: [UInt8]?
  /// The earlier types of the column, in the order of the layout versions. Records with these types still
  /// exist.
  var earlier: [EarlierType] = []
  /// Whether keys contain the column's values only as tokens or sealed.
  var isSecret = false

  func backlinkTree(of type: TypeEntry) -> String { "links:\(type.id).\(id)" }
}

extension Catalogue {
  /// Returns the error for exhausted ids. Ids of types, columns and layouts are never reused, so they can run
  /// out.
  static func usedUp(type: String, property: String? = nil) -> FiefError {
    FiefError(
      .invalidSchema,
      "The store has no numbers left for schema changes. Copy its objects to a new store.",
      type: type,
      property: property
    )
  }
}
