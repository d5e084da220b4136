import Fief
import Foundation

/// The objects that the corpus is asked about: some with values at the ends of their ranges, and many with few
/// different values, so that there are equal ones.
enum CorpusData {
  static let uuids = (0..<4).map { number in
    UUID(uuid: (UInt8(number) &* 85, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number)))
  }
  static let objectIds = (0..<4).map { number in
    ObjectId(bytes: (UInt8(number) &* 85, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, UInt8(number)))
  }
  static let strings: [ByteText] = [
    "", "a", "A", "Ann", "anna", "ANNA", "Bob", "bob ", "\u{E9}", "e\u{301}", "E", "\u{C9}cole", "Zo\u{EB}",
    "nul\u{0}inside",
    "日本語", "👨‍👩‍👧‍👦", "100%", "a*b", "a?b", "Ann\\a", "naïve",
  ]
  static let texts: [ByteText] = [
    "", "The quick brown fox", "Quick thinking, quick acting", "a lazy dog and a fox", "Foxes are quick",
    "nothing",
  ]
  static let integers = [Int.min, -1, 0, 1, 2, 3, 5, 7, 127, 255, 65_536, .max]
  static let doubles = [
    0.0, -0.0, .nan, .infinity, -.infinity, 0.5, 1.5, -1.5, 3, 1e300, 9_007_199_254_740_992, 0.1,
  ]
  static let decimals: [Decimal] = [
    0, 1, -1, 3, Decimal(string: "0.1") ?? 0, Decimal(string: "1.50") ?? 0,
    Decimal(string: "12345678901234567890.5") ?? 0, Decimal(string: "-99999999999999999999") ?? 0,
  ]
  static let blobs: [Data] = [Data(), Data([0]), Data([1, 2, 3]), Data([255, 0, 1]), Data([1, 2])]
  static let dates: [Date] = [
    Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 86_400),
    Date(timeIntervalSinceReferenceDate: -0.5), .distantPast, .distantFuture,
    Date(timeIntervalSince1970: 1_700_000_000),
  ]
  static var anys: [AnyRealmValue] {
    [
      .none, .int(3), .double(3), .double(.nan), .string("a"), .string("3"), .bool(true), .int(.max),
      .date(dates[1]), .data(blobs[2]), .uuid(uuids[1]), .objectId(objectIds[1]), .decimal128(3), .float(1.5),
    ]
  }
  static let sizes = CorpusSize.allCases
  static let levels = CorpusLevel.allCases
}
