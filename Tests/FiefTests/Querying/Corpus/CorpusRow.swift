import Fief
import Foundation

/// A text that is equal to another one if their bytes are, and ordered by them: as in a store.
struct ByteText: Hashable, Comparable, ExpressibleByStringLiteral {
  let text: String

  init(_ text: String) { self.text = text }
  init(stringLiteral value: String) { text = value }

  private var bytes: [UInt8] { Array(text.utf8) }

  static func == (first: ByteText, second: ByteText) -> Bool { first.bytes == second.bytes }
  static func < (first: ByteText, second: ByteText) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  func starts(_ other: ByteText) -> Bool { bytes.starts(with: other.bytes) }
  func ends(_ other: ByteText) -> Bool { bytes.reversed().starts(with: other.bytes.reversed()) }
  func has(_ other: ByteText) -> Bool {
    let bytes = bytes
    return bytes.indices.contains { bytes[$0...].starts(with: other.bytes) } || other.bytes.isEmpty
  }
  /// The text without case.
  var c: ByteText { ByteText(text.folding(options: .caseInsensitive, locale: nil)) }
  /// The text without accents.
  var d: ByteText { ByteText(text.folding(options: .diacriticInsensitive, locale: nil)) }
  var cd: ByteText {
    ByteText(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
  }
  /// Whether the words of the text have all of some words, in lower case.
  func words(_ wanted: String...) -> Bool {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return wanted.allSatisfy(words.contains)
  }
}

/// The content of a ``CorpusItem``, in plain values.
final class CorpusRow {
  var id = 0
  var bool = false
  var flag: Bool?
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var int = 0
  var optInt: Int?
  var float: Float = 0
  var double = 0.0
  var optDouble: Double?
  var decimal: Decimal = 0
  var optDecimal: Decimal?
  var string: ByteText = ""
  var optString: ByteText?
  var text: ByteText = ""
  var data = Data()
  var optData: Data?
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var optDate: Date?
  var uuid = CorpusData.uuids[0]
  var optUUID: UUID?
  var objectId = CorpusData.objectIds[0]
  var any = AnyRealmValue.none
  var size = CorpusSize.small
  var optSize: CorpusSize?
  var level = CorpusLevel.middle
  var cents = 0
  var friend: CorpusRow?
  var favourite: CorpusToyRow?
  var toys: [CorpusToyRow] = []
  var toySet: [CorpusToyRow] = []
  var toyMap: [String: CorpusToyRow?] = [:]
  var collar: CorpusCollarRow?
  var collars: [CorpusCollarRow] = []
  var ints: [Int] = []
  var optInts: [Int?] = []
  var doubles: [Double] = []
  var strings: [ByteText] = []
  var sizes: [CorpusSize] = []
  var intSet: Set<Int> = []
  var prices: [String: Double] = [:]
  var names: [String: ByteText] = [:]
  var counts: [String: Int?] = [:]
}

final class CorpusToyRow {
  var name: ByteText = ""
  var price = 0.0
  var weight: Int?
  var maker: CorpusMakerRow?
  var owners: [CorpusRow] = []
  var fans: [CorpusRow] = []
}

final class CorpusMakerRow {
  var country: ByteText = ""
  var founded = 0
  var toys: [CorpusToyRow] = []
}

struct CorpusCollarRow {
  var color: ByteText = ""
  var width: Int?
  var tag: CorpusTagRow?
  var holes: [Int] = []
  var maker: CorpusMakerRow?
}

struct CorpusTagRow {
  var label: ByteText?
  var number = 0
}

infix operator <? : ComparisonPrecedence
infix operator <=? : ComparisonPrecedence
infix operator >? : ComparisonPrecedence
infix operator >=? : ComparisonPrecedence

/// Nil is neither less nor greater than anything.
func <? <Value: Comparable>(first: Value?, second: Value?) -> Bool {
  guard let first, let second else { return false }
  return first < second
}

func <=? <Value: Comparable>(first: Value?, second: Value?) -> Bool {
  guard let first, let second else { return false }
  return first <= second
}

func >? <Value: Comparable>(first: Value?, second: Value?) -> Bool { second <? first }

func >=? <Value: Comparable>(first: Value?, second: Value?) -> Bool { second <=? first }

extension CorpusRow {
  var int128: Int128 { Int128(int) }
}
