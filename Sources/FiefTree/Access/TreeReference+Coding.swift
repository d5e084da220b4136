import Fief

extension TreeReference {
  /// Returns the value of the place as an instance of a type; `nil` if nothing is there.
  ///
  /// ```swift
  /// let room = try tree.reference("rooms/r1").value(as: Room.self)
  /// ```
  /// An absent member is decoded as an empty array or object, since a tree does not store those. Types that
  /// decode elements accept nodes that look like arrays, as ``TreeSnapshot/value`` describes; all other types
  /// receive objects. `Data` is decoded from Base64.
  ///
  /// - Throws: `FiefError`, see ``value(source:)``. `DecodingError` of kind `typeMismatch` if a node does not
  ///   look like an array, and of kind `dataCorrupted` if two keys of a dictionary are equal as Swift strings.
  public func value<T: Decodable>(as type: T.Type) throws -> T? {
    let snapshot = try snapshot()
    return snapshot.exists ? try snapshot.decode(as: type) : nil
  }

  /// Replaces the value of the place by an instance of a type. See ``setValue(_:)``.
  ///
  /// ```swift
  /// try await tree.reference("rooms/r1").setValue(encoding: Room(title: "Fief"))
  /// ```
  /// Absent members, empty arrays and empty dictionaries are not stored. `Data` is encoded as Base64.
  ///
  /// - Throws: the errors of ``setValue(_:)``; `EncodingError` for an integer of more than 63 bits, and other
  ///   errors of the type.
  nonisolated(nonsending) public func setValue<T: Encodable>(encoding value: T) async throws {
    try await setValue(try TreeEncoder.json(of: value))
  }

  /// Replaces the value of the place by an instance of a type, without the property that has the place's key.
  ///
  /// ```swift
  /// try await message.setValue(encoding: Message(id: message.key, text: "Hello"), key: \.id)
  /// ```
  /// - Parameters:
  ///   - value: the instance.
  ///   - key: the property, which is `nil` while the instance is encoded.
  /// - Throws: the errors of ``setValue(encoding:)``.
  nonisolated(nonsending) public func setValue<T: Encodable>(
    encoding value: T,
    key: WritableKeyPath<T, String?>
  ) async throws {
    try await setValue(try TreeEncoder.json(of: value, without: key))
  }

  /// Replaces the value of the place, and blocks until the commit is durable. See ``setValue(encoding:key:)``.
  public func setValueAndWait<T: Encodable>(encoding value: T, key: WritableKeyPath<T, String?>) throws {
    try setValueAndWait(try TreeEncoder.json(of: value, without: key))
  }

  /// Replaces the value of the place, and blocks until the commit is durable. See ``setValue(encoding:)``.
  public func setValueAndWait<T: Encodable>(encoding value: T) throws {
    try setValueAndWait(try TreeEncoder.json(of: value))
  }
}

extension TreeReader {
  /// Returns the value of a place as an instance of a type; `nil` if nothing is there. See
  /// ``TreeReference/value(as:)``.
  ///
  /// - Throws: the errors of ``value(at:)``; `DecodingError`.
  public func value<T: Decodable>(at reference: TreeReference, as type: T.Type) throws -> T? {
    let snapshot = try snapshot(at: reference)
    return snapshot.exists ? try snapshot.decode(as: type) : nil
  }
}

extension TreeEditor {
  /// Replaces the value of a place by an instance of a type. See ``TreeReference/setValue(encoding:)``.
  ///
  /// - Throws: the errors of ``setValue(_:at:)``; `EncodingError`.
  public func setValue<T: Encodable>(encoding value: T, at reference: TreeReference) throws {
    try setValue(try TreeEncoder.json(of: value), at: reference)
  }

  /// Replaces the value of a place by an instance of a type, without the property that has the place's key. See
  /// ``TreeReference/setValue(encoding:key:)``.
  ///
  /// - Throws: the errors of ``setValue(_:at:)``; `EncodingError`.
  public func setValue<T: Encodable>(
    encoding value: T,
    key: WritableKeyPath<T, String?>,
    at reference: TreeReference
  ) throws {
    try setValue(try TreeEncoder.json(of: value, without: key), at: reference)
  }
}

extension TreeEncoder {
  /// Returns an instance as a value, without a property.
  fileprivate static func json<T: Encodable>(of value: T, without key: WritableKeyPath<T, String?>) throws
    -> JSON
  {
    var value = value
    let former = value[keyPath: key]
    value[keyPath: key] = nil
    // An instance of a class is not copied.
    defer { value[keyPath: key] = former }
    return try json(of: value)
  }
}
