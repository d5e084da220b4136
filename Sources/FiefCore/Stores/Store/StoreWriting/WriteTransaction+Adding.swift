extension WriteTransaction {
  /// Adds an object and the objects to which it links. The added object is live.
  ///
  /// - Parameters:
  ///   - object: a new object, or an object that was read from this store.
  ///   - update: what to do with an object whose key exists.
  /// - Throws: ``FiefError``; the store is then unchanged.
  public func add(_ object: Object, update: UpdatePolicy = .error) throws {
    try add(object, update: update, made: nil)
  }

  /// Adds all objects of a sequence, or none. Each object is added as ``add(_:update:)`` adds it.
  ///
  /// Deleted objects are stored again, and the other objects may link to them, in any order.
  ///
  /// - Throws: ``FiefError``, with nothing changed.
  public func add<Element: Object>(_ objects: some Sequence<Element>, update: UpdatePolicy = .error) throws {
    _ = try liveTransaction()
    let objects = Array(objects) as [Object]
    if let visible { try visible.check(objects, in: store) }
    var (added, joined): ([Object], [Object]) = ([], [])
    for object in objects {
      if isLive(object) { joined.append(object) } else { added.append(object) }
    }
    if !added.isEmpty { try encoding(update: update) { try $0.encode(added) } }
    // This follows the encoding, because a call that fails leaves unsaved assignments as they were.
    for object in joined { addDrafts(of: object) }
  }

  /// Creates an object from values and adds it.
  ///
  /// Objects among the values that belong to the store are linked. Objects of another store, or objects that
  /// are not in a store, are copied with the objects that they link to and embed, and stay unchanged. With
  /// `.error`, the call fails if the key of a copy exists.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - value: a dictionary by property name, an array by position, or an object to copy. Nested
  ///     dictionaries and arrays can create objects at most 32 levels deep, counting links and embedded
  ///     objects together.
  ///   - update: what to do with an object whose key exists. With `.modified` and `.all`, the properties that
  ///     a dictionary or an array does not include keep their values, also in linked objects. An embedded
  ///     object is replaced as a whole. An object that is copied includes every property.
  /// - Returns: the live object.
  /// - Throws: ``FiefError`` that names the property; the store is then unchanged.
  @discardableResult
  public func create<Element: Object>(
    _ type: Element.Type,
    value: Any = [String: Any](),
    update: UpdatePolicy = .error
  ) throws -> Element {
    if let visible { try visible.check(type, in: store) }
    var conversion = ValueConversion()
    conversion.store = store.name
    // The created objects are needed only for an update.
    let made = update == .error ? nil : ObjectPlaces(holdingObjects: true)
    conversion.places = made
    let copies = ValueCopies(linkingIn: self)
    conversion.copies = copies
    let object = type.init()
    try object.assign(value, conversion)
    try copies.fill()
    try add(object, update: update, made: made)
    let binding = try store.binding(of: type)
    let key = try binding.key(of: object)
    let stored = try key.withUnsafeBytes { try self.object(of: binding, key: $0) }
    return stored as? Element ?? object
  }

  /// - Parameter made: the objects that were created from values.
  private func add(_ object: Object, update: UpdatePolicy, made: ObjectPlaces?) throws {
    _ = try liveTransaction()
    if isLive(object) { return addDrafts(of: object) }
    if let visible { try visible.check(Swift.type(of: object), in: store) }
    try encoding(update: update, made: made) { try $0.encode([object]) }
  }

  /// Whether an added object is live in the write.
  ///
  /// In Realm the addition of a stored object changes nothing. For a handle of Realm, a stored object without
  /// unsaved assignments therefore joins the write, as if it were read.
  private func isLive(_ object: Object) -> Bool {
    if visible?.reportsAssignments == true { object._context?.willRead(object) }
    return object._context === context
  }
}
