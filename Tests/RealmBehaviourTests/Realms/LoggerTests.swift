import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The texts that a logger receives.
private final class Texts: Sendable {
  private let texts = Lock<[(LogLevel, String)]>([])

  func take(_ level: LogLevel, _ text: String) { texts.withLock { $0.append((level, text)) } }

  func levels(_ part: String) -> [LogLevel] {
    texts.withLock { $0.filter { $0.1.contains(part) }.map(\.0) }
  }
}

/// `Logger.shared` belongs to the process, so the tests run one after another, and use stores of their own.
@Suite(.serialized, .freshStores, .timeLimit(.minutes(20))) struct LoggerTests {
  private let name = UUID().uuidString

  private func open(_ handler: (@Sendable (StoreEvent) -> Void)? = nil) throws -> Realm {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: name,
      objectTypes: [RealmDog.self, RealmCollar.self]
    )
    configuration.eventHandler = handler
    return try Realm(configuration: configuration)
  }

  private func withLogger(_ level: LogLevel, _ body: (Texts) throws -> Void) rethrows {
    let (texts, former) = (Texts(), Logger.shared)
    defer { Logger.shared = former }
    Logger.shared = Logger(level: level) { texts.take($0, $1) }
    try body(texts)
  }

  /// Reads an object beyond the end. The index occurs in the text of the event.
  private func misuse(_ realm: Realm, _ index: Int) {
    _ = withExpectedEvents { #expect(realm.objects(RealmDog.self)[index].name == "") }
  }

  @Test func aLoggerReceivesTheEventsOfStores() throws {
    try withLogger(.info) { texts in
      let realm = try open()
      defer { realm.close() }
      #expect(texts.levels("opened").contains(.info))
      misuse(realm, 471_101)
      #expect(texts.levels("471101") == [.warn])
      #expect(Logger.shared.level == .info)
    }
  }

  @Test func theLevelLeavesTextsOut() throws {
    try withLogger(.off) { texts in
      let realm = try open()
      defer { realm.close() }
      misuse(realm, 471_102)
      Logger.shared.level = .warn
      misuse(realm, 471_103)
      #expect(texts.levels("471102").isEmpty && texts.levels("471103") == [.warn])
    }
  }

  @Test func anEventHandlerComesFirst() throws {
    let events = Lock(0)
    try withLogger(.all) { texts in
      let realm = try open { _ in events.withLock { $0 += 1 } }
      defer { realm.close() }
      misuse(realm, 471_104)
      #expect(texts.levels("471104").isEmpty && events.withLock { $0 } > 0)
    }
  }
}
