import Foundation

/// Saving of JSON documents.
///
/// A document is one object or an array of objects, in UTF-8. Members are assigned to the properties with the
/// same name or column name:
/// - Numbers keep every digit if the property is a `Decimal`, become the nearest `Double` or `Float`, and
///   must be whole and in range for an integer.
/// - Dates are ISO 8601 with an offset from UTC, a day alone, or a number of seconds since 1970. `Data` is
///   base 64, `UUID` and ``ObjectId`` are text.
/// - Lists and sets are arrays, maps are objects. Null means nil, or an empty collection.
/// - Nested objects are saved too. A link may also be the bare primary key of an object (an array of the
///   parts of a compound key): an object in the store, or an object anywhere in the document. If no such
///   object exists, it is created with default values for its other properties.
///
/// Every object needs a primary key. If the object exists, only the members in the document are written, with
/// `.modified` and with `.all`. The other properties stay unchanged, also in linked objects. An embedded
/// object is replaced as a whole.
///
/// A document is saved completely or not at all. A failure is a ``FiefError`` with store, type, property, key
/// and the path of the value, such as `$[3].dogs[0].age`. Its code is `malformedJSON` (with line and column),
/// `invalidValue` for a value of the wrong type or out of range, `missingValue` for a missing primary key or
/// a null that the property does not allow, `unknownProperty` if the options refuse unknown keys, or
/// `duplicatePrimaryKey` with the policy `.error`, also for a key that occurs twice in the document.
extension DatabaseConfigurable {
  /// Saves the objects of a JSON document without waiting. The document is read before the method returns.
  ///
  /// - Parameters:
  ///   - saveClass: the class of the document's objects.
  ///   - jsonData: the document, with at most 512 levels of nested arrays and objects.
  ///   - update: whether to change an object whose key exists. If false, the save fails if a key exists.
  ///   - options: the options for reading the document.
  ///   - isolation: the isolation in which the handler is called; by default the caller's.
  ///   - completion: receives the result, after the method has returned.
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

  /// Saves the objects of a JSON document, with an update policy, without waiting.
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
      let options = SaveOptions(update, places: document.places, seeing: visible)
      return try Saving.left(document.objects, options, isCallersPlace: isCallersPlace, in: core)
    }
  }

  /// Saves the objects of a JSON document, and returns when the change is durable.
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

  /// Saves the objects of a JSON document, with an update policy, and returns when the change is durable.
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
    let options = SaveOptions(update, places: document.places, seeing: store.visible)
    try await Saving.save(document.objects, options, in: core)
    return true
  }
}
