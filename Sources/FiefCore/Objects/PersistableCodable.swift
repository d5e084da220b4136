// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A custom `Codable` value that a property stores as a whole, as JSON.
///
/// ```swift
/// struct Settings: PersistableCodable {
///   var theme = "light"
///   var sizes = [10, 12]
/// }
/// @Persisted var settings: Settings
/// ```
/// The value of the column is the JSON text, with members sorted by name. Queries, exports and the
/// command-line tool see this text. If you need to query parts of the value, use an ``EmbeddedObject``. The
/// value can also be optional, or an element of a collection.
///
/// If the value cannot be encoded, saving fails. If the stored text cannot be decoded because the type has
/// changed, reading the object throws an error of code `invalidValue`. To avoid this, use a default for new
/// members in `init(from:)`.
public protocol PersistableCodable: _CustomPersistable, Persistable, Codable where PersistedType == String {
  /// Creates the value of a property that was never set.
  init()
}

extension PersistableCodable {
  /// The JSON text, or an empty text if the value cannot be encoded. Saving or querying such a value fails.
  public var persistableValue: String { (try? PersistedJSON.text(of: self)) ?? "" }
  public static func _make(_ stored: String) -> Self? { try? PersistedJSON.value(Self.self, of: stored) }
  public static func _defaultValue() -> Self { Self() }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    writer.append(try PersistedJSON.text(of: self))
  }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    try PersistedJSON.value(Self.self, of: String(decoding: reader.remaining(), as: UTF8.self))
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    try _read(from: &reader)
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if let value = value as? Self { return value }
    do {
      if let text = value as? String, let result = _make(text) { return result }
      return try PersistedJSON.value(Self.self, of: PersistedJSON.text(ofDocument: value))
    } catch {
      var failure = conversion.wrongType(value, expected: "\(Self.self)")
      failure.underlying = error
      throw failure
    }
  }
}

/// Encodes and decodes custom values as JSON.
enum PersistedJSON {
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    // Sorted keys give equal values equal bytes.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
      throw FiefError(.invalidValue, "The value cannot be encoded as JSON.", underlying: error)
    }
  }

  static func value<Value: Decodable>(_ type: Value.Type, of text: String) throws -> Value {
    do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch {
      throw FiefError(
        .invalidValue,
        "The stored JSON is not a value of the property's type.",
        details: ["the type: \(type)"],
        underlying: error
      )
    }
  }

  /// Returns the JSON text of a value in a document or a dictionary.
  static func text(ofDocument value: Any) throws -> String {
    var json = JSONWriter()
    try append(value, to: &json)
    return json.text
  }

  private static func append(_ value: Any, depth: Int = 0, to json: inout JSONWriter) throws {
    guard depth <= EncodedGraph.deepestEmbedding else {
      throw FiefError(
        .invalidValue,
        "The arrays and dictionaries are nested too deeply.",
        details: ["the limit: \(EncodedGraph.deepestEmbedding)"]
      )
    }
    switch value {
    case let number as JSONNumber: json.append(raw: number.text)
    case let text as String: json.append(string: text)
    case let object as JSONObject:
      try append(object.members.map { ($0.name, $0.value) }, depth: depth, to: &json)
    case let entries as [String: Any]:
      try append(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, depth: depth, to: &json)
    case let array as [Any]:
      json.append(raw: "[")
      for (index, element) in array.enumerated() {
        if index > 0 { json.append(raw: ",") }
        try append(element, depth: depth + 1, to: &json)
      }
      json.append(raw: "]")
    case _ where ValueConversion.isNil(value): json.append(raw: "null")
    case let encodable as any Encodable: json.append(raw: try text(of: encodable))
    default: throw FiefError(.invalidValue, "The value is not valid JSON.")
    }
  }

  private static func append(
    _ members: [(name: String, value: Any)],
    depth: Int,
    to json: inout JSONWriter
  ) throws {
    json.append(raw: "{")
    for (index, member) in members.enumerated() {
      if index > 0 { json.append(raw: ",") }
      json.append(string: member.name)
      json.append(raw: ":")
      try append(member.value, depth: depth + 1, to: &json)
    }
    json.append(raw: "}")
  }
}
