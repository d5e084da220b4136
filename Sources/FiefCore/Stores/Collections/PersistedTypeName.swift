#if !canImport(ObjectiveC)
  import Foundation

  /// Reads the type of a persisted property from its mangled name.
  ///
  /// The runtime could do the same. But to prove that the type of the value conforms to ``Persistable`` and
  /// its wrapper to ``PersistedField``, it would search all conformances of the process each time. For the
  /// types of this library and for classes of objects, the compiler has proved that here.
  enum PersistedTypeName {
    private typealias Value = any (Persistable & RealmCollectionValue).Type

    /// The type of a value, or of the elements of a collection.
    private enum Element {
      case value(Value)
      case object(any RealmCollectionValue.Type)
    }

    /// Returns the type of a field; see ``FieldType/reader``.
    static func type(of name: MangledTypeName) -> FieldType {
      var name = name
      guard let found = name.descriptor() else {
        // A text name: `Persisted` and the class are in different modules, so it is always a reference
        // instead.
        return name.skip("8FiefCore") || !name.isText ? .unknown : .other
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

    // These functions create types from the conformances that come with the argument. They are never inlined
    // or specialized, because for a known type the compiler would make the runtime search its conformances.

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
