import Foundation

/// A value of any type that a property can have; the type of a property whose values differ in type.
///
/// Two values are equal when they are of the same case and their payloads are equal: `.int(1)` and
/// `.double(1)` are different. Texts are equal if their UTF-8 bytes are, as in queries.
///
/// A list and a dictionary have values of any type too, and so on up to 100 inside of each other; a save of more fails with
/// `invalidValue`. They are values as all others: who changes one changes the property.
///
/// ```swift
/// note.content = .dictionary(["title": "Lulu", "tags": .list(["cat", 3])])
/// note.content.dictionaryValue?["title"] = "Rex"
/// note.content.dictionaryValue?["tags"]?.listValue?.append(true)
/// ```
/// A query finds values that equal a whole list or dictionary, and those with parts: `$0.content["title"] == "Lulu"`.
///
/// An object is stored as a link: the number of its type and its key. A save adds the object where it is new, as it does
/// with links. No way leads back from the object, and no rule is about the link: where the object is deleted the value
/// reads as none from then on, and a query finds it as nil, without a change of the property, so that observers of the
/// property are not notified. An object that is added under the same primary key later is the value again.
/// Values that have objects are not `Sendable`, as these are not.
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
  /// A truth value.
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
  /// An object id.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal)
  /// A UUID.
  case uuid(UUID)
  /// Values in an order.
  case list([AnyRealmValue])
  /// Values by names.
  case dictionary([String: AnyRealmValue])
  /// An object of any class of the store.
  case object(Object)

  /// Makes a value that is none.
  public init() { self = .none }

  /// Whether both are of the same case with equal payloads. Both zeros are equal, and all NaNs are. Numbers
  /// inside lists and dictionaries are compared by their bits.
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
  /// The integer, or nil where the value is of another type.
  public var intValue: Int? {
    guard case .int(let value) = self else { return nil }
    return value
  }

  /// The truth value, or nil where the value is of another type.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The 32-bit number, or nil where the value is of another type.
  public var floatValue: Float? {
    guard case .float(let value) = self else { return nil }
    return value
  }

  /// The 64-bit number, or nil where the value is of another type.
  public var doubleValue: Double? {
    guard case .double(let value) = self else { return nil }
    return value
  }

  /// The text, or nil where the value is of another type.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The bytes, or nil where the value is of another type.
  public var dataValue: Data? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  /// The date, or nil where the value is of another type.
  public var dateValue: Date? {
    guard case .date(let value) = self else { return nil }
    return value
  }

  /// The object id, or nil where the value is of another type.
  public var objectIdValue: ObjectId? {
    guard case .objectId(let value) = self else { return nil }
    return value
  }

  /// The decimal number, or nil where the value is of another type.
  public var decimal128Value: Decimal? {
    guard case .decimal128(let value) = self else { return nil }
    return value
  }

  /// The UUID, or nil where the value is of another type.
  public var uuidValue: UUID? {
    guard case .uuid(let value) = self else { return nil }
    return value
  }
}

extension AnyRealmValue: ExpressibleByNilLiteral {
  /// Makes a value that is none.
  public init(nilLiteral: ()) { self = .none }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyRealmValue: ExpressibleByBooleanLiteral {
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyRealmValue: ExpressibleByFloatLiteral {
  /// Makes a 64-bit floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyRealmValue: ExpressibleByStringInterpolation {
  /// Makes text.
  public init(stringLiteral value: String) { self = .string(value) }
}
