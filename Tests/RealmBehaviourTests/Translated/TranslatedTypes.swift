import FiefRealm
import Foundation
import Synchronization

final class TranslatedText: Object {
  @Persisted var text = ""

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

final class TranslatedKeyed: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var number = 0
}

final class TranslatedOptionalKey: Object {
  @Persisted(primaryKey: true) var key: Int?
  @Persisted var text = ""
}

final class TranslatedPart: EmbeddedObject {
  @Persisted var number = 0
}

final class TranslatedHolder: Object {
  @Persisted var name = ""
  @Persisted var texts: List<TranslatedText>
  @Persisted var textSet: MutableSet<TranslatedText>
  @Persisted var textMap: Map<String, TranslatedText?>
  @Persisted var ints: List<Int>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var parts: List<TranslatedPart>
  @Persisted var part: TranslatedPart?
  @Persisted var any: AnyRealmValue
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var link: TranslatedText?
  @Persisted var optional: Int?
}

final class TranslatedOwner: Object {
  @Persisted var name = ""
  @Persisted var dog: TranslatedDog?
}

final class TranslatedDog: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "dog") var owners: LinkingObjects<TranslatedOwner>
}

/// A realm in memory, and the events that it reports.
struct TranslatedRealm {
  final class Events: Sendable {
    private let events = Mutex<[StoreEvent]>([])
    func add(_ event: StoreEvent) { events.withLock { $0.append(event) } }
    /// The codes of the failures since the last call.
    func take() -> [FiefError.Code?] {
      events.withLock { all in
        defer { all = [] }
        return all.filter(\.isFailure).map { $0.failure?.code }
      }
    }
  }

  static let types: [ObjectBase.Type] = [
    TranslatedText.self, TranslatedKeyed.self, TranslatedOptionalKey.self, TranslatedPart.self,
    TranslatedHolder.self, TranslatedOwner.self, TranslatedDog.self,
  ]

  let realm: Realm
  let events = Events()
  let configuration: Realm.Configuration

  init(_ name: String = UUID().uuidString) throws {
    var configuration = Realm.Configuration(inMemoryIdentifier: name, objectTypes: Self.types)
    configuration.eventHandler = { [events] in events.add($0) }
    self.configuration = configuration
    realm = try Realm(configuration: configuration)
  }
}
