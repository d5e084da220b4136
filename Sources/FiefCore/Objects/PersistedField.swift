/// The type-erased interface of a ``Persisted`` property: operations on its wrapper inside an object.
///
/// The pointers point to the wrapper inside a live object.
package protocol PersistedField: SendableMetatype {
  static var columnType: ColumnType { get }
  static var valueType: Any.Type { get }
  static var flagsOffset: Int { get }
  static func isNil(_ field: UnsafeRawPointer) -> Bool
  static func append(_ field: UnsafeRawPointer, to writer: inout ValueWriter) throws
  static func read(_ field: UnsafeMutableRawPointer, from reader: inout ValueReader) throws
  /// Sets the property to nil. Returns false if the type cannot represent nil.
  static func setNil(_ field: UnsafeMutableRawPointer) -> Bool
  static func value(_ field: UnsafeRawPointer) -> any Persistable
  static func convert(_ value: Any, _ conversion: ValueConversion) throws -> any Persistable
  static func set(_ value: Any, _ field: UnsafeMutableRawPointer, owner: ObjectBase)
  static func performFirstRead(_ field: UnsafeMutableRawPointer, owner: ObjectBase, offset: Int)
  /// Sets prefetched objects as the results of an inverse.
  static func setPrefetched(_ field: UnsafeMutableRawPointer, _ objects: [ObjectBase]?)
  /// Resets the property to the default value of its type.
  static func reset(_ field: UnsafeMutableRawPointer)
  /// Copies the value of another object's field, or that it was not read yet. This does not count as an
  /// assignment.
  static func take(_ field: UnsafeMutableRawPointer, from other: UnsafeRawPointer)
  /// Restores an earlier value of the field. This does not count as an assignment.
  static func restore(_ value: any Persistable, _ field: UnsafeMutableRawPointer)
  /// Whether the store may contain a value that the property's type cannot represent.
  static var mayHaveUnknown: Bool { get }
  /// Whether the property's type cannot represent a payload or one of its elements.
  static func hasUnknown(_ payload: UnsafeRawBufferPointer, context: ValueOrigin?) throws -> Bool
  /// Makes the property encode a raw value that its type cannot represent.
  static func setUnknown(_ field: UnsafeMutableRawPointer, _ payload: UnsafeRawBufferPointer) throws
  /// Whether the property can be encoded without its object.
  static var isEncodable: Bool { get }
  /// Sets the property to a stand-in for the unread value in the record.
  static func setDeferred(_ field: UnsafeMutableRawPointer, _ source: _DeferredValue)
}

// SAFETY: each pointer combines an object that is alive for the call with an ObjectDescriptor, which takes
// offset and type of the same field from the runtime's own description of the class.
extension Persisted: PersistedField {
  package static var columnType: ColumnType { Value._columnType }
  package static var valueType: Any.Type { Value.self }
  package static var flagsOffset: Int { MemoryLayout<Self>.offset(of: \.flags) ?? MemoryLayout<Value>.size }

  package static func isNil(_ field: UnsafeRawPointer) -> Bool {
    field.assumingMemoryBound(to: Self.self).pointee.value._isNil
  }

  package static func append(_ field: UnsafeRawPointer, to writer: inout ValueWriter) throws {
    try field.assumingMemoryBound(to: Self.self).pointee.value._append(to: &writer)
  }

  package static var mayHaveUnknown: Bool { Value._mayHaveUnknown }

  package static func hasUnknown(_ payload: UnsafeRawBufferPointer, context: ValueOrigin?) throws -> Bool {
    var reader = ValueReader(payload, context: context)
    _ = try Value._read(from: &reader)
    return reader.foundUnknown
  }

  package static func read(_ field: UnsafeMutableRawPointer, from reader: inout ValueReader) throws {
    let value = try Value._read(from: &reader)
    field.assumingMemoryBound(to: Self.self).pointee.value = value
    field.assumingMemoryBound(to: Self.self).pointee.flags &= ~PersistedFlags.firstRead
  }

  package static func setNil(_ field: UnsafeMutableRawPointer) -> Bool {
    guard let value = Value._nilValue() else { return false }
    field.assumingMemoryBound(to: Self.self).pointee.value = value
    field.assumingMemoryBound(to: Self.self).pointee.flags &= ~PersistedFlags.firstRead
    return true
  }

