import LMDB
import Synchronization

/// The description of a class: its persisted properties with their offsets in an object.
///
/// It is created once for each class, from the runtime's description of the class's fields and from one new
/// object.
package final class ObjectDescriptor: Sendable {
  package let type: ObjectBase.Type
  package let name: String
  package let properties: [PropertyDescriptor]
  /// The offset of each property's flags in an object, in bytes.
  let flagsOffsets: [Int]
  /// The indexes in `properties` of the primary key's parts.
  let primaryKey: [Int]
  /// The indexes, given by column names.
  package let indexes: [IndexName]
  /// Descriptions of the invalid index declarations.
  let indexViolations: [String]
  /// The rules of its relationships, given by column names.
  package let relationships: [RelationshipName]
  /// The relationships with only a minimum of 1, which had a different meaning before format 6.
  let leastOnes: [RelationshipName]
  /// The derived properties, given by column names.
  package let derived: [DerivedName]
  /// The descriptors of the derived properties.
  let derivedProperties: [PropertyDescriptor]
  /// The lifetime of the objects, or `nil` if they do not expire.
  package let lifetime: DeclaredLifetime?
  /// Descriptions of the invalid declarations of relationships, derived properties and the lifetime.
  let ruleViolations: [String]
  /// Whether `init()` itself assigns properties, which would make an object appear changed right after it was
  /// read.
  let assignsInInitializer: Bool
  /// Whether objects contain collections or embedded objects, whose changes also change the object.
  let hasParts: Bool
  /// The links of an embedded class, by the linked type. The store keeps no backlinks for them.
  let partLinks: [String: [PropertyDescriptor]]
  /// Whether a new object already links to other objects or has embedded objects.
  let hasDefaultObjects: Bool
  let hasInverses: Bool
  /// The number of dates in a new object whose default is the time of its creation.
  let dateCount: Int
  /// The properties that are collections or single embedded objects.
  let parts: [PropertyDescriptor]
  /// The offset of each reference to a single linked or embedded object, in bytes.
  let heldObjectOffsets: [Int]
  /// The offset of each `AnyRealmValue` property, in bytes.
  let heldValueOffsets: [Int]
  private let encodability: Atomic<UInt8>
  /// Whether this is a stand-in without properties, for use in the class's own `init()` while Fief describes
  /// the class.
  let isProvisional: Bool

  package var isEmbedded: Bool { type is EmbeddedObject.Type }

  private init(_ type: ObjectBase.Type) {
    isProvisional = false
    self.type = type
    self.name = type.className()
    let prototype = ClassPrototype.of(type)
    let properties = Self.properties(of: type)
    self.properties = properties
    let indexes = DeclaredIndexes(type, name: name, properties: properties)
    self.indexes = indexes.names
    self.indexViolations = indexes.violations
    let relationships = DeclaredRelationships(type, name: name, properties: properties)
    self.relationships = relationships.names
    self.leastOnes = relationships.leastOnes
    let derived = DeclaredDerivations(type, name: name, properties: properties)
    self.derived = derived.names
    self.derivedProperties =
      derived.names.isEmpty
      ? [] : properties.filter { property in derived.names.contains { $0.column == property.column } }
    var lifetimeViolations: [String] = []
    self.lifetime = DeclaredLifetime(
      type,
      name: name,
      properties: properties,
      derived: derived.names,
      &lifetimeViolations
    )
    self.ruleViolations = relationships.violations + derived.violations + lifetimeViolations
    self.hasParts = properties.contains { $0.access == .collection || $0.isPart }
    self.partLinks =
      type is EmbeddedObject.Type
      ? Dictionary(grouping: properties.filter { $0.type.kind == .link }) { $0.type.target ?? "" } : [:]
    self.hasInverses = properties.contains { $0.type.kind == .linkingObjects }
    self.dateCount = properties.count {
      $0.type.kind == .date && $0.type.container == .none && !$0.type.isOptional
    }
    if hasInverses, type is EmbeddedObject.Type { PartPlace.areUsed.store(true, ordering: .relaxed) }
    self.parts = properties.filter { $0.access == .collection || $0.isPart }
    self.flagsOffsets = properties.map(\.flagsOffset)
    self.heldObjectOffsets = properties.filter { $0.access == .fault }.map(\.offset)
    self.heldValueOffsets = properties.filter { $0.field.valueType == AnyRealmValue.self }.map(\.offset)
    let held = self.heldObjectOffsets
    // SAFETY: the values are references or nil, and the first fields of wrappers in `prototype`, which is
    // alive.
    self.hasDefaultObjects = withExtendedLifetime(prototype) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
      return held.contains { base.load(fromByteOffset: $0, as: UnsafeRawPointer?.self) != nil }
    }
    self.assignsInInitializer = withExtendedLifetime(prototype) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
      return properties.contains {
        base.load(fromByteOffset: $0.flagsOffset, as: UInt8.self) & PersistedFlags.assigned != 0
      }
    }
    self.primaryKey = properties.indices.filter { properties[$0].isPrimaryKey }
    let hasUnread = properties.contains { $0.access == .fault || $0.access == .collection }
    let mayBeDeferred = hasUnread || properties.contains { $0.field.mayHaveUnknown }
    self.encodability = Atomic(mayBeDeferred ? Encodability.unknown : Encodability.no)
  }

  /// Creates a stand-in without properties. A store rejects a class with such a descriptor.
  private init(provisional type: ObjectBase.Type) {
    isProvisional = true
    Self.standIns.wrappingAdd(1, ordering: .relaxed)
    self.type = type
    name = type.className()
    (properties, derivedProperties, parts, partLinks) = ([], [], [], [:])
    (flagsOffsets, primaryKey, heldObjectOffsets, heldValueOffsets) = ([], [], [], [])
    (indexes, relationships, leastOnes, derived, lifetime) = ([], [], [], [], nil)
    (indexViolations, ruleViolations) = ([], [])
    (assignsInInitializer, hasParts, hasDefaultObjects) = (false, false, false)
    (hasInverses, dateCount) = (false, 0)
    encodability = Atomic(Encodability.no)
  }

  /// Returns the persisted properties of a class whose descriptor may still be under construction.
  static func properties(of type: ObjectBase.Type) -> [PropertyDescriptor] {
    if ClassPrototype.isInTheMaking(type) {
      standIns.wrappingAdd(1, ordering: .relaxed)
      return []
    }
    let mapping = type.propertiesMapping()
    let prototype = ClassPrototype.of(type)
    // SAFETY: `prototype` is alive for the whole closure, and the flags are bytes inside it.
    return withExtendedLifetime(prototype) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
      return PersistedFields.of(type).map { PropertyDescriptor($0, in: base, mapping: mapping) }
    }
  }

  package func property(named name: String) -> PropertyDescriptor? {
    properties.first { $0.name == name }
  }

  /// Whether the property alone has an index of any kind.
  package func isIndexed(_ property: PropertyDescriptor) -> Bool {
    indexes.contains {
      $0.kind == .ordered && $0.columns.count == 1 && $0.columns[0] == property.column
    }
  }

  /// Whether each property is a number, a text or another value that is in the record and refers to no
  /// object.
  var hasOnlyPlainValues: Bool {
    properties.allSatisfy {
      switch $0.type.kind {
      case .any, .link, .embedded, .linkingObjects: false
      default: $0.type.container == .none
      }
    }
  }

  func property(at offset: Int) -> PropertyDescriptor? {
    properties.first { $0.offset == offset }
  }

  /// Whether unread values must be encodable without their object, because the class is `Encodable`.
  ///
  /// The value is determined lazily, because the runtime searches all conformances of the process for it.
  var isEncodable: Bool {
    let known = encodability.load(ordering: .relaxed)
    if known != Encodability.unknown { return known == Encodability.yes }
    let isEncodable = type is any Encodable.Type
    encodability.store(isEncodable ? Encodability.yes : Encodability.no, ordering: .relaxed)
    return isEncodable
  }

  private enum Encodability {
    static let unknown: UInt8 = 0
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
  }

  /// The number of times that a stand-in was used while a class was being described.
  private static let standIns = Atomic(0)

  /// The descriptors by class address. The type of arrays of integers already exists in the runtime.
  private static let descriptors = OwnedLock(SortedTable<Int, ObjectDescriptor>())

  /// Returns the descriptor of a class.
  package static func of(_ type: ObjectBase.Type) -> ObjectDescriptor {
    let id = Int(bitPattern: ObjectIdentifier(type))
    if let known = descriptors.withLock({ $0[id] }) { return known }
    if ClassPrototype.isInTheMaking(type) { return ObjectDescriptor(provisional: type) }
    // This runs outside the lock, because it calls an initializer of the application. Two threads may both
    // create the descriptor.
    let known = standIns.load(ordering: .relaxed)
    let descriptor = ObjectDescriptor(type)
    // The descriptor may be incomplete, because a class to which it refers is still being described.
    if standIns.load(ordering: .relaxed) != known { return descriptor }
    return descriptors.withLock { table in
      if let known = table[id] { return known }
      table[id] = descriptor
      return descriptor
    }
  }
}

