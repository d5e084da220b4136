/// Marks a property of an ``Object`` or ``EmbeddedObject`` that is stored.
///
/// ```swift
/// final class Dog: Object {
///   @Persisted(primaryKey: true) var id = 0
///   @Persisted(indexed: true) var name: String
///   @Persisted var owner: Person?
///   @Persisted var toys: List<DogToy>
/// }
/// ```
/// Reading is as cheap as reading an ordinary stored property, never throws and never blocks. Only the first
/// read of a link or a collection may access the store. Properties without the wrapper are not stored.
/// Several properties with `primaryKey` form a compound key, in the order of their declaration.
@propertyWrapper
public struct Persisted<Value: Persistable> {
  @usableFromInline var value: Value
  @usableFromInline var flags: UInt8

  /// Creates a property with the default value of its type: nil, 0, false, "", an empty collection, a new
  /// UUID, or for a `Date` the time at which the object is created.
  @inlinable
  public init() {
    self.init(primaryKey: false, indexed: false)
  }

  /// Creates a property with its own default value.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(wrappedValue: wrappedValue, primaryKey: false, indexed: false)
  }

  /// Creates a property with the default value of its type.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - indexed: whether the store maintains an index of the property.
  @inlinable
  public init(primaryKey: Bool = false, indexed: Bool = false) {
    value = Value._defaultValue()
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, indexed: indexed)
      | (Value._actsOnFirstRead ? PersistedFlags.firstRead : 0)
  }

  /// Creates a property with its own default value.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - indexed: whether the store maintains an index of the property.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool = false, indexed: Bool = false) {
    value = wrappedValue
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, indexed: indexed)
      | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }

  /// Creates a property with the default value of its type and with indexes.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - index: the indexes of the property that the store maintains.
  @inlinable
  public init(primaryKey: Bool = false, index: IndexOptions) {
    value = Value._defaultValue()
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, index: index)
      | (Value._actsOnFirstRead ? PersistedFlags.firstRead : 0)
  }

  /// Creates a property with its own default value and with indexes.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - index: the indexes of the property that the store maintains.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool = false, index: IndexOptions) {
    value = wrappedValue
    flags =
      PersistedFlags.declared(primaryKey: primaryKey, index: index)
      | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
  }

  /// Creates a property with the default value of its type, whose values never occur in clear in keys of the
  /// store.
  ///
  /// Indexes of the property contain keyed tokens, and a primary key is encrypted. Equality, `in`, uniqueness
  /// and links work as without `secret`. Orders and ranges throw an error of code
  /// ``FiefError/Code/invalidQuery``. The store must be encrypted; otherwise opening it throws
  /// ``FiefError/Code/encryptionRequired``. For details see <doc:Encrypting>.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - indexed: whether the store maintains an index of the property.
  ///   - secret: whether keys contain the property's values only as tokens or encrypted.
  public init(primaryKey: Bool = false, indexed: Bool = false, secret: Bool) {
    self.init(primaryKey: primaryKey, indexed: indexed)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// Creates a property with its own default value, whose values never occur in clear in keys of the store.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - indexed: whether the store maintains an index of the property.
  ///   - secret: whether keys contain the property's values only as tokens or encrypted; see
  ///   ``init(primaryKey:indexed:secret:)``.
  public init(wrappedValue: Value, primaryKey: Bool = false, indexed: Bool = false, secret: Bool) {
    self.init(wrappedValue: wrappedValue, primaryKey: primaryKey, indexed: indexed)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// Creates a property with the default value of its type and with indexes, whose values never occur in
  /// clear in keys of the store.
  ///
  /// - Parameters:
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - index: the indexes of the property that the store maintains. A secret property cannot have a
  ///   full-text index.
  ///   - secret: whether keys contain the property's values only as tokens or encrypted; see
  ///   ``init(primaryKey:indexed:secret:)``.
  public init(primaryKey: Bool = false, index: IndexOptions, secret: Bool) {
    self.init(primaryKey: primaryKey, index: index)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// Creates a property with its own default value and with indexes, whose values never occur in clear in
  /// keys of the store.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a new object.
  ///   - primaryKey: whether the property is the primary key or a part of it.
  ///   - index: the indexes of the property that the store maintains. A secret property cannot have a
  ///   full-text index.
  ///   - secret: whether keys contain the property's values only as tokens or encrypted; see
  ///   ``init(primaryKey:indexed:secret:)``.
  public init(wrappedValue: Value, primaryKey: Bool = false, index: IndexOptions, secret: Bool) {
    self.init(wrappedValue: wrappedValue, primaryKey: primaryKey, index: index)
    if secret { flags |= SecretDeclaration.flag }
  }

  /// Not available. The wrapper works only in classes that inherit from ``Object`` or ``EmbeddedObject``.
  @available(
    *,
    unavailable,
    message: "@Persisted belongs in a class that inherits from Object or EmbeddedObject"
  )
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// Accesses the property. The compiler calls this subscript.
  @inlinable
  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @inline(__always)
    get {
      if _slowPath(owner[keyPath: storage].flags & PersistedFlags.readHooks != 0 || isAnyThreadWriting()) {
        // The key path itself is not passed on. The compiler can then optimize it away, and a read is a
        // single load.
        // SAFETY: a stored property has one address for the object's life, and the caller holds the object.
        let field = withUnsafeMutablePointer(to: &owner[keyPath: storage]) { $0 }
        return read(of: owner, field)
      }
      return owner[keyPath: storage].value
    }
    @inline(__always)
    set {
      let stored = Value._assigned(newValue, to: owner)
      // This comes directly before the assignment. A read in between could write the object without the new
      // value and remove it from the list of changed objects.
      let isShared = owner._origin != nil && owner.willAssign()
      owner[keyPath: storage].value = Value._replacing(owner[keyPath: storage].value, with: stored, of: owner)
      let kept = owner[keyPath: storage].flags & ~(PersistedFlags.firstRead | PersistedFlags.deferred)
      owner[keyPath: storage].flags =
        kept | PersistedFlags.assigned | (Value._attachesToOwner ? PersistedFlags.firstRead : 0)
      if isShared { owner.didAssign() }
    }
  }

  // The function is specialized for each type of property, in the application. While any thread writes, all
  // reads call it.
  // SAFETY: `field` is the wrapper inside `owner`, and the caller keeps `owner` alive.
  @inlinable @inline(never)
  static func read(of owner: ObjectBase, _ field: UnsafeMutablePointer<Self>) -> Value {
    if isAnyThreadWriting(), !PersistedFlags.isOfKey(field.pointee.flags) { owner.willRead() }
    if field.pointee.flags & PersistedFlags.readHooks == 0 { return field.pointee.value }
    return firstRead(of: owner, field)
  }

  // SAFETY: `field` is the wrapper inside `owner`, and the caller keeps `owner` alive. The value is copied
  // for the call, which may read other properties of the owner.
  @usableFromInline
  static func firstRead(of owner: ObjectBase, _ field: UnsafeMutablePointer<Self>) -> Value {
    let offset = UnsafeRawPointer(field) - UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
    if field.pointee.flags & PersistedFlags.traced != 0 {
      if owner.isTraced { return owner.traced(field.pointee.value, at: offset) }
      // The object has a secret property, and was created while the prototype of a class was being created.
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
    // The field keeps the deleted objects, because a rollback restores them.
    return field.pointee.value._withoutDeletedObjects()
  }
}
