import Fief
import FiefEncryption
import Foundation
import Testing

/// The bytes that each property of ``EveryKind`` has in a file in clear.
private enum Mark {
  static let text = "MARK-text-012345"
  static let uuid = UUID(uuidString: "4D41524B-7575-4964-8123-456789ABCDEF") ?? UUID()
  static let objectID = "4d41524b6f696430313233ab"
  static let integer = 0x4D41_524B_496E_7401
  /// The bits of a number whose bytes are found in any order of them.
  static let double = Double(bitPattern: 0x404D_4152_4B44_6F75)
  static let decimal = Decimal(string: "7342918465037281946.5") ?? 0

  static func bytes(_ uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
  static func bytes(_ number: Int) -> [Data] {
    [
      withUnsafeBytes(of: number.littleEndian) { Data($0) },
      withUnsafeBytes(of: number.bigEndian) { Data($0) },
    ]
  }
}

final class EveryPart: EmbeddedObject {
  @Persisted var text = ""
}

enum EveryName: String, PersistableEnum {
  case none = ""
  case marked = "MARK-enum-012345"
}

struct EveryCode: CustomPersistable {
  typealias PersistedType = String
  var text: String
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

/// A class with a property of each kind, each with bytes of its own to look for.
final class EveryKind: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var optionalText: String?
  @Persisted var integer = 0
  @Persisted var optionalInteger: Int?
  @Persisted var unsigned: UInt64 = 0
  @Persisted var double = 0.0
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var decimal = Decimal()
  @Persisted var uuid = UUID()
  @Persisted var objectID = ObjectId.generate()
  @Persisted var data = Data()
  @Persisted var url = URL(fileURLWithPath: "/")
  @Persisted var name = EveryName.none
  @Persisted var code = EveryCode(persistedValue: "")
  @Persisted var any: AnyRealmValue
  @Persisted var nested: AnyRealmValue
  @Persisted var part: EveryPart?
  @Persisted var texts: List<String>
  @Persisted var uuids: List<UUID>
  @Persisted var datas: List<Data>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var parts: List<EveryPart>
  @Persisted var words: MutableSet<String>
  @Persisted var identifiers: MutableSet<UUID>
  @Persisted var map: Map<String, String>
  @Persisted var partMap: Map<String, EveryPart?>
  @Persisted var array: [String] = []
  @Persisted var dictionary: [String: Data] = [:]
  @Persisted var set: Set<String> = []
  @Persisted var elsewhere: CrossStoreLink<EveryKind>
  @Persisted var lower = ""

  override class func derivedProperties() -> [DerivedProperty] {
    [DerivedProperty("lower", .lowercased(of: "text"))]
  }

