import LMDB

#if canImport(ObjectiveC)
  import Darwin
  import ObjectiveC
#endif

/// Finds the persisted properties of a class, with name, offset and type. Inherited properties come first.
enum PersistedFields {
  /// One persisted property.
  final class Field {
    let name: String
    /// The offset of the wrapper in an object, in bytes.
    let offset: Int
    let type: any PersistedField.Type

    init(name: String, offset: Int, type: any PersistedField.Type) {
      self.name = name
      self.offset = offset
      self.type = type
    }
  }

  /// Finds the fields of most classes faster than the runtime's reflection, and returns `nil` for all others.
  ///
  /// It is `nil` before the first store is opened, and on Apple's systems. The types of properties include
  /// collections, which are defined in a higher layer. The registry of open stores therefore sets
  /// `DescribedFields` here.
  static let reader = OwnedLock<StoredFunction<@Sendable (ObjectBase.Type) -> [Field]?>?>(nil)

  static func of(_ type: ObjectBase.Type) -> [Field] {
    if let reader = reader.withLock({ $0 }), let fields = reader.function(type) { return fields }
    return reflected(in: type)
  }

  /// Returns the fields that the runtime's reflection finds.
  ///
  /// The runtime searches all conformances of the process for two conformances of each property's type, which
  /// takes a tenth of a millisecond the first time.
  static func reflected(in type: ObjectBase.Type) -> [Field] {
    var result: [Field] = []
    ReflectedFields.forEach(of: type) { name, offset, fieldType in
      if let field = fieldType as? any PersistedField.Type {
        result.append(Field(name: propertyName(name), offset: offset, type: field))
      }
      return true
    }
    return result
  }

  /// Returns the reason why the properties of a class or one of its superclasses cannot be found, or `nil` if
  /// they can.
  static func violation(of descriptor: ObjectDescriptor) -> String? {
    let name = descriptor.name
    var next: AnyClass? = descriptor.type
    while let current = next, current != Object.self, current != EmbeddedObject.self,
      current != ObjectBase.self
    {
      if hidesFields(of: current) {
        return
          "\(name): the properties cannot be found because the module of \(current) was built without "
          + "reflection metadata; build it without -disable-reflection-metadata and "
          + "-reflection-metadata-for-debugger-only"
      }
      next = _getSuperclass(current)
    }
    guard descriptor.properties.contains(where: { $0.name.isEmpty }) else { return nil }
    return "\(name): the properties have no names because the module was built without them; "
      + "build it without -disable-reflection-names"
  }

  private static func hidesFields(of type: AnyClass) -> Bool {
    #if canImport(ObjectiveC)
      var count: UInt32 = 0
      let list = class_copyIvarList(type, &count)
      // SAFETY: the list belongs to the caller, and is not read.
      free(list)
      if count == 0 { return false }
      return ReflectedFields.forEach(of: type) { _, _, _ in false }
    #else
      return ClassDescriptor(of: type)?.hidesFields ?? false
    #endif
  }

  /// Returns the property name of a wrapper's storage. The compiler names the storage after the property,
  /// with a leading underscore.
  // SAFETY: the text belongs to the runtime and ends with a zero.
  static func propertyName(_ storage: UnsafePointer<CChar>) -> String {
    storage.pointee == 0 ? "" : String(cString: storage + 1)
  }
}
