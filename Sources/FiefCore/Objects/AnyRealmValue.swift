import Foundation

/// A value of any type. Use it as the type of a property whose values differ in type.
///
/// Two values are equal if they are of the same case and have equal payloads: `.int(1)` and `.double(1)`
/// differ. Texts are equal if their UTF-8 bytes are equal, as in queries.
///
/// Lists and dictionaries contain values of any type, nested up to 100 levels deep. Saving a deeper value
/// fails with `invalidValue`. Lists and dictionaries are values too: changing one changes the property.
///
/// ```swift
/// note.content = .dictionary(["title": "Lulu", "tags": .list(["cat", 3])])
/// note.content.dictionaryValue?["title"] = "Rex"
/// note.content.dictionaryValue?["tags"]?.listValue?.append(true)
/// ```
/// A query can compare with a whole list or dictionary, or with a part of one:
/// `$0.content["title"] == "Lulu"`.
///
/// An object is stored as a link: the number of its type and its key. As with other links, saving the value
/// also adds a new object to the store. The link has no backlink, and no delete rule applies to it. When the
/// object is deleted, the value reads as `.none`, and a query treats it as nil. The property itself does not
/// change, so its observers are not notified. If an object is added later under the same primary key, the
/// value refers to that object. Values that contain objects are not `Sendable`, because objects are not.
///
/// ```swift
/// note.content = .object(dog)
/// print(note.content.object(Dog.self)?.name ?? "no dog")
/// ```
public enum AnyRealmValue: Hashable {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A 32-bit floating-point number.
  case float(Float)
  /// A 64-bit floating-point number.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// An object ID.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal)
  /// A UUID.
  case uuid(UUID)
  /// A list of values.
  case list([AnyRealmValue])
  /// A dictionary of values with text keys.
  case dictionary([String: AnyRealmValue])
  /// An object of any class of the store.
  case object(Object)

  /// Creates the value `.none`.
  public init() { self = .none }

  /// Returns a Boolean value that indicates whether two values are of the same case and have equal payloads.
  /// Positive and negative zero are equal, and all NaNs are equal. Inside lists and dictionaries, numbers are
  /// compared by their bits.
  public static func == (first: AnyRealmValue, second: AnyRealmValue) -> Bool {
    areEqual(first, second, isNested: false)
  }

  private static func areEqual(_ first: AnyRealmValue, _ second: AnyRealmValue, isNested: Bool) -> Bool {
    switch (first, second) {
    case (.none, .none): true
    case (.int(let first), .int(let second)): first == second
    case (.bool(let first), .bool(let second)): first == second
    case (.float(let first), .float(let second)):
      isNested ? first.bitPattern == second.bitPattern : Float._areEqual(first, second)
    case (.double(let first), .double(let second)):
      isNested ? first.bitPattern == second.bitPattern : Double._areEqual(first, second)
    case (.string(let first), .string(let second)): String._areEqual(first, second)
    case (.data(let first), .data(let second)): first == second
    case (.date(let first), .date(let second)):
      areEqual(
        .double(first.timeIntervalSinceReferenceDate),
        .double(second.timeIntervalSinceReferenceDate),
        isNested: isNested
      )
    case (.objectId(let first), .objectId(let second)): first == second
    case (.decimal128(let first), .decimal128(let second)): Decimal._areEqual(first, second)
    case (.uuid(let first), .uuid(let second)): first == second
    case (.list(let first), .list(let second)):
      first.elementsEqual(second) { areEqual($0, $1, isNested: true) }
    case (.dictionary(let first), .dictionary(let second)):
      first.count == second.count
        && first.allSatisfy { key, value in
          guard let index = second.index(forKey: key) else { return false }
          return second[index].key.hasSameBytes(as: key)
            && areEqual(second[index].value, value, isNested: true)
        }
    case (.object(let first), .object(let second)): first == second
    default: false
    }
  }

  /// Hashes the payload.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.inOneForm)
    case .double(let value): hasher.combine(value.inOneForm)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value.timeIntervalSinceReferenceDate.inOneForm)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): if !value.isNaN { hasher.combine(value) }
    case .uuid(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    case .dictionary(let values): hasher.combine(values)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension AnyRealmValue {
  /// The integer, or `nil` if the value is of another type.
  public var intValue: Int? {
    guard case .int(let value) = self else { return nil }
    return value
  }

  /// The Boolean, or `nil` if the value is of another type.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The 32-bit number, or `nil` if the value is of another type.
  public var floatValue: Float? {
    guard case .float(let value) = self else { return nil }
    return value
  }

  /// The 64-bit number, or `nil` if the value is of another type.
  public var doubleValue: Double? {
    guard case .double(let value) = self else { return nil }
    return value
  }

  /// The text, or `nil` if the value is of another type.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The bytes, or `nil` if the value is of another type.
  public var dataValue: Data? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  /// The date, or `nil` if the value is of another type.
  public var dateValue: Date? {
    guard case .date(let value) = self else { return nil }
    return value
  }

  /// The object ID, or `nil` if the value is of another type.
  public var objectIdValue: ObjectId? {
    guard case .objectId(let value) = self else { return nil }
    return value
  }

  /// The decimal number, or `nil` if the value is of another type.
  public var decimal128Value: Decimal? {
    guard case .decimal128(let value) = self else { return nil }
    return value
  }

  /// The UUID, or `nil` if the value is of another type.
  public var uuidValue: UUID? {
    guard case .uuid(let value) = self else { return nil }
    return value
  }
}

extension AnyRealmValue: ExpressibleByNilLiteral {
  /// Creates the value `.none`.
  public init(nilLiteral: ()) { self = .none }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyRealmValue: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyRealmValue: ExpressibleByFloatLiteral {
  /// Creates a 64-bit floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyRealmValue: ExpressibleByStringInterpolation {
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
}
