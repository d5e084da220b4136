import Fief
import Foundation

enum TypedSize: String, PersistableEnum, Codable { case small, large }
enum TypedLevel: Int, PersistableEnum { case low = -1, high = 9 }

struct TypedCents: CustomPersistable, Hashable {
  var amount: Int
  init(amount: Int) { self.amount = amount }
  init(persistedValue: Int) { amount = persistedValue }
  var persistableValue: Int { amount }
}

struct TypedEven: FailableCustomPersistable, Hashable {
  var number: Int
  init?(persistedValue: Int) {
    guard persistedValue % 2 == 0 else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

/// Values of each type, with those at the ends of its range.
enum TypedSamples {
  static let bools = [true, false]
  static let ints = [Int.min, -1, 0, 1, 255, 256, Int.max]
  static let int8s: [Int8] = [.min, -1, 0, 1, .max]
  static let int16s: [Int16] = [.min, -1, 0, 1, .max]
  static let int32s: [Int32] = [.min, -1, 0, 1, .max]
  static let int64s: [Int64] = [.min, -1, 0, 1, .max]
  static let floats: [Float] = [
    .nan, .infinity, -.infinity, -0.0, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
  ]
  static let doubles: [Double] = [
    .nan, .infinity, -.infinity, -0.0, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
  ]
  static let strings = [
    "", "a", "nul\u{0}inside", "\u{0}", "👨‍👩‍👧‍👦🏳️‍🌈", "e\u{301}", "é", String(repeating: "long ☃ ", count: 10_000),
  ]
  static let data: [Data] = [
    Data(), Data([0]), Data(0...255), Data(repeating: 7, count: 70_000), Data([0xFF, 0xFE]),
  ]
  static let dates: [Date] = [
    .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0),
    Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: -1e12),
  ]
  static let uuids: [UUID] = [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID()]
  static let objectIds: [ObjectId] = [ObjectId(), ObjectId(bytes: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
  static let decimals: [Decimal] = [
    0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1,
    Decimal(string: "12345678901234567890.123456789012345678") ?? 1, Decimal(string: "0.1") ?? 1,
  ]
  static var anys: [AnyRealmValue] {
    [
      .none, .int(.min), .bool(true), .float(-0.5), .double(.infinity), .string("x"), .data(Data([1, 2])),
      .date(.distantPast), .objectId(objectIds[0]), .decimal128(decimals[5]), .uuid(uuids[0]),
      .list([]), .dictionary([:]),
      .list([.int(1), .list([.none]), .dictionary(["b": .bool(true), "a": .float(0.5)])]),
    ]
  }
  static let sizes = TypedSize.allCases
  static let levels = TypedLevel.allCases
  static let cents = ints.map { TypedCents(amount: $0) }
  /// The number of objects: the number of values in the longest of these lists.
  static let count = 14

  static func pick<Value>(_ values: [Value], _ index: Int) -> Value { values[index % values.count] }
}

/// Any value as one that can be compared bit by bit.
func typedBits(_ value: Any) -> AnyHashable {
  switch value {
  case let value as Double: value.bitPattern
  case let value as Float: value.bitPattern
  case let value as Date: value.timeIntervalSinceReferenceDate.bitPattern
  // Swift's `==` takes texts of other scalars for the same.
  case let value as String: Array(value.utf8)
  case let value as any Hashable: AnyHashable(value)
  default: AnyHashable("not comparable: \(value)")
  }
}

func typedBits<Value>(_ values: some Sequence<Value>) -> [AnyHashable] { values.map { typedBits($0) } }
