@_spi(Reflection) import Swift

/// What the library knows of a class: its persisted properties with their places in an object.
///
/// Built once for a class, from the runtime's description of its fields and from one new object of it.
final class ObjectDescriptor: Sendable {
  let type: ObjectBase.Type
  let name: String
  let properties: [PropertyDescriptor]
  /// The place of each property's flags in an object, in bytes.
  let flagsOffsets: [Int32]
  /// The indexes in `properties` of the primary key's parts.
  let primaryKey: [Int]
  /// Whether `init()` itself assigns properties, so that an object just read seems to be changed.
  let assignsInInitializer: Bool
  /// Whether objects have collections or embedded objects, through which they are changed as well.
  let hasParts: Bool
  /// Whether unread values have to be encodable without their object.
  let isEncodable: Bool
  private let indexByName: [String: Int]
  private let indexByOffset: [Int: Int]

  var isEmbedded: Bool { type is EmbeddedObject.Type }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    self.name = type.className()
    let mapping = type.propertiesMapping()
    let prototype = type.init()
    // SAFETY: `prototype` is alive for the whole closure; the flags are bytes inside of it.
    let properties = withExtendedLifetime(prototype) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
      return Self.fields(of: type).map { name, offset, field in
        let flagsOffset = offset + field.flagsOffset
        let flags = base.load(fromByteOffset: flagsOffset, as: UInt8.self)
        let origin = (field.value(base + offset) as? any LinkingObjectsValue)?.originPropertyName
        return PropertyDescriptor(
          name: name,
          column: mapping[name] ?? name,
          type: field.columnType,
          offset: offset,
          flagsOffset: flagsOffset,
          field: field,
          isPrimaryKey: flags & PersistedFlags.primaryKey != 0,
          isIndexed: flags & PersistedFlags.indexed != 0,
          originProperty: origin
        )
      }
    }
    self.properties = properties
    self.hasParts = properties.contains { $0.access == .collection || $0.type.kind == .embedded }
    self.flagsOffsets = properties.map { Int32(truncatingIfNeeded: $0.flagsOffset) }
    self.isEncodable = type is any Encodable.Type
    self.assignsInInitializer = withExtendedLifetime(prototype) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
      return properties.contains {
        base.load(fromByteOffset: $0.flagsOffset, as: UInt8.self) & PersistedFlags.assigned != 0
      }
    }
    self.primaryKey = properties.indices.filter { properties[$0].isPrimaryKey }
    self.indexByName = Dictionary(
      properties.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    self.indexByOffset = Dictionary(
      properties.enumerated().map { ($1.offset, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  func property(named name: String) -> PropertyDescriptor? {
    indexByName[name].map { properties[$0] }
  }

  func index(ofPropertyNamed name: String) -> Int? { indexByName[name] }

  func property(at offset: Int) -> PropertyDescriptor? {
    indexByOffset[offset].map { properties[$0] }
  }

  private static let descriptors = Lock<[ObjectIdentifier: ObjectDescriptor]>([:])

  /// The descriptor of a class.
  static func of(_ type: ObjectBase.Type) -> ObjectDescriptor {
    let id = ObjectIdentifier(type)
    if let known = descriptors.withLock({ $0[id] }) { return known }
    // Outside the lock, since an initialiser of the application's runs; two threads may both build it.
    let descriptor = ObjectDescriptor(type)
    return descriptors.withLock { table in
      if let known = table[id] { return known }
      table[id] = descriptor
      return descriptor
    }
  }

  /// Name, offset and field type of each persisted property, inherited ones first.
  private static func fields(of type: ObjectBase.Type) -> [(String, Int, any PersistedField.Type)] {
    var result: [(String, Int, any PersistedField.Type)] = []
    let forClass = _EachFieldOptions(rawValue: 1)
    _ = _forEachField(of: type, options: forClass) { name, offset, fieldType, _ in
      if let field = fieldType as? any PersistedField.Type {
        // The compiler names a wrapper's storage after its property, with an underscore in front.
        result.append((String(String(cString: name).dropFirst()), offset, field))
      }
      return true
    }
    return result
  }
}

/// One persisted property of a class.
final class PropertyDescriptor: Sendable {
  let name: String
  /// The name of its column in the store.
  let column: String
  let type: ColumnType
  /// The place of the wrapper in an object, in bytes.
  let offset: Int
  /// The place of the wrapper's flags in an object, in bytes.
  let flagsOffset: Int
  let field: any PersistedField.Type
  let isPrimaryKey: Bool
  let isIndexed: Bool
  let originProperty: String?
  let access: FieldAccess

  init(
    name: String,
    column: String,
    type: ColumnType,
    offset: Int,
    flagsOffset: Int,
    field: any PersistedField.Type,
    isPrimaryKey: Bool,
    isIndexed: Bool,
    originProperty: String?
  ) {
    self.name = name
    self.column = column
    self.type = type
    self.offset = offset
    self.flagsOffset = flagsOffset
    self.field = field
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.originProperty = originProperty
    self.access = FieldAccess(valueType: field.valueType, columnType: type)
  }
}
