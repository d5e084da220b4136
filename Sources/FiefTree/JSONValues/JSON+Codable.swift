extension JSON: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes any JSON value.
  ///
  /// Foundation's decoder does not tell `1.0` from `1`: a number that fits an integer of 64 bits becomes one.
  /// ``init(parsing:)`` keeps the form of each number.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      self = .object(
        JSONObject(try members.allKeys.map { ($0.stringValue, try members.decode(JSON.self, forKey: $0)) })
      )
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !list.isAtEnd { elements.append(try list.decode(JSON.self)) }
      self = .array(elements)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let truth = try? value.decode(Bool.self) {
      self = .bool(truth)
    } else if let integer = try? value.decode(Int64.self) {
      self = .int(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .double(number)
    } else {
      self = .string(try value.decode(String.self))
    }
  }

  /// Encodes the value as JSON.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var list = encoder.unkeyedContainer()
      for element in elements { try list.encode(element) }
    case .object(let object):
      var members = encoder.container(keyedBy: Name.self)
      for member in object.members {
        try members.encode(member.value, forKey: Name(stringValue: member.name))
      }
    case .null:
      var value = encoder.singleValueContainer()
      try value.encodeNil()
    case .bool(let truth):
      var value = encoder.singleValueContainer()
      try value.encode(truth)
    case .int(let integer):
      var value = encoder.singleValueContainer()
      try value.encode(integer)
    case .double(let number):
      var value = encoder.singleValueContainer()
      try value.encode(number)
    case .string(let text):
      var value = encoder.singleValueContainer()
      try value.encode(text)
    }
  }
}
