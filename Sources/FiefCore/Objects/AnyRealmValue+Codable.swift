import Foundation

/// Nil, Booleans, integers, texts, lists and numbers with a fraction are encoded as plain values. A value
/// that would be decoded as a different case is encoded as an object with the name of its case:
/// `{"date": …}`, `{"double": 1}`. A dictionary is encoded in this way too, because it could be mistaken for
/// such an object: `{"dictionary": {"name": "Lulu"}}`. A value that is an object cannot be encoded: encoding
/// it throws.
extension AnyRealmValue: Codable {
  enum Case: String, CodingKey, CaseIterable {
    case float, double, data, date, objectId, decimal128, uuid, dictionary
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` if an object does not have exactly one member with the name of a case, or if
  ///   values are nested too deeply.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= PersistedCoding.deepest else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: Array(decoder.codingPath.prefix(8)),
          debugDescription: "Values of any type are nested too deeply."
        )
      )
    }
    if let container = try? decoder.container(keyedBy: Case.self) {
      self = try Self.tagged(container)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [AnyRealmValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(AnyRealmValue.self)) }
      self = .list(values)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  private static func tagged(_ container: KeyedDecodingContainer<Case>) throws -> AnyRealmValue {
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath,
          debugDescription: "A value has exactly one of these names: "
            + Case.allCases.map(\.rawValue).joined(separator: ", ")
        )
      )
    }
    switch key {
    case .float: return .float(try container.decode(Float.self, forKey: key))
    case .double: return .double(try container.decode(Double.self, forKey: key))
    case .data: return .data(try container.decode(Data.self, forKey: key))
    case .date: return .date(try container.decode(Date.self, forKey: key))
    case .objectId: return .objectId(try container.decode(ObjectId.self, forKey: key))
    case .decimal128: return .decimal128(try container.decode(WrittenDecimal.self, forKey: key).value)
    case .uuid: return .uuid(try container.decode(UUID.self, forKey: key))
    case .dictionary: return .dictionary(try container.decode([String: AnyRealmValue].self, forKey: key))
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: `EncodingError` if values are nested too deeply.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.codingPath.count <= PersistedCoding.deepest else {
      throw EncodingError.invalidValue(
        AnyRealmValue.none,
        EncodingError.Context(
          codingPath: Array(encoder.codingPath.prefix(8)),
          debugDescription: "Values of any type are nested too deeply."
        )
      )
    }
    switch self {
    case .none: try plain(encoder) { try $0.encodeNil() }
    case .bool(let value): try plain(encoder) { try $0.encode(value) }
    case .int(let value): try plain(encoder) { try $0.encode(value) }
    case .string(let value): try plain(encoder) { try $0.encode(value) }
    case .double(let value) where value.rounded() != value && value.isFinite:
      try plain(encoder) { try $0.encode(value) }
    case .double(let value): try tag(encoder, .double, value)
    case .float(let value): try tag(encoder, .float, value)
    case .data(let value): try tag(encoder, .data, value)
    case .date(let value): try tag(encoder, .date, value)
    case .objectId(let value): try tag(encoder, .objectId, value)
    case .decimal128(let value): try tag(encoder, .decimal128, value)
    case .uuid(let value): try tag(encoder, .uuid, value)
    case .list(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .dictionary(let values): try tag(encoder, .dictionary, values)
    case .object(let object):
      throw EncodingError.invalidValue(
        object,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "A document cannot represent an object in a value of any type. Encode the object itself."
        )
      )
    }
  }

  private func plain(
    _ encoder: any Encoder,
    _ body: (inout any SingleValueEncodingContainer) throws -> Void
  ) throws {
    var container = encoder.singleValueContainer()
    try body(&container)
  }

  private func tag(_ encoder: any Encoder, _ key: Case, _ value: some Encodable) throws {
    var container = encoder.container(keyedBy: Case.self)
    try container.encode(value, forKey: key)
  }
}
