/// The common base class of ``Object`` and ``EmbeddedObject``. It implements persisted properties.
///
/// An object is a copy of one state of the store. You can read its properties at any time on the thread that
/// uses the object, and it never becomes invalid. Objects are not `Sendable`; functions of the library return
/// them as `sending`, so you can pass them on.
open class ObjectBase: CustomStringConvertible {
  /// The origin of the object, or `nil` if it was never read or saved.
  ///
  /// Every access is a single read or assignment, so accesses cannot overlap. The check for overlapping
  /// accesses would take as long as all other work of creating an object from a small record.
  @exclusivity(unchecked) @usableFromInline final var _origin: ObjectOrigin?
  // SAFETY: 0, the address of a retained record copy, or an odd number, which is never an address.
  /// The record from which the object was read, or only its stamp if values are no longer read from the
  /// record. Most objects need only one of the two, and a stamp needs no allocation.
  @exclusivity(unchecked) final var _source: UInt = 0
  /// The generated key of an object without a primary key, or 0 if it has none yet.
  @exclusivity(unchecked) package final var _rowID: Int64 = 0
  /// The number of successful saves that write the object under its generated key. It has no meaning for an
  /// object that was read from the store.
  @exclusivity(unchecked) final var _rowIDUses: UInt32 = 0
  /// The number of the save that last visited the object. Each save has its own number.
  final var _mark: UInt64 = 0
  /// Whether the object is in the write scope's list of changed objects.
  final var _isListedAsChanged = false

  /// Whether the write scope has other instances of the object, which must reflect assignments to this
  /// instance.
  final var _isShared = false

  /// Whether the object only represents the stored object with its key. A save links to the stored object. If
  /// it does not exist, the save creates it with default values for the other properties.
  final var _isReference = false

  /// Whether a write has deleted the stored object. A remaining link to it in an embedded object does not
  /// restore it.
  final var _wasDeleted = false

  /// Whether the object may refer to other objects, because an object was assigned to it or it has followed a
  /// link.
  @exclusivity(unchecked) final var _holdsObjects = false

  /// Whether ``ConversionErrors`` or ``CopiedLinks`` may have an entry for the object. `_holdsObjects` is
  /// then set too.
  @exclusivity(unchecked) final var _hasNotes = false

  /// Whether a collection of the object was returned to the application, which may use it after the object is
  /// released.
  @exclusivity(unchecked) final var _lendsCollections = false

  /// Creates an object with the default values of its properties.
  public required init() {}

  deinit {
    if _lendsCollections || _holdsObjects { _origin?.host.leaveCollections(of: self) }
    if _holdsObjects { ObjectChain.takeApart(self) }
    if _source & 1 == 0, _source != 0 { releaseRecord() }
  }

  /// Returns the name of the type in the store: the class's name without its module.
  open class func className() -> String {
    #if !canImport(ObjectiveC)
      if let name = ClassDescriptor(of: self)?.name { return name }
    #endif
    // `String(describing:)` gives the same result, but first searches for four conformances of the metatype.
    return _typeName(self, qualified: false)
  }

  /// Returns the column names that differ from the property names, keyed by property name.
  ///
  /// ```swift
  /// override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
  /// ```
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Returns the indexes that are not declared with a property: indexes of several properties, and additional
  /// indexes of one.
  ///
  /// ```swift
  /// override class func indexes() -> [IndexDefinition] { [IndexDefinition("country", "city"),
  /// .unique("team", "number")] }
  /// ```
  /// Use the names of the class's properties. An embedded object cannot have indexes.
  open class func indexes() -> [IndexDefinition] { [] }

  /// Returns the rules of relationships: the effect of deleting an object on related objects, and limits on
  /// the number of related objects. Without rules, links to deleted objects are cleared and there are no
  /// limits.
  ///
  /// ```swift
  /// override class func relationships() -> [Relationship] { [Relationship("messages", deleteRule: .cascade)]
  /// }
  /// ```
  open class func relationships() -> [Relationship] { [] }

  /// Returns the properties whose values the store maintains itself: counts, sums, lowercase texts,
  /// modification times.
  ///
  /// ```swift
  /// override class func derivedProperties() -> [DerivedProperty] {
  ///   [DerivedProperty("membersCount", .count(of: "members"))]
  /// }
  /// ```
  open class func derivedProperties() -> [DerivedProperty] { [] }

  /// Returns the lifetime of the class's objects if they are copies that expire, or `nil` if they do not
  /// expire.
  ///
  /// ```swift
  /// override class func lifetime() -> Lifetime? { Lifetime(3600, since: "cachedAt") }
  /// ```
  /// The lifetime is not part of the schema, so changing it needs no migration.
  open class func lifetime() -> Lifetime? { nil }

  /// Returns the names of properties with a plain index, as classes for Realm declare them.
  ///
  /// In new classes, declare an index on the property: `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// Not available. Declare the primary key on its property.
  @available(*, unavailable, message: "declare the key on the property: @Persisted(primaryKey: true)")
  open class func primaryKey() -> String? { nil }

  /// Not available. A property without `@Persisted` is not stored.
  @available(*, unavailable, message: "a property without @Persisted is not stored: remove the method")
  open class func ignoredProperties() -> [String] { [] }

  /// Returns a Boolean value that indicates whether the class belongs to repositories that do not list their
  /// classes.
  ///
  /// ```swift
  /// override class func shouldIncludeInDefaultSchema() -> Bool { false }
  /// ```
  /// Classes that are nested in a ``MigrationStep`` never belong to such repositories.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  /// Called before a property is read while any thread writes. If the current thread writes, the object joins
  /// its write.
  @usableFromInline
  final func willRead() { _origin?.host.willRead(self) }

  /// Called before an assignment to a property of an object that has an origin. In a write, the object joins
  /// the write.
  ///
  /// - Returns: whether ``didAssign()`` must be called after the assignment.
  @usableFromInline
  func willAssign() -> Bool {
    _origin?.host.willAssign(self) ?? false
  }

  /// Called after an assignment to a property of an object that shares its state with other instances in the
  /// write.
  @usableFromInline
  func didAssign() {
    _origin?.host.didAssign(self)
  }

  /// Returns the object as an instance of a class, or `nil` if its class is different.
  @inline(__always)
  package final func cast<Element: ObjectBase>(to type: Element.Type) -> Element? {
    if ObjectIdentifier(Swift.type(of: self)) == ObjectIdentifier(type) {
      // SAFETY: the object is of exactly this class. A checked cast would cost a tenth of a read.
      return unsafeDowncast(self, to: type)
    }
    return self as? Element
  }

  /// The type's name and the values of the object's own properties. Links and collections are not read.
  open var description: String {
    ObjectPrinter.text(of: self)
  }
}
