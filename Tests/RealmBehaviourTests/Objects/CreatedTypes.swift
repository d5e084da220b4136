import FiefRealm
import Foundation

enum CreatedKind: Int, PersistableEnum {
  case first = 1
  case second
}

enum CreatedColor: String, PersistableEnum {
  case red, green
}

struct CreatedWord: CustomPersistable, Hashable {
  let text: String
  init(persistedValue: String) { text = persistedValue }
  init(_ text: String) { self.text = text }
  var persistableValue: String { text }
}

/// A property of each type.
final class CreatedObject: Object {
  @Persisted var bool = true
  @Persisted var int = 10
  @Persisted var int8: Int8 = 8
  @Persisted var int16: Int16 = 16
  @Persisted var int32: Int32 = 32
  @Persisted var int64: Int64 = 64
  @Persisted var float: Float = 1.5
  @Persisted var double = 2.5
  @Persisted var text = "text"
  @Persisted var data = Data([1])
  @Persisted var date = Date(timeIntervalSince1970: 1)
  @Persisted var decimal: Decimal = 1.25
  @Persisted var objectId = CreatedObject.id(0)
  @Persisted var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  @Persisted var any: AnyRealmValue = .none
  @Persisted var kind = CreatedKind.first
  @Persisted var color = CreatedColor.red
  @Persisted var word = CreatedWord("word")
  @Persisted var toy: MadeToy?
  @Persisted var tag: MadeTag?
  @Persisted var numbers: List<Int>
  @Persisted var optionalTexts: List<String?>
  @Persisted var dates: MutableSet<Date>
  @Persisted var kinds: List<CreatedKind>
  @Persisted var words: Map<String, CreatedWord>
  @Persisted var scores: Map<String, Double?>
  @Persisted var toys: List<MadeToy>

  static func id(_ byte: UInt8) -> ObjectId {
    ObjectId("0102030405060708090a0b" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      ?? ObjectId.generate()
  }

  /// The names and values in the order of the properties.
  static func values() -> [(String, Any)] {
    [
      ("bool", false), ("int", 11), ("int8", Int8(9)), ("int16", Int16(17)), ("int32", Int32(33)),
      ("int64", Int64(65)), ("float", Float(2.5)), ("double", 3.5), ("text", "other"),
      ("data", Data([2, 3])),
      ("date", Date(timeIntervalSince1970: 2)), ("decimal", Decimal(2.5)), ("objectId", id(200)),
      ("uuid", UUID(uuid: (9, 9, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      ("any", AnyRealmValue.string("any")), ("kind", CreatedKind.second), ("color", CreatedColor.green),
      ("word", CreatedWord("made")), ("toy", ["name": "ball"]), ("tag", ["text": "tag"]),
      ("numbers", [1, 2]),
      ("optionalTexts", ["a", nil] as [String?]), ("dates", [Date(timeIntervalSince1970: 5)]),
      ("kinds", [CreatedKind.second]), ("words", ["k": CreatedWord("v")]),
      ("scores", ["a": 1.5, "b": nil] as [String: Double?]), ("toys", [["name": "bone"], ["name": "rope"]]),
    ]
  }
}

/// All that can be nil.
final class CreatedOptionals: Object {
  @Persisted var bool: Bool? = true
  @Persisted var int: Int? = 1
  @Persisted var int8: Int8? = 1
  @Persisted var float: Float? = 1
  @Persisted var double: Double? = 1
  @Persisted var text: String? = "a"
  @Persisted var data: Data? = Data([1])
  @Persisted var date: Date? = Date(timeIntervalSince1970: 1)
  @Persisted var decimal: Decimal? = 1
  @Persisted var objectId: ObjectId? = CreatedObject.id(1)
  @Persisted var uuid: UUID? = UUID()
  @Persisted var kind: CreatedKind? = .first
  @Persisted var color: CreatedColor? = .red
  @Persisted var word: CreatedWord? = CreatedWord("a")

  var isNil: Bool {
    bool == nil && int == nil && int8 == nil && float == nil && double == nil && text == nil && data == nil
      && date == nil && decimal == nil && objectId == nil && uuid == nil && kind == nil && color == nil
      && word == nil
  }
  static let names = [
    "bool", "int", "int8", "float", "double", "text", "data", "date", "decimal", "objectId", "uuid", "kind",
    "color",
    "word",
  ]
}

final class CreatedCounter: Object {
  private static let count = Lock(0)
  @Persisted(primaryKey: true) var id = CreatedCounter.next()
  @Persisted var number = CreatedCounter.next()
  var calls: [String] = []
  @Persisted var watched = 0 {
    willSet { calls.append("\(watched) becomes \(newValue)") }
    didSet { calls.append("\(oldValue) became \(watched)") }
  }

  static func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

final class CreatedTarget: Object {
  @Persisted(originProperty: "target") var sources: LinkingObjects<CreatedSource>
}

final class CreatedSource: Object {
  @Persisted var value = 0
  @Persisted var target: CreatedTarget?
}
