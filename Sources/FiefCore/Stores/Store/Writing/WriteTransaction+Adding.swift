extension WriteTransaction {
  /// Adds an object, with the objects that it links; from then on it is live.
  ///
  /// - Parameters:
  ///   - object: a new object, or one that was read from this store.
  ///   - update: the treatment of an object whose key exists.
  /// - Throws: ``FiefError``, with nothing changed.
  public func add(_ object: Object, update: UpdatePolicy = .error) throws {
    try add(object, update: update, made: nil)
  }

  /// Adds objects, as ``add(_:update:)`` does each.
  public func add<Element: Object>(_ objects: some Sequence<Element>, update: UpdatePolicy = .error) throws {
    for object in objects { try add(object, update: update) }
  }

  /// Makes an object from values and adds it.
  ///
  /// Objects among the values that the store has are linked to. All others, of another store or of none, are
  /// copied with the objects that they link and embed, and stay unchanged; with `.error` a copy whose key
  /// exists is the error.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - value: a dictionary by property name, an array by position, or an object to copy. Nested dictionaries and arrays
  ///     make at most 32 objects inside of each other, links and embedded objects together.
  ///   - update: the treatment of an object whose key exists. With both `.modified` and `.all` the properties that a
  ///     dictionary or an array does not name stay as they are, in the objects that are linked too. An
  ///     embedded object is replaced as a whole. An object has a value for every property.
  /// - Returns: the live object.
  /// - Throws: ``FiefError`` that names the property, with nothing changed.
  @discardableResult
  public func create<Element: Object>(
    _ type: Element.Type,
    value: Any = [String: Any](),
    update: UpdatePolicy = .error
  ) throws -> Element {
    if let visible { try visible.check(type, in: store) }
    var conversion = ValueConversion()
    conversion.store = store.name
    // Only an update needs the objects that were made.
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

  /// - Parameter made: the objects that were made from values.
  private func add(_ object: Object, update: UpdatePolicy, made: ObjectPlaces?) throws {
    _ = try liveTransaction()
    if object._context === context { return addDrafts(of: object) }
    if let visible { try visible.check(Swift.type(of: object), in: store) }
    try encoding(update: update, made: made) { try $0.encode([object]) }
  }
}
