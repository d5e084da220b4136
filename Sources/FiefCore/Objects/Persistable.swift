// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A type that a `@Persisted` property can have.
///
/// The library conforms every type that it can store. An application conforms its own types to
/// ``PersistableEnum``, ``CustomPersistable`` or ``FailableCustomPersistable``. The requirements with a
/// leading underscore are internal to the library and may change.
public protocol Persistable: SendableMetatype {
  /// The type of the values other than nil.
  associatedtype _Present = Self
  /// The type of column in which the property is stored.
  static var _columnType: ColumnType { get }
  /// Returns the value of a property that was never set.
  static func _defaultValue() -> Self
  /// Whether the first read of a property does more than return the value, such as creating a default or
  /// attaching a collection.
  static var _actsOnFirstRead: Bool { get }
  /// Prepares the value of a property at its first read.
  static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int)
  /// Whether the store may contain a value that the type cannot represent.
  static var _mayHaveUnknown: Bool { get }
  /// Whether the type is an enumeration with raw values, or an optional of one.
  static var _hasRawValues: Bool { get }
  /// Returns the raw value of a payload, for encoding, even if no case has it. Returns `nil` for types
  /// without raw values.
  static func _rawValue(_ payload: UnsafeRawBufferPointer) throws -> (any Encodable)?
  /// Whether the first read failed.
  var _isUnread: Bool { get }
  /// Whether the value has a strong reference to its owner, so the owner cannot store the value.
  static var _isMadeAtEachRead: Bool { get }
  /// Whether each assigned value needs a first read again, because it refers to its owner or may contain
  /// objects.
  static var _attachesToOwner: Bool { get }
  /// Returns the value that replaces `newValue` when it is assigned to a property.
  static func _assigned(_ newValue: Self, to owner: ObjectBase) -> Self
  /// Returns the value of a property after an assignment. A collection remains the same instance, with new
  /// contents.
  ///
  /// - Parameters:
  ///   - value: the value before the assignment.
  ///   - newValue: the result of ``_assigned(_:to:)``.
  ///   - owner: the object.
  static func _replacing(_ value: Self, with newValue: Self, of owner: ObjectBase) -> Self

  /// Whether the value contains objects that may be deleted meanwhile, so that each read must check them.
  var _hasObjects: Bool { get }
  /// Returns the value with a substitute in place of each deleted object.
  func _withoutDeletedObjects() -> Self
  /// Whether the value is nil.
  var _isNil: Bool { get }
  /// Appends the value's payload, or nothing for nil.
  func _append(to writer: inout _ValueWriter) throws
  /// Reads a value from all remaining bytes of `reader`.
  static func _read(from reader: inout _ValueReader) throws -> Self
  /// Returns nil as a value of the type, or `nil` if the type cannot represent nil.
  static func _nilValue() -> Self?
  /// Returns a stand-in for a value that was not yet read from its record, or `nil` for types that are never
  /// deferred.
  static func _deferred(_ source: _DeferredValue) -> Self?
  /// Returns the actual value of a stand-in.
  func _resolved() throws -> Self
  /// Sets prefetched objects as the results of an inverse. Only inverses implement this.
  mutating func _setPrefetched(_ objects: [ObjectBase]?)
  /// Returns the generated value that replaces an unset value when it is first read.
  func _generated() -> Self
  /// Converts a value of another type, such as a dictionary, a number or a text in a JSON document.
  static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self
}

extension Persistable {
  @inlinable
  public static var _actsOnFirstRead: Bool { false }

  public static var _isMadeAtEachRead: Bool { false }

  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {}
  public var _isUnread: Bool { false }
  public static var _mayHaveUnknown: Bool { false }
  public static var _hasRawValues: Bool { false }
  public static func _rawValue(_ payload: UnsafeRawBufferPointer) throws -> (any Encodable)? { nil }

  @inlinable
  public static func _assigned(_ newValue: Self, to owner: ObjectBase) -> Self { newValue }

  @inlinable
  public static func _replacing(_ value: Self, with newValue: Self, of owner: ObjectBase) -> Self { newValue }

  @inlinable
  public static var _attachesToOwner: Bool { false }
  public var _hasObjects: Bool { false }
  public func _withoutDeletedObjects() -> Self { self }

  @inlinable
  public var _isNil: Bool { false }

  public static func _nilValue() -> Self? { nil }
  public static func _deferred(_ source: _DeferredValue) -> Self? { nil }
  public mutating func _setPrefetched(_ objects: [ObjectBase]?) {}
  public func _resolved() throws -> Self { self }
  public func _generated() -> Self { self }
}

/// A type whose values can be optional and can be elements of a list, a set or a map.
public protocol RealmCollectionValue: SendableMetatype {
  /// The type of the value inside an optional, and `Never` for other types. For an optional link it is the
  /// class of the object.
  associatedtype _Linked = Never
  /// The type of column in which one value is stored.
  static var _elementType: ColumnType { get }
  /// Appends the value's payload.
  func _appendElement(to writer: inout _ValueWriter) throws
  /// Reads a value from all remaining bytes of `reader`. Returns `nil` for a link whose object does not
  /// exist.
  static func _readElement(from reader: inout _ValueReader) throws -> Self?
  /// Converts a value of another type.
  static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self
  /// Prepares an element for use in a collection or a property of `owner`.
  func _adopt(by owner: ObjectBase)
  /// Whether a set considers two elements equal.
  static func _areEqual(_ first: Self, _ second: Self) -> Bool
  /// Whether an optional link or embedded object is read lazily.
  static var _isFault: Bool { get }
  /// Returns an object as a stand-in for an object that was not yet read from a record, or `nil` for other
  /// values.
  static func _deferredElement(_ source: _DeferredValue) -> Self?
  /// The deferred value of a stand-in that ``_deferredElement(_:)`` returned.
  var _deferredSource: _DeferredValue? { get }
  /// The class to which a link leads, or `nil` for other values.
  static var _linkType: ObjectBase.Type? { get }
  /// Whether the store may contain an element that the type cannot represent.
  static var _mayBeUnknownElement: Bool { get }
  /// Returns a link to an object. Returns `nil` if there is no object and the type cannot represent nil.
  static func _linked(_ object: ObjectBase?) -> Self?
}

