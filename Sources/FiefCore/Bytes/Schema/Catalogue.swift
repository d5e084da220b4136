import Foundation

/// The schema that a store keeps of itself.
///
/// Ids of types and columns are never reused, and a column remembers the types that it had: a record can be
/// read with the layout that it was written with, however old it is, and without the application's classes. A
/// property whose new type cannot express every value of the old one gets a new column.
package struct Catalogue: Sendable, Equatable {
  /// The tree that it is in.
  package static let treeName = "fief:catalogue"
  /// Its key there.
  package static let key = Array("catalogue".utf8)

  /// The version of the on-disk format that this library writes for a store in clear.
  static let currentFormat: UInt32 = 6
  /// The same for an encrypted store. Versions that know no encryption refuse it.
  package static let encryptedFormat: UInt32 = 8
  /// The format of encrypted stores before commits had an authenticated record. No release had it.
  private static let formatWithoutSeal: UInt32 = 7
  /// The newest format that can be read.
  static let newestFormat = encryptedFormat
  /// The first format that distinguishes a least number of objects from one that counts where there are any only.
  static let formatWithOptionalMinimum: UInt32 = 6
  /// The first format whose records have checksums that cover their keys too.
  static let formatWithKeysInChecksums: UInt32 = 6
  /// The first format with large collections in a tree of their own.
  static let formatWithLargeCollections: UInt32 = 5
  /// The first format with rules of relationships and derived properties.
  static let formatWithRules: UInt32 = 5
  /// The first format with indexes as entries; before it a flag of a column said that it has a plain one.
  static let formatWithIndexes: UInt32 = 4
  /// The oldest format that can be read: it lacks earlier types of columns too. Format 1 was that of builds
  /// before the first release.
  static let oldestFormat: UInt32 = 2

  /// Whether a format is older than the formats that this library reads.
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

  /// Tells the store from all others.
  package var storeID: UUID {
    get { UUID(uuid: unsafeBitCast(identifier, to: uuid_t.self)) }
    set { identifier = Identifier(newValue) }
  }

  // SAFETY: both have 16 bytes, and any bytes are a value of either.
  /// The bytes of an identifier, in two numbers: the compiler handles a structure of sixteen fields by types that the
  /// runtime has to make when a store is opened.
  private struct Identifier: Equatable {
    let first: UInt64
    let second: UInt64

    init(_ id: UUID) { self = unsafeBitCast(id.uuid, to: Identifier.self) }
  }

  /// A property that is secret, by the name of its column; nil where none is.
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
  /// The highest number of a layout.
  static let lastLayout: UInt16 = 0x3FFF

  package var id: UInt32
  package var name: String
  package var isEmbedded: Bool
  /// The tree of the records; empty for an embedded type.
  var tree: String
  /// Every column that the type ever had, dropped ones too.
  package var columns: [ColumnEntry]
  /// The columns of the primary key, in order; empty where keys are generated.
  package var primaryKey: [UInt16]
  /// The columns in the records of each layout version; the last is the current one.
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
  /// The payload that records written before the column existed have for it; nil is nil or empty.
  var defaultPayload: [UInt8]?
  /// The types that it had before, in the order of the layout versions; records of these are still there.
  var earlier: [EarlierType] = []
  /// Whether its values are in keys as tokens, or sealed.
  var isSecret = false

  func backlinkTree(of type: TypeEntry) -> String { "links:\(type.id).\(id)" }
}

extension Catalogue {
  /// Numbers of types, columns and layouts are never used again, so that they can run out.
  static func usedUp(type: String, property: String? = nil) -> FiefError {
    FiefError(
      .invalidSchema,
      "The store has no numbers left for further changes of the schema; copy its objects to a new one.",
      type: type,
      property: property
    )
  }
}
