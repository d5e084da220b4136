/// Marks a property of an ``Object`` or ``EmbeddedObject`` that the store keeps.
///
/// ```swift
/// final class Dog: Object {
///   @Persisted(primaryKey: true) var id = 0
///   @Persisted(indexed: true) var name: String
///   @Persisted var owner: Person?
///   @Persisted var toys: List<DogToy>
/// }
/// ```
/// Reading is as cheap as reading a plain stored property, never throws and never blocks; only the
/// first read of a link or a collection may go to the store. Properties without the wrapper are
/// transient. Several properties with `primaryKey` make a compound key, in the order of their
/// declaration.
@propertyWrapper
public struct Persisted<Value: Persistable> {
  @usableFromInline var value: Value
  @usableFromInline var flags: UInt8

  /// A property with the default value of its type: nil, 0, false, "", empty, a new UUID, or the time at which the object is
  /// created for a `Date`.
  @inlinable
  public init() {
    self.init(primaryKey: false, indexed: false)
  }

  /// A property with a default value of its own.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(wrappedValue: wrappedValue, primaryKey: false, indexed: false)
  }

  /// A property with the default value of its type.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - indexed: whether the store keeps an index of it.
  @inlinable
  public init(primaryKey: Bool = false, indexed: Bool = false) {
    value = Value._defaultValue()
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, indexed: indexed)
      | (Value._actsOnFirstRead ? PersistedFlags.firstRead : 0)
  }

  /// A property with a default value of its own.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - indexed: whether the store keeps an index of it.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool = false, indexed: Bool = false) {
    value = wrappedValue
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, indexed: indexed)
      | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }

  /// A property with the default value of its type, and with indexes.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - index: the indexes that the store keeps of it.
  @inlinable
  public init(primaryKey: Bool = false, index: IndexOptions) {
    value = Value._defaultValue()
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, index: index)
      | (Value._actsOnFirstRead ? PersistedFlags.firstRead : 0)
  }

  /// A property with a default value of its own, and with indexes.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - index: the indexes that the store keeps of it.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool = false, index: IndexOptions) {
    value = wrappedValue
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, index: index)
      | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }

  /// A property with the default value of its type, whose values are in no key of the store in clear.
  ///
  /// Its indexes have keyed tokens, and a primary key is encrypted: equality, `in`, uniqueness and links work as without `secret`;
  /// orders and ranges are errors of code ``FiefError/Code/invalidQuery``. The store has to be encrypted, else opening it fails with
  /// ``FiefError/Code/encryptionRequired``; <doc:Encrypting> says more.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - indexed: whether the store keeps an index of it.
  ///   - secret: whether keys have its values in no form that can be read.
  public init(primaryKey: Bool = false, indexed: Bool = false, secret: Bool) {
    self.init(primaryKey: primaryKey, indexed: indexed)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// A property with a default value of its own, whose values are in no key of the store in clear.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - indexed: whether the store keeps an index of it.
  ///   - secret: whether keys have its values in no form that can be read; see ``init(primaryKey:indexed:secret:)``.
  public init(wrappedValue: Value, primaryKey: Bool = false, indexed: Bool = false, secret: Bool) {
    self.init(wrappedValue: wrappedValue, primaryKey: primaryKey, indexed: indexed)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// A property with the default value of its type and with indexes, whose values are in no key of the store in clear.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - index: the indexes that the store keeps of it; a full-text index of a secret property is refused.
  ///   - secret: whether keys have its values in no form that can be read; see ``init(primaryKey:indexed:secret:)``.
  public init(primaryKey: Bool = false, index: IndexOptions, secret: Bool) {
    self.init(primaryKey: primaryKey, index: index)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// A property with a default value of its own and with indexes, whose values are in no key of the store in clear.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key, or a part of it.
  ///   - index: the indexes that the store keeps of it; a full-text index of a secret property is refused.
  ///   - secret: whether keys have its values in no form that can be read; see ``init(primaryKey:indexed:secret:)``.
  public init(wrappedValue: Value, primaryKey: Bool = false, index: IndexOptions, secret: Bool) {
    self.init(wrappedValue: wrappedValue, primaryKey: primaryKey, index: index)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// Not for use: the wrapper works in classes that inherit from ``Object`` or ``EmbeddedObject`` only.
  @available(
    *,
    unavailable,
    message: "@Persisted belongs in a class that inherits from Object or EmbeddedObject"
  )
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The access to the property: the compiler calls it.
  @inlinable
  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always)
    get {
      if _slowPath(owner[keyPath: storage].flags & PersistedFlags.readHooks != 0 || isAnyThreadWriting()) {
        // The key path itself is not handed on: the compiler then sees through it, and a read is a load.
        // SAFETY: a stored property has one address for the object's life, and the caller holds the object.
        let field = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
        return read(of: owner, field)
      }
      return owner[keyPath: storage].value
    }
    @inline(__always)
    set {
      let stored = Value._assigned(newValue, to: owner)
      // Last before the assignment: what is read in between would write the object as it is, and forget it.
      let isShared = owner._origin != nil && owner.willAssign()
      owner[keyPath: storage].value = Value._replacing(owner[keyPath: storage].value, with: stored, of: owner)
      let kept = owner[keyPath: storage].flags & ~(PersistedFlags.firstRead | PersistedFlags.deferred)
      owner[keyPath: storage].flags =
        kept | PersistedFlags.assigned | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
      if isShared { owner.didAssign() }
    }
  }

  // One copy for each type of property, in the application: while any thread writes, all reads come here.
  // SAFETY: `field` is the wrapper inside of `owner`, which the caller holds.
  @inlinable @inline(never)
  static func read(of owner: ObjectBase, _ field: UnsafeMutablePointer<Self>) -> Value {
    if isAnyThreadWriting(), !PersistedFlags.isOfKey(field.pointee.flags) { owner.willRead() }
    if field.pointee.flags & PersistedFlags.readHooks == 0 { return field.pointee.value }
    return firstRead(of: owner, field)
  }

  // SAFETY: `field` is the wrapper inside of `owner`, which the caller holds. The value is copied out for
  // the call, which may read other properties of the owner.
  @usableFromInline
  static func firstRead(of owner: ObjectBase, _ field: UnsafeMutablePointer<Self>) -> Value {
    let offset = UnsafeRawPointer(field) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
    if field.pointee.flags & PersistedFlags.traced != 0 {
      if owner.isTraced { return owner.traced(field.pointee.value, at: offset) }
      // An object that was made while the prototype of a class was, and has a secret property.
      field.pointee.flags &= ~PersistedFlags.traced
      if field.pointee.flags & PersistedFlags.readHooks == 0 { return field.pointee.value }
    }
    if !Value._actsOnFirstRead, !Value._attachesToOwner {
      owner.prepareDerivedProperties()
      return field.pointee.value
    }
    if Value._isMadeAtEachRead {
      var value = field.pointee.value
      Value._firstRead(&value, of: owner, at: offset)
      return value
    }
    performFirstRead(field, owner: owner, offset: offset)
    guard field.pointee.value._hasObjects, field.pointee.flags & PersistedFlags.assigned == 0 else {
      return field.pointee.value
    }
    // The field keeps the objects: a write that is rolled back brings them back.
    return field.pointee.value._withoutDeletedObjects()
  }
}
