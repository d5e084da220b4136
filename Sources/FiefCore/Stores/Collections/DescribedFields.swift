#if !canImport(ObjectiveC)
  import Foundation

  /// The persisted properties of a class as the compiler describes them in the image of the class.
  ///
  /// This file alone reads field records and mangled names of types. The runtime's reflection finds the same
  /// fields, but needs 2 ms for 50 classes when a process opens its first store (docs/decisions/0106).
  /// ``PersistedFields`` asks the runtime for each class that this file cannot read.
  enum DescribedFields {
    /// Returns the fields from the descriptors of the class and its superclasses, without asking the runtime
    /// for the types of most properties. Returns `nil` if the descriptors do not contain them.
    static func of(_ type: ObjectBase.Type) -> [PersistedFields.Field]? {
      var result: [PersistedFields.Field] = []
      if type == Object.self || type == EmbeddedObject.self || type == ObjectBase.self { return result }
      if let ancestor = _getSuperclass(type) as? ObjectBase.Type {
        guard let inherited = of(ancestor) else { return nil }
        result = inherited
      }
      guard let descriptor = ClassDescriptor(of: type), let fields = descriptor.fields(of: type) else {
        return nil
      }
      for index in 0..<fields.count {
        guard let field = fields[index] else { return nil }
        switch PersistedTypeName.type(of: field.typeName) {
        case .persisted(let type): result.append(Self.field(field, type))
        case .unknown:
          guard let resolved = field.typeName.resolved(in: descriptor) else { return nil }
          if let type = resolved as? any PersistedField.Type { result.append(Self.field(field, type)) }
        case .other: break
        }
      }
      return result
    }

    private static func field(
      _ field: ClassDescriptor.Field,
      _ type: any PersistedField.Type
    ) -> PersistedFields.Field {
      PersistedFields.Field(name: PersistedFields.propertyName(field.name), offset: field.offset, type: type)
    }
  }

  /// The stored properties that a class itself declares, read from `FieldDescriptor` and `FieldRecord` in the
  /// Swift runtime's `Metadata.h`.
  // SAFETY: as for the descriptor; the counts in the two descriptors are compared before anything is read.
  extension ClassDescriptor {
    /// One stored property.
    fileprivate struct Field {
      let name: UnsafePointer<CChar>
      let typeName: MangledTypeName
      /// The offset in an object, in bytes.
      let offset: Int
    }

    private static let offsetsOffset = 40
    private static let recordsOffset = 16
    private static let recordSize = 12

    /// Whether the offsets of the fields depend on a superclass that another image may have changed.
    private var hasResilientSuperclass: Bool { address.loadUnaligned(as: UInt32.self) & (1 << 29) != 0 }

    /// The stored properties in the order of their declaration.
    fileprivate struct Fields {
      let count: Int
      fileprivate let descriptor: UnsafeRawPointer
      fileprivate let offsets: UnsafeRawPointer

      subscript(index: Int) -> Field? {
        let record = descriptor + recordsOffset + index * recordSize
        guard let typeName = resolve(record + 4), let name = resolve(record + 8) else { return nil }
        return Field(
          name: name.assumingMemoryBound(to: CChar.self),
          typeName: MangledTypeName(start: typeName),
          offset: offsets.loadUnaligned(fromByteOffset: index * MemoryLayout<Int>.size, as: Int.self)
        )
      }
    }

    /// Returns the stored properties, or `nil` if only the runtime can find them.
    ///
    /// - Parameter type: the class that this descriptor describes.
    fileprivate func fields(of type: AnyClass) -> Fields? {
      guard !isGeneric, !hasResilientSuperclass else { return nil }
      let count = fieldCount
      if count == 0 { return Fields(count: 0, descriptor: address, offsets: address) }
      guard let fields = fieldRecords,
        Int(fields.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) == count,
        Int(fields.loadUnaligned(fromByteOffset: 10, as: UInt16.self)) == Self.recordSize
      else { return nil }
      // SAFETY: a class reference is the address of its metadata, which has the offsets of the fields at this
      // index.
      let offsets =
        unsafeBitCast(type, to: UnsafeRawPointer.self)
        + Int(address.loadUnaligned(fromByteOffset: Self.offsetsOffset, as: UInt32.self))
        * MemoryLayout<Int>.size
      return Fields(count: count, descriptor: fields, offsets: offsets)
    }
  }

  /// The name of a type as the compiler writes it into an image, read from its start.
  ///
  /// A name is text that contains references to type descriptors. A reference is a byte from 1 to 23,
  /// followed by a 32-bit distance. A zero byte ends the name.
  // SAFETY: only field records are read, and nothing is read after the zero byte.
  private struct MangledTypeName {
    private let start: UnsafeRawPointer
    private var next: UnsafeRawPointer

    init(start: UnsafeRawPointer) {
      self.start = start
      next = start
    }

    private var byte: UInt8 { next.load(as: UInt8.self) }

    /// Whether the whole name has been read.
    var isAtEnd: Bool { byte == 0 }

    /// Whether text comes next, rather than a reference.
    var isText: Bool { byte > 0x1F }

    /// Whether a digit comes next, with which the length of an identifier begins.
    var isDigit: Bool { (0x30...0x39).contains(byte) }

    /// Skips a text of one or two characters if it comes next.
    mutating func skip(_ text: StaticString) -> Bool {
      var position = next
      // SAFETY: an ASCII literal has a pointer. The zero at the end of the name ends the comparison.
      for index in 0..<text.utf8CodeUnitCount {
        guard position.load(as: UInt8.self) == text.utf8Start[index] else { return false }
        position += 1
      }
      next = position
      return true
    }

    /// Reads a reference to a descriptor, or returns `nil` without skipping anything if something else comes
    /// next.
    mutating func descriptor() -> UnsafeRawPointer? {
      let kind = byte
      guard kind == 1 || kind == 2, let target = ClassDescriptor.resolve(next + 1) else { return nil }
      guard let address = kind == 1 ? target : target.loadUnaligned(as: UnsafeRawPointer?.self) else {
        return nil
      }
      next += 5
      return address
    }

    /// Returns the type that the runtime finds for the name.
    func resolved(in context: ClassDescriptor) -> Any.Type? {
      var end = start
      while true {
        switch end.load(as: UInt8.self) {
        case 0:
          return _getTypeByMangledNameInContext(
            start.assumingMemoryBound(to: UInt8.self),
            UInt(end - start),
            genericContext: context.address,
            genericArguments: nil
          )
        case 0x01...0x17: end += 5
        case 0x18...0x1F: end += 1 + MemoryLayout<UnsafeRawPointer>.size
        default: end += 1
        }
      }
    }
  }

  /// The types of persisted properties, read from their mangled names.
  ///
  /// The runtime could do the same. But to prove that the type of the value conforms to ``Persistable`` and
  /// its wrapper to ``PersistedField``, it would search all conformances of the process each time. For the
  /// types of this library and for classes of objects, the compiler has already proved the conformances.
  private enum PersistedTypeName {
    /// The type of a class's field.
    enum FieldType {
      case persisted(any PersistedField.Type)
      /// A type that is not ``Persisted``.
      case other
      /// A type that only the runtime can determine.
      case unknown
    }

    private typealias Value = any (Persistable & RealmCollectionValue).Type

    /// The type of a value, or of the elements of a collection.
    private enum Element {
      case value(Value)
      case object(any RealmCollectionValue.Type)
    }

    /// Returns the type of a field.
    static func type(of name: MangledTypeName) -> FieldType {
      var name = name
      guard let found = name.descriptor() else {
        // A type of another module is a reference. As a text, `Persisted` would begin with its module, whose
        // length comes first.
        return name.isText && !name.isDigit ? .other : .unknown
      }
      guard found == wrapper else { return .other }
      guard name.skip("y"), let field = field(&name), name.skip("G"), name.isAtEnd else { return .unknown }
      return .persisted(field)
    }

    private static func field(_ name: inout MangledTypeName) -> (any PersistedField.Type)? {
      guard let descriptor = name.descriptor() else {
        return element(&name).flatMap { single($0, isOptional: name.skip("Sg")) }
      }
      // The containers are the only generic classes among the types of properties.
      guard ClassDescriptor(descriptor)?.isGeneric == true else {
        return element(descriptor).flatMap { single($0, isOptional: name.skip("Sg")) }
      }
      guard let container = containers.container(descriptor) else { return nil }
      guard name.skip("y"), container != .map || name.skip("SS"), let element = element(&name) else {
        return nil
      }
      let isOptional = name.skip("Sg")
      return name.skip("G") ? collection(container, of: element, isOptional: isOptional) : nil
    }

    private static func element(_ name: inout MangledTypeName) -> Element? {
      if let descriptor = name.descriptor() { return element(descriptor) }
      if name.skip("Si") { return .value(Int.self) }
      if name.skip("SS") { return .value(String.self) }
      if name.skip("Sd") { return .value(Double.self) }
      if name.skip("Sb") { return .value(Bool.self) }
      if name.skip("Sf") { return .value(Float.self) }
      return nil
    }

    private static func element(_ known: UnsafeRawPointer) -> Element? {
      if let declared = ClassDescriptor(known) {
        return (declared.type as? ObjectBase.Type).map { .object($0) }
      }
      if known == descriptor(of: Date.self) { return .value(Date.self) }
      if known == descriptor(of: UUID.self) { return .value(UUID.self) }
      if known == descriptor(of: Data.self) { return .value(Data.self) }
      if known == descriptor(of: ObjectId.self) { return .value(ObjectId.self) }
      if known == descriptor(of: Decimal.self) { return .value(Decimal.self) }
      if known == descriptor(of: Int64.self) { return .value(Int64.self) }
      if known == descriptor(of: Int32.self) { return .value(Int32.self) }
      if known == descriptor(of: Int16.self) { return .value(Int16.self) }
      if known == descriptor(of: Int8.self) { return .value(Int8.self) }
      if known == descriptor(of: AnyRealmValue.self) { return .value(AnyRealmValue.self) }
      return nil
    }

    // MARK: Types of the runtime

    private static func single(_ element: Element, isOptional: Bool) -> (any PersistedField.Type)? {
      switch element {
      case .value(let type) where isOptional: optional(type)
      case .value(let type): plain(type)
      case .object(let type): isOptional ? optional(type) : nil
      }
    }

    private static func collection(
      _ container: ColumnType.Container,
      of element: Element,
      isOptional: Bool
    ) -> any PersistedField.Type {
      switch element {
      case .value(let type): collection(container, of: type, isOptional: isOptional)
      case .object(let type): collection(container, of: type, isOptional: isOptional)
      }
    }

    // These functions create types from the conformances that are passed with the argument. They are never
    // inlined or specialized: for a known type the compiler would make the runtime search its conformances.

    @inline(never)
    private static func plain(_ type: any Persistable.Type) -> any PersistedField.Type {
      func open<V: Persistable>(_: V.Type) -> any PersistedField.Type { Persisted<V>.self }
      return open(type)
    }

    @inline(never)
    private static func optional(_ type: any RealmCollectionValue.Type) -> any PersistedField.Type {
      func open<V: RealmCollectionValue>(_: V.Type) -> any PersistedField.Type { Persisted<V?>.self }
      return open(type)
    }

    @inline(never)
    private static func collection(
      _ container: ColumnType.Container,
      of type: any RealmCollectionValue.Type,
      isOptional: Bool
    ) -> any PersistedField.Type {
      func open<V: RealmCollectionValue>(_: V.Type) -> any PersistedField.Type {
        switch (container, isOptional) {
        case (.list, false): Persisted<List<V>>.self
        case (.list, true): Persisted<List<V?>>.self
        case (.set, false): Persisted<MutableSet<V>>.self
        case (.set, true): Persisted<MutableSet<V?>>.self
        case (.map, false): Persisted<Map<String, V>>.self
        case (.map, true): Persisted<Map<String, V?>>.self
        case (.none, false), (.none, true): Persisted<V?>.self
        }
      }
      return open(type)
    }

    // MARK: Descriptors

    // SAFETY: the addresses are constants of images, and are only compared.
    private struct Containers: @unchecked Sendable {
      let list: UnsafeRawPointer?
      let set: UnsafeRawPointer?
      let map: UnsafeRawPointer?

      func container(_ descriptor: UnsafeRawPointer) -> ColumnType.Container? {
        if descriptor == list { return .list }
        if descriptor == set { return .set }
        return descriptor == map ? .map : nil
      }
    }

    private static let containers = makeContainers(of: Int.self)

    @inline(never)
    private static func makeContainers(of type: any RealmCollectionValue.Type) -> Containers {
      func open<V: RealmCollectionValue>(_: V.Type) -> Containers {
        Containers(
          list: ClassDescriptor.address(of: List<V>.self),
          set: ClassDescriptor.address(of: MutableSet<V>.self),
          map: ClassDescriptor.address(of: Map<String, V>.self)
        )
      }
      return open(type)
    }

    // SAFETY: the address is a constant of an image, and is only compared.
    private nonisolated(unsafe) static let wrapper = descriptor(of: plain(Int.self))

    private static func descriptor(of type: Any.Type) -> UnsafeRawPointer? {
      // SAFETY: the metadata of a structure or an enumeration is its kind, followed by the descriptor.
      unsafeBitCast(type, to: UnsafeRawPointer.self)
        .loadUnaligned(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer?.self)
    }
  }
#endif