extension RealmCollectionValue {
  @inlinable
  public func _adopt(by owner: ObjectBase) {}
  public static var _isFault: Bool { false }
  public static func _deferredElement(_ source: _DeferredValue) -> Self? { nil }
  public var _deferredSource: _DeferredValue? { nil }
  public static var _linkType: ObjectBase.Type? { nil }
  public static var _mayBeUnknownElement: Bool { false }
  public static func _linked(_ object: ObjectBase?) -> Self? { nil }
}

extension RealmCollectionValue where Self: Equatable {
  public static func _areEqual(_ first: Self, _ second: Self) -> Bool { first == second }
}

/// A single value, which can be the type of a property or of a collection's elements.
public protocol PersistableScalar: Persistable, RealmCollectionValue, Hashable, _PersistedForm
where _Present == Self {}

/// A property of a type that can also be an element is stored as an element is.
extension Persistable where Self: RealmCollectionValue {
  public static var _columnType: ColumnType { _elementType }
  public func _append(to writer: inout _ValueWriter) throws { try _appendElement(to: &writer) }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try _convertElement(value, conversion)
  }
}

extension PersistableScalar {
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    guard let value = try _readElement(from: &reader) else { throw ValueReader.truncated }
    return value
  }
}

extension Optional: Persistable where Wrapped: RealmCollectionValue {
  public typealias _Present = Wrapped
  public static var _columnType: ColumnType {
    var type = Wrapped._elementType
    type.isOptional = true
    return type
  }
  @inlinable
  public static func _defaultValue() -> Self { nil }
  public static var _actsOnFirstRead: Bool { Wrapped._isFault || Wrapped.self == AnyRealmValue.self }
  public static var _mayHaveUnknown: Bool { Wrapped._mayBeUnknownElement }
  public static var _hasRawValues: Bool { Wrapped.self is any PersistableEnum.Type }
  public static func _rawValue(_ payload: UnsafeRawBufferPointer) throws -> (any Encodable)? {
    try (Wrapped.self as? any PersistableEnum.Type)?._rawValue(payload)
  }

  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {
    guard Wrapped._isFault else {
      guard Wrapped.self == AnyRealmValue.self, owner.isDeferred(at: offset) else { return }
      value = owner.withDeferredPayload(at: offset) { try _read(from: &$0) } ?? nil
      value?._adopt(by: owner)
      return
    }
    guard value == nil || owner.isDeferred(at: offset) else {
      owner._origin?.host.didHandOutPart(of: owner)
      return
    }
    value = owner.resolveFault(at: offset, as: Wrapped.self)
  }

  @inlinable
  public static var _attachesToOwner: Bool { Wrapped.self == AnyRealmValue.self }
  public var _hasObjects: Bool {
    // The types are compared first. A cast for each link would take longer than the read.
    Wrapped.self == AnyRealmValue.self && (self as? AnyRealmValue)?.hasObject ?? false
  }

  public func _withoutDeletedObjects() -> Self {
    guard let value = self as? AnyRealmValue else { return self }
    return value._withoutDeletedObjects() as? Wrapped
  }

  public static func _deferred(_ source: _DeferredValue) -> Self? {
    Wrapped._deferredElement(source).map { .some($0) }
  }

  public func _resolved() throws -> Self {
    guard let source = self?._deferredSource else { return self }
    return try source.read { try Wrapped._readElement(from: &$0) } ?? nil
  }

  @inlinable
  public static func _assigned(_ newValue: Self, to owner: ObjectBase) -> Self {
    newValue?._adopt(by: owner)
    return newValue
  }

  @inlinable
  public var _isNil: Bool {
    switch self {
    case .none: true
    case .some: false
    }
  }

  public func _append(to writer: inout _ValueWriter) throws {
    if let self { try self._appendElement(to: &writer) }
  }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    try Wrapped._readElement(from: &reader)
  }
  public static func _nilValue() -> Self? { .some(nil) }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if ValueConversion.isNil(value) { return nil }
    return try Wrapped._convertElement(value, conversion)
  }
}

extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue {
  public typealias _Linked = Wrapped
  public static var _elementType: ColumnType { _columnType }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    guard let self else {
      writer.appendInteger(UInt8(0))
      return
    }
    writer.appendInteger(UInt8(1))
    try self._appendElement(to: &writer)
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    if try reader.integer(UInt8.self) == 0 { return .some(nil) }
    return try Wrapped._readElement(from: &reader)
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try _convert(value, conversion)
  }
  public func _adopt(by owner: ObjectBase) { self?._adopt(by: owner) }
  public static var _linkType: ObjectBase.Type? { Wrapped._linkType }
  public static var _mayBeUnknownElement: Bool { Wrapped._mayBeUnknownElement }
  public static func _linked(_ object: ObjectBase?) -> Self? { .some(object.flatMap { Wrapped._linked($0) }) }
  public static func _areEqual(_ first: Self, _ second: Self) -> Bool {
    switch (first, second) {
    case (nil, nil): true
    case (let first?, let second?): Wrapped._areEqual(first, second)
    default: false
    }
  }
}
