import LMDB
import Synchronization

/// The description of a class: its persisted properties with their places in an object.
///
/// Built once for a class, from the runtime's description of its fields and from one new object of it.
package final class ObjectDescriptor: Sendable {
  package let type: ObjectBase.Type
  package let name: String
  package let properties: [PropertyDescriptor]
  /// The place of each property's flags in an object, in bytes.
  let flagsOffsets: [Int]
  /// The indexes in `properties` of the primary key's parts.
  let primaryKey: [Int]
  /// The indexes, by the names of their columns.
  package let indexes: [IndexName]
  /// The declarations of indexes that are not possible, in words.
  let indexViolations: [String]
  /// The rules of its relationships, by the names of their columns.
  package let relationships: [RelationshipName]
  /// The relationships with a least number of 1 alone, which had another meaning before format 6.
  let leastOnes: [RelationshipName]
  /// The derived properties, by the names of their columns.
  package let derived: [DerivedName]
  /// The properties of these.
  let derivedProperties: [PropertyDescriptor]
  /// The lifetime of the objects; nil where they do not expire.
  package let lifetime: DeclaredLifetime?
  /// The declarations of relationships, derived properties and the lifetime that are not possible, in words.
  let ruleViolations: [String]
  /// Whether `init()` itself assigns properties, so that an object just read seems to be changed.
  let assignsInInitializer: Bool
  /// Whether objects have collections or embedded objects, through which they are changed as well.
  let hasParts: Bool
  /// The links of an embedded class, by the type that they lead to. The store keeps no backlinks for them.
  let partLinks: [String: [PropertyDescriptor]]
  /// Whether a new object has others in links or has embedded objects.
  let hasDefaultObjects: Bool
  let hasInverses: Bool
  /// The number of dates that a new object may have, which are the time of its creation.
  let dateCount: Int
  /// Its collections, and the properties with one embedded object.
  let parts: [PropertyDescriptor]
  /// The place of each reference to one other object, linked or embedded, in bytes.
  let heldObjectOffsets: [Int]
  /// The place of each value of any type, in bytes.
  let heldValueOffsets: [Int]
  private let encodability: Atomic<UInt8>
  /// Whether this is a stand-in without properties, for the class's own `init()` while Fief describes the class.
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
    // SAFETY: the values are references or nil, and the first fields of wrappers in `prototype`, which is alive.
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

  /// Creates a stand-in without properties. A store refuses a class with such a descriptor.
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

  /// The persisted properties of a class whose descriptor may be in the making.
  static func properties(of type: ObjectBase.Type) -> [PropertyDescriptor] {
    if ClassPrototype.isInTheMaking(type) {
      standIns.wrappingAdd(1, ordering: .relaxed)
      return []
    }
    let mapping = type.propertiesMapping()
    let prototype = ClassPrototype.of(type)
    // SAFETY: `prototype` is alive for the whole closure; the flags are bytes inside of it.
    return withExtendedLifetime(prototype) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
      return PersistedFields.of(type).map { PropertyDescriptor($0, in: base, mapping: mapping) }
    }
  }

  package func property(named name: String) -> PropertyDescriptor? {
    properties.first { $0.name == name }
  }

  /// Whether there is an index of the values of a property alone, of whatever kind.
  package func isIndexed(_ property: PropertyDescriptor) -> Bool {
    indexes.contains {
      $0.kind == .ordered && $0.columns.count == 1 && $0.columns[0] == property.column
    }
  }

  func property(at offset: Int) -> PropertyDescriptor? {
    properties.first { $0.offset == offset }
  }

  /// Whether unread values have to be encodable without their object.
  ///
  /// Determined at the first use: the runtime searches all conformances of the process for it.
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

  /// The number of times that a stand-in was used for a class that Fief was describing.
  private static let standIns = Atomic(0)

  /// The descriptors by the classes' addresses: the runtime has arrays of integers ready.
  private static let descriptors = OwnedLock(SortedTable<Int, ObjectDescriptor>())

  /// The descriptor of a class.
  package static func of(_ type: ObjectBase.Type) -> ObjectDescriptor {
    let id = Int(bitPattern: ObjectIdentifier(type))
    if let known = descriptors.withLock({ $0[id] }) { return known }
    if ClassPrototype.isInTheMaking(type) { return ObjectDescriptor(provisional: type) }
    // Outside the lock, since an initialiser of the application's runs; two threads may both build it.
    let known = standIns.load(ordering: .relaxed)
    let descriptor = ObjectDescriptor(type)
    // It may be incomplete, because a class that it refers to is still being described.
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
  /// The name of its column in the store.
  package let column: String
  package let type: ColumnType
  /// The place of the wrapper in an object, in bytes.
  package let offset: Int
  /// The place of the wrapper's flags in an object, in bytes.
  let flagsOffset: Int
  package let field: any PersistedField.Type
  package let isPrimaryKey: Bool
  /// Whether its values are in no key in clear.
  let isSecret: Bool
  /// The indexes that are declared with the property.
  let index: IndexOptions
  let originProperty: String?
  let access: FieldAccess
  /// The number of the store that has last reported a value of the property which the type does not have.
  let unknownReporter = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - prototype: a new object of the class, whose wrappers say how they were declared.
  ///   - mapping: the names of the columns that are not called like their properties.
  // SAFETY: the place of the field is in the object, which the caller keeps alive.
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
  /// Whether the property has one embedded object, and not a value that is made from one.
  var isPart: Bool { access == .fault && type.kind == .embedded }
}