/// One persisted property of a class.
package final class PropertyDescriptor: Sendable {
  package let name: String
  /// The name of the property's column in the store.
  package let column: String
  package let type: ColumnType
  /// The offset of the wrapper in an object, in bytes.
  package let offset: Int
  /// The offset of the wrapper's flags in an object, in bytes.
  let flagsOffset: Int
  package let field: any PersistedField.Type
  package let isPrimaryKey: Bool
  /// Whether keys in the store never contain the property's values in clear.
  let isSecret: Bool
  /// The indexes that are declared with the property.
  let index: IndexOptions
  let originProperty: String?
  let access: FieldAccess
  /// The number of the store that last reported an unknown value of the property.
  let unknownReporter = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - prototype: a new object of the class, whose wrappers show how the properties were declared.
  ///   - mapping: the names of the columns that differ from the names of their properties.
  // SAFETY: the field is inside the object, which the caller keeps alive.
  init(_ field: PersistedFields.Field, in prototype: UnsafeRawPointer, mapping: [String: String]) {
    name = field.name
    column = mapping.isEmpty ? field.name : mapping[field.name] ?? field.name
    type = field.type.columnType
    offset = field.offset
    flagsOffset = field.offset + field.type.flagsOffset
    self.field = field.type
    let flags = prototype.load(fromByteOffset: flagsOffset, as: UInt8.self)
    isPrimaryKey = flags & PersistedFlags.primaryKey != 0
    isSecret = flags & PersistedFlags.secret != 0
    index = PersistedFlags.index(flags)
    originProperty =
      type.kind == .linkingObjects
      ? (field.type.value(prototype + offset) as? any LinkingObjectsValue)?.originPropertyName : nil
    access = FieldAccess(valueType: field.type.valueType, columnType: type)
  }
}

extension PropertyDescriptor {
  /// Whether the property is a single embedded object, rather than a custom value that is stored as one.
  var isPart: Bool { access == .fault && type.kind == .embedded }
}