  package static func value(_ field: UnsafeRawPointer) -> any Persistable {
    field.assumingMemoryBound(to: Self.self).pointee.value
  }

  package static func convert(_ value: Any, _ conversion: ValueConversion) throws -> any Persistable {
    // Values of all other types contain no objects.
    let mayBeObject = Value._actsOnFirstRead || Value._attachesToOwner
    if let value = mayBeObject ? ValueConversion.cast(value, to: Value.self) : value as? Value {
      return try conversion.copied(value)
    }
    return try Value._convert(value, conversion)
  }

  package static func set(_ value: Any, _ field: UnsafeMutableRawPointer, owner: ObjectBase) {
    guard let value = value as? Value else { return }
    let stored = Value._assigned(value, to: owner)
    let typed = field.assumingMemoryBound(to: Self.self)
    typed.pointee.value = Value._replacing(typed.pointee.value, with: stored, of: owner)
    typed.pointee.flags =
      typed.pointee.flags & ~(PersistedFlags.firstRead | PersistedFlags.deferred) | PersistedFlags.assigned
      | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }

  package static func performFirstRead(_ field: UnsafeMutableRawPointer, owner: ObjectBase, offset: Int) {
    let typed = field.assumingMemoryBound(to: Self.self)
    guard typed.pointee.flags & PersistedFlags.firstRead != 0, !Value._isMadeAtEachRead else { return }
    if !Value._actsOnFirstRead, !Value._attachesToOwner { return owner.prepareDerivedProperties() }
    typed.pointee.flags &= ~PersistedFlags.firstRead
    var value = typed.pointee.value
    Value._firstRead(&value, of: owner, at: offset)
    typed.pointee.value = value
    if typed.pointee.flags & PersistedFlags.deferred != 0, value._isNil || value._isUnread {
      // The link's object does not exist, or the value could not be read. The value stays in the record, and
      // the next read tries again.
      typed.pointee.flags |= PersistedFlags.firstRead
      return
    }
    typed.pointee.flags &= ~PersistedFlags.deferred
    if value._hasObjects { typed.pointee.flags |= PersistedFlags.firstRead }
  }

  package static func setUnknown(_ field: UnsafeMutableRawPointer, _ payload: UnsafeRawBufferPointer) throws {
    guard try Value._rawValue(payload) != nil else { return }
    let number = UnknownRawValues.shared.number(of: [UInt8](payload), in: Value.self)
    let typed = field.assumingMemoryBound(to: Self.self)
    typed.pointee.flags = PersistedFlags.withUnknown(typed.pointee.flags, number)
  }

  package static var isEncodable: Bool { Self.self is any Encodable.Type }

  package static func setDeferred(_ field: UnsafeMutableRawPointer, _ source: _DeferredValue) {
    guard let value = Value._deferred(source) else { return }
    field.assumingMemoryBound(to: Self.self).pointee.value = value
  }

  package static func setPrefetched(_ field: UnsafeMutableRawPointer, _ objects: [ObjectBase]?) {
    field.assumingMemoryBound(to: Self.self).pointee.value._setPrefetched(objects)
  }

  package static func reset(_ field: UnsafeMutableRawPointer) {
    field.assumingMemoryBound(to: Self.self).pointee.value = Value._defaultValue()
  }

  package static func take(_ field: UnsafeMutableRawPointer, from other: UnsafeRawPointer) {
    let typed = field.assumingMemoryBound(to: Self.self)
    let source = other.assumingMemoryBound(to: Self.self)
    let taken = PersistedFlags.firstRead | PersistedFlags.deferred | PersistedFlags.declarations
    typed.pointee.value = source.pointee.value
    typed.pointee.flags =
      typed.pointee.flags & ~(taken | PersistedFlags.assigned) | source.pointee.flags & taken
  }

  package static func restore(_ value: any Persistable, _ field: UnsafeMutableRawPointer) {
    guard let value = value as? Value else { return }
    field.assumingMemoryBound(to: Self.self).pointee.value = value
  }
}
