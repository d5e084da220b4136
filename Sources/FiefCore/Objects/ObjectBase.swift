/// The common part of ``Object`` and ``EmbeddedObject``: persisted properties, and the origin of the object.
///
/// An object is a plain copy of one state: its properties can be read at any
/// time, on any thread that owns it, and never become invalid. It is not `Sendable`; functions of the
/// library return objects as `sending`, so that they can be handed on.
open class ObjectBase: CustomStringConvertible {
  /// The origin of the object; nil for one that was never read or saved.
  ///
  /// It is only assigned, at once, so that no access can overlap; checking that takes as long as all the
  /// rest of making an object out of a small record.
  @exclusivity(unchecked) @usableFromInline final var _origin: ObjectOrigin?
  // SAFETY: 0, the address of a record copy of which this counts one reference, or an odd number, which no address is.
  /// The record that the object was read from, or its stamp where nothing is read from it any more: most objects need one of
  /// the two only, and the stamp costs a read no memory.
  @exclusivity(unchecked) final var _source: UInt = 0
  /// The generated key of an object without a primary key; 0 before there is one.
  @exclusivity(unchecked) package final var _rowID: Int64 = 0
  /// The number of saves that write the object under its generated key, without those that failed. Of no
  /// meaning when the object has come from the store.
  @exclusivity(unchecked) final var _rowIDUses: UInt32 = 0
  /// The save that met the object last; each has a number of its own.
  final var _mark: UInt64 = 0
  /// Whether the write scope has the object on its list of changed ones.
  final var _isListedAsChanged = false

  /// Whether the write scope has other instances of the object, which show assignments to this one.
  final var _isShared = false

  /// Whether the object represents the one with its key: a save links to it, and makes it with the defaults
  /// of its other properties only where there is none.
  final var _isReference = false

  /// Whether a write has deleted the stored object: a link of a part that still leads to it does not bring it back.
  final var _wasDeleted = false

  /// Whether the object may hold others: it was assigned one, or has followed a link.
  @exclusivity(unchecked) final var _holdsObjects = false

  /// Whether ``Misfits`` knows of values that did not fit; `_holdsObjects` is set too.
  @exclusivity(unchecked) final var _hasMisfit = false

  /// Whether a collection of the object was handed out, which may be held longer than the object.
  @exclusivity(unchecked) final var _lendsCollections = false

  /// Makes an object with the default values of its properties.
  public required init() {}

  deinit {
    if _lendsCollections || _holdsObjects { _origin?.leaveCollections(of: self) }
    if _holdsObjects { ObjectChain.takeApart(self) }
    if _source & 1 == 0, _source != 0 { releaseRecord() }
  }

  /// The name of the type in the store: the class's name without its module.
  open class func className() -> String {
    #if !canImport(ObjectiveC)
      if let name = ClassDescriptor(of: self)?.name { return name }
    #endif
    // The result of `String(describing:)`, which would first search for four conformances of the metatype.
    return _typeName(self, qualified: false)
  }

  /// The column names that differ from the property names.
  ///
  /// ```swift
  /// override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
  /// ```
  open class func propertiesMapping() -> [String: String] { [:] }

  /// The indexes that are not declared with a property: those of several properties, and further ones of one.
  ///
  /// ```swift
  /// override class func indexes() -> [IndexDefinition] { [IndexDefinition("country", "city"), .unique("team", "number")] }
  /// ```
  /// The names of their properties are those of the class's own properties. Indexes are no part of an
  /// embedded object.
  open class func indexes() -> [IndexDefinition] { [] }

  /// The rules of relationships: what deleting an object does to those that it is related to, and how many there
  /// have to be. Without any, links to deleted objects are cleared and nothing is required.
  ///
  /// ```swift
  /// override class func relationships() -> [Relationship] { [Relationship("messages", deleteRule: .cascade)] }
  /// ```
  open class func relationships() -> [Relationship] { [] }

  /// The properties whose values the store keeps by itself: counts, sums, texts in lower case, times of change.
  ///
  /// ```swift
  /// override class func derivedProperties() -> [DerivedProperty] {
  ///   [DerivedProperty("membersCount", .count(of: "members"))]
  /// }
  /// ```
  open class func derivedProperties() -> [DerivedProperty] { [] }

  /// The lifetime of the class's objects, where they are copies that expire; nil for objects that do not.
  ///
  /// ```swift
  /// override class func lifetime() -> Lifetime? { Lifetime(3600, since: "cachedAt") }
  /// ```
  /// It is no part of the schema: changing it needs no migration.
  open class func lifetime() -> Lifetime? { nil }

  /// The names of properties with a plain index, as Realm's classes declare them.
  ///
  /// New classes say it with the property: `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// Not available: the key is declared with its property.
  @available(*, unavailable, message: "declare the key with the property: @Persisted(primaryKey: true)")
  open class func primaryKey() -> String? { nil }

  /// Not available: a property that is not `@Persisted` is not stored.
  @available(*, unavailable, message: "a property without @Persisted is not stored: remove the method")
  open class func ignoredProperties() -> [String] { [] }

  /// Whether the class belongs to repositories that do not list their classes.
  ///
  /// ```swift
  /// override class func shouldIncludeInDefaultSchema() -> Bool { false }
  /// ```
  /// Classes that are nested in a ``MigrationStep`` never do.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  /// Called before a property is read while a thread writes. If that is this thread, the object joins its write.
  @usableFromInline
  final func willRead() { _origin?.willRead(self) }

  /// Called before an assignment to a property of an object that has a context. In a write it belongs to that.
  ///
  /// - Returns: whether ``didAssign()`` has to be called after the assignment.
  @usableFromInline
  func willAssign() -> Bool {
    _origin?.willAssign(self) ?? false
  }

  /// Called after an assignment to a property of an object that other instances of the write share their state with.
  @usableFromInline
  func didAssign() {
    _origin?.didAssign(self)
  }

  /// The object as one of a class; nil where it is not.
  @inline(__always)
  package final func cast<Element: ObjectBase>(to type: Element.Type) -> Element? {
    if ObjectIdentifier(Swift.type(of: self)) == ObjectIdentifier(type) {
      // SAFETY: the object is of exactly this class; a checked cast costs a tenth of a read.
      return unsafeDowncast(self, to: type)
    }
    return self as? Element
  }

  /// The type's name and the values of its own properties; links and collections are not followed.
  open var description: String {
    ObjectPrinter.text(of: self)
  }
}