  /// An object with all marks, and what to look for by property: one of the sequences of bytes is in a file in clear.
  static func marked(_ id: Int) throws -> (object: EveryKind, marks: [String: [Data]]) {
    let object = EveryKind()
    var marks: [String: [Data]] = [:]
    func mark(_ property: String) -> String {
      let text = "MARK-\(property)-0123456789"
      marks[property] = [Data(text.utf8)]
      return text
    }
    func identifier(_ property: String, _ byte: UInt8) -> UUID {
      var bytes = Mark.uuid.uuid
      bytes.15 = byte
      let uuid = UUID(uuid: bytes)
      marks[property] = [Mark.bytes(uuid)]
      return uuid
    }
    object.id = id
    object.text = mark("text")
    marks["lower"] = [Data("MARK-text-0123456789".lowercased().utf8)]
    object.optionalText = mark("optionalText")
    object.integer = Mark.integer
    marks["integer"] = Mark.bytes(Mark.integer)
    object.optionalInteger = Mark.integer + 1
    marks["optionalInteger"] = Mark.bytes(Mark.integer + 1)
    object.double = Mark.double
    marks["double"] = Mark.bytes(Int(bitPattern: UInt(Mark.double.bitPattern)))
    object.date = Date(timeIntervalSinceReferenceDate: Mark.double.nextUp)
    marks["date"] = Mark.bytes(Int(bitPattern: UInt(Mark.double.nextUp.bitPattern)))
    object.uuid = identifier("uuid", 1)
    object.objectID = try ObjectId(string: Mark.objectID)
    marks["objectID"] = [Data([0x4d, 0x41, 0x52, 0x4b, 0x6f, 0x69, 0x64, 0x30, 0x31, 0x32, 0x33, 0xab])]
    object.data = Data(mark("data").utf8)
    object.url = try #require(URL(string: "https://example.org/" + mark("url")))
    object.name = .marked
    marks["name"] = [Data(EveryName.marked.rawValue.utf8)]
    object.code = EveryCode(persistedValue: mark("code"))
    object.any = .string(mark("any"))
    object.nested = .dictionary([
      "key": .dictionary(["inner": .string(mark("nested"))]), mark("nestedKey"): .int(1),
    ])
    object.part = EveryPart(value: ["text": mark("part")])
    object.texts.append(mark("texts"))
    object.uuids.append(identifier("uuids", 2))
    object.datas.append(Data(mark("datas").utf8))
    object.anys.append(.string(mark("anys")))
    object.parts.append(EveryPart(value: ["text": mark("parts")]))
    object.words.insert(mark("words"))
    object.identifiers.insert(identifier("identifiers", 3))
    object.map[mark("mapKey")] = mark("map")
    object.partMap["key"] = EveryPart(value: ["text": mark("partMap")])
    object.array = [mark("array")]
    object.dictionary = [mark("dictionaryKey"): Data(mark("dictionary").utf8)]
    object.set = [mark("set")]
    object.decimal = Mark.decimal
    object.unsigned = UInt64(Int64.max) + 0x4D41_524B_5566
    return (object, marks)
  }
}

/// Properties of each kind, none of whose bytes is in the files of an encrypted store.
@Suite(.timeLimit(.minutes(30))) struct EveryKindTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func fill(_ clinic: Clinic) throws -> [String: [Data]] {
    var marks: [String: [Data]] = [:]
    try clinic.write { transaction in
      for id in 0..<50 {
        let (object, found) = try EveryKind.marked(id)
        try transaction.add(object)
        marks = found
      }
    }
    // Free pages have what was deleted.
    try clinic.write { try $0.delete(ofType: EveryKind.self, forPrimaryKeys: Array(0..<25)) }
    return marks
  }

  /// The properties whose bytes are in one of the files.
  private func found(_ marks: [String: [Data]], in name: String) throws -> Set<String> {
    let file = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/" + name + "/data.mdb"))
    return Set(marks.filter { $0.value.contains { file.range(of: $0) != nil } }.map(\.key))
  }

  @Test("the values of each kind of property are in the file in clear, and not in the encrypted one")
  func kinds() throws {
    let clear = Clinic(parent: scratch.path, name: "clear", encryption: nil, types: [EveryKind.self])
    let marks = try fill(clear)
    clear.close()
    #expect(try found(marks, in: "clear").symmetricDifference(marks.keys) == [])
    let clinic = Clinic(parent: scratch.path, types: [EveryKind.self])
    #expect(try fill(clinic) == marks)
    try clinic.backup(to: scratch.path + "/backup")
    #expect(try found(marks, in: "clinic") == [])
    try clear.encrypt(with: .test(2))
    clear.close()
    for name in ["clinic", "backup", "clear"] { #expect(try found(marks, in: name) == []) }
    // The values are there.
    let object = try #require(clinic.object(ofType: EveryKind.self, forPrimaryKey: 30))
    #expect(object.decimal == Mark.decimal)
    #expect(object.uuid == (try EveryKind.marked(1).object.uuid))
    #expect(object.dictionary == (try EveryKind.marked(1).object.dictionary))
    #expect(object.lower == object.text.lowercased())
    #expect(try clinic.check().problems == [])
    clinic.close()
  }
}
