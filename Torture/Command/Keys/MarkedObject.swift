import Fief
import FiefEncryption
import FiefTorture
import Foundation

/// A class with a property of each kind; each has the marker but those that are keys or in indexes.
final class MarkedObject: Object {
  static let marker = "MARK-0123456789-"

  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var rank = 0
  @Persisted(index: .fullText) var words = ""
  @Persisted var text = ""
  @Persisted var optionalText: String?
  @Persisted var bytes = Data()
  @Persisted var part: MarkedPart?
  @Persisted var parts: List<MarkedPart>
  @Persisted var texts: List<String>
  @Persisted var names: MutableSet<String>
  @Persisted var map: Map<String, String>
  @Persisted var any: AnyRealmValue

  /// - Parameters:
  ///   - note: what makes the values those of one write.
  ///   - size: how often the values of collections are there; beyond some hundred they have a tree of their own.
  convenience init(_ id: Int, _ note: Int, size: Int = 3) {
    self.init()
    self.id = id
    rank = note % 31
    words = "words \(id % 13) of \(note % 7)"
    let text = "\(Self.marker)\(id) \(note)"
    self.text = text
    optionalText = text
    // Some have pages of their own.
    bytes = Data(String(repeating: text, count: id % 5 == 0 ? 800 : 4).utf8)
    part = MarkedPart(value: ["text": text])
    parts.append(MarkedPart(value: ["text": text]))
    for number in 0..<size { texts.append("\(text) \(number)") }
    for number in 0..<size { names.insert(name(number)) }
    for number in 0..<size { map[Self.key(number)] = "\(text) \(number)" }
    any = .string(text)
  }

  /// A key of the map.
  static func key(_ number: Int) -> String { "\(marker)key \(number)" }

  /// An element that the set has at first.
  func name(_ number: Int) -> String { "\(text) \(number)" }

  /// All values as one text.
  var content: String {
    [
      "\(id) \(rank) \(words) \(text) \(optionalText ?? "") \(part?.text ?? "") \(parts.map(\.text))",
      String(decoding: bytes, as: UTF8.self), "\(Array(texts))", "\(names.sorted())",
      "\(map.keys.sorted().map { [$0, map[$0] ?? ""] })", "\(any)",
    ].joined(separator: "|")
  }
}

final class MarkedPart: EmbeddedObject {
  @Persisted var text = ""
}

/// A store of such objects with one of the keys of the test.
struct MarkedRepository: DatabaseConfigurable, Sendable {
  /// The keys of the test: 32 bytes each, which no file may have either.
  enum Key: String, CaseIterable, Sendable {
    case none
    case former = "KEY-FORMER-0123456789-0123456789"
    case new = "KEY-NEW-89-0123456789-0123456789"
    case beside = "KEY-BESIDE-0123456789-0123456789"

    var encryption: StoreEncryption? { self == .none ? nil : .key(Data(rawValue.utf8)) }
  }

  let name: String
  let directory: String?
  var key: Key

  /// The repository whose key the test changes.
  static func vault(in directory: String, _ key: Key) -> MarkedRepository {
    MarkedRepository(name: "vault", directory: directory, key: key)
  }

  /// The one that has a part of the writes to several stores.
  static func beside(in directory: String) -> MarkedRepository {
    MarkedRepository(name: "beside", directory: directory, key: .beside)
  }

  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { name }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [MarkedObject.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [MarkedPart.self] }
  var migrationBlock: MigrationBlock? { nil }
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.encryption = key.encryption
    return options
  }
}
