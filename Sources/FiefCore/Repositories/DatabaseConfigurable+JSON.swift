import Foundation

/// Saving JSON documents.
///
/// A document is one object or an array of objects, in UTF-8. Members are assigned to the properties of
/// their name, or of their column's name:
/// - numbers keep every digit where the property is a `Decimal`, become the nearest `Double` or `Float`,
///   and have to be whole and in range for an integer;
/// - dates are ISO 8601 with an offset from UTC, a day alone, or a number of seconds since 1970;
///   `Data` is base 64, `UUID` and ``ObjectId`` are text;
/// - lists and sets are arrays, maps are objects; null is nil, and an empty collection;
/// - nested objects are saved too. A link may also be the bare primary key of an object (an array of
///   the parts of a compound one): of one in the store, of one anywhere in the document, or of one that
///   is made with the defaults of its other properties where there is none.
///
/// Every object needs its primary key. Only the members that the document has are written of an object that
/// exists, with `.modified` and with `.all`; the other properties stay as they are, in objects that are
/// linked too. An embedded object is replaced as a whole.
///
/// A document is saved completely or not at all. A failure is a ``FiefError`` with store, type, property, key
/// and the path of the value, such as `$[3].dogs[0].age`: of code `malformedJSON` (with line and column),
/// `invalidValue` for a value of another type or out of range, `missingValue` for a missing primary key and
/// for a null that the property cannot be, `unknownProperty` where the options refuse unknown keys, or
/// `duplicatePrimaryKey` by the policy `.error`, also for a key that is twice in the document.
extension DatabaseConfigurable {
  /// Saves the objects of a JSON document, and does not wait for it; the document is read before the method returns.
  ///
  /// - Parameters:
  ///   - saveClass: the class of the document's objects.
  ///   - jsonData: the document; at most 512 arrays and objects inside of each other.
  ///   - update: true inserts, or changes the object with the key; false fails where a key exists.
  ///   - options: the options for reading the document.
  ///   - isolation: the isolation in which the handler is called; the caller's.
  ///   - completion: gets the outcome, after the method has returned.
  public func save(
    saveClass: Object.Type,
    jsonData: Data,
    update: Bool,
    options: JSONOptions = .default,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    save(
      saveClass: saveClass,
      jsonData: jsonData,
      update: UpdatePolicy(update),
      options: options,
      isolation: isolation,
      completion: completion
    )
  }

  /// Saves the objects of a JSON document, by a policy, and does not wait for it.
  public func save(
    saveClass: Object.Type,
    jsonData: Data,
    update: UpdatePolicy,
    options: JSONOptions = .default,
    isolation: isolated (any Actor)? = #isolation,
    completion: @escaping (Result<Bool, any Error>) -> Void
  ) {
    leave([saveClass], isolation, completion) { core, visible, isCallersPlace in
      let document = try JSONImport(of: saveClass, from: jsonData, options: options, store: core)
      return try Saving.left(
        document.objects,
        policy: update,
        places: document.places,
        seeing: visible,
        isCallersPlace: isCallersPlace,
        in: core
      )
    }
  }

  /// Saves the objects of a JSON document; returns when the change is durable.
  ///
  /// The document is read before the first suspension.
  @discardableResult
  nonisolated(nonsending) public func save(
    saveClass: Object.Type,
    jsonData: Data,
    update: Bool,
    options: JSONOptions = .default
  ) async throws -> Bool {
    try await save(saveClass: saveClass, jsonData: jsonData, update: UpdatePolicy(update), options: options)
  }

  /// Saves the objects of a JSON document, by a policy; returns when the change is durable.
  @discardableResult
  nonisolated(nonsending) public func save(
    saveClass: Object.Type,
    jsonData: Data,
    update: UpdatePolicy,
    options: JSONOptions = .default
  ) async throws -> Bool {
    let store = store()
    let core = try store.core(for: saveClass)
    let document = try JSONImport(of: saveClass, from: jsonData, options: options, store: core)
    try await Saving.save(
      document.objects,
      policy: update,
      places: document.places,
      seeing: store.visible,
      in: core
    )
    return true
  }
}
