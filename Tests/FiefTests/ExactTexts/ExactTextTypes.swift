import Fief
import FiefTesting
import Foundation

/// Two texts that Swift holds equal, and that have different bytes.
enum Accent: Int, CaseIterable {
  /// `é` as one scalar.
  case composed
  /// `e` with an accent.
  case decomposed

  var text: String { self == .composed ? "caf\u{E9}" : "cafe\u{301}" }
  /// The id of the object that has the text.
  var id: Int { rawValue }
  var other: Accent { self == .composed ? .decomposed : .composed }
}

enum AccentName: String, PersistableEnum {
  case none = ""
  case cafe = "caf\u{E9}"
}

struct AccentCode: CustomPersistable, Hashable {
  typealias PersistedType = String
  var text: String
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

final class AccentPart: EmbeddedObject {
  @Persisted var text = ""
}

final class AccentFile: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var path = ""
  @Persisted(indexed: true) var name = ""
  @Persisted var label: String?
  @Persisted var tags: List<String>
  @Persisted var words: MutableSet<String>
  @Persisted var codes: MutableSet<AccentCode>
  @Persisted var values: MutableSet<AnyRealmValue>
  @Persisted var sizes: Map<String, Int>
  @Persisted var texts: Map<String, String>
  @Persisted var friends: Map<String, AccentFile?>
  @Persisted var children: List<AccentFile>
  @Persisted var parent: AccentFile?
  @Persisted var part: AccentPart?
  @Persisted var parts: List<AccentPart>
  @Persisted var thing: AnyRealmValue
  @Persisted var content: AnyRealmValue

  convenience init(_ accent: Accent) {
    self.init()
    let text = accent.text
    id = accent.id
    path = text
    name = text
    label = text
    tags.append(text)
    words.insert(text)
    sizes[text] = 1
    texts["key"] = text
    children.append(self)
    parent = self
    part = AccentPart(value: ["text": text])
    thing = .string(text)
    content = ["title": .string(text), "parts": .dictionary([text: 1])]
  }
}

/// A class that has sets and dictionaries of Swift's, which cannot have both texts.
final class AccentSwift: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var words: Set<String> = []
  @Persisted var sizes: [String: Int] = [:]
}

final class AccentKind: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = AccentName.none
}

typealias AccentStore = StoreFixture<TestRepository>

extension StoreFixture where Repository == TestRepository {
  /// A store with an object for each of both texts.
  static func ofAccents(_ kind: StoreKind, _ options: StoreOptions = StoreOptions()) throws -> AccentStore {
    let repository = TestRepository(
      objectTypes: [AccentFile.self, AccentSwift.self, AccentKind.self],
      embedded: [AccentPart.self],
      options: options
    )
    let fixture = try AccentStore(repository, kind)
    try fixture.saveAndWait(entities: Accent.allCases.map { AccentFile($0) })
    return fixture
  }

  var files: Results<AccentFile> { store().objects(AccentFile.self) }

  func file(_ id: Int = 0) throws -> AccentFile {
    guard let file = try store().fetchObject(ofType: AccentFile.self, forPrimaryKey: id) else {
      throw FiefError(.objectNotFound, "There is no such file.")
    }
    return file
  }
}

/// The bytes of texts, to be compared.
func bytes(_ texts: some Sequence<String>) -> [[UInt8]] { texts.map { Array($0.utf8) } }
