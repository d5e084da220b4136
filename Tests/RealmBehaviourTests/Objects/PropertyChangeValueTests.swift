import FiefRealm
import FiefTesting
import Foundation
import Testing

private enum ReportedMood: String, PersistableEnum { case calm, wild }

private struct ReportedLevel: CustomPersistable {
  let persistableValue: Int
  init(persistedValue: Int) { persistableValue = persistedValue }
}

private final class Reported: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var small: Int8 = 1
  @Persisted var ratio: Float = 0.5
  @Persisted var mood = ReportedMood.calm
  @Persisted var level = ReportedLevel(persistedValue: 1)
  @Persisted var any = AnyRealmValue.string("old")
  @Persisted var maybe: Int16?
}

/// The values of properties in the changes of an object, which have Realm's forms.
@Suite(.timeLimit(.minutes(20))) struct PropertyChangeValueTests {
  @Test(
    "numbers are NSNumbers, and enumerations and values of any type are plain",
    arguments: StoreKind.allCases
  )
  func forms(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository("reported", objectTypes: [Reported.self]), kind)
    let store = fixture.store()
    try store.write { store.create(Reported.self, value: ["id": 1]) }
    let object = try #require(store.objects(Reported.self).first)
    let (changes, continuation) = AsyncStream.makeStream(of: [String].self)
    let token = object.observe { @Sendable change in
      guard case .change(_, let properties) = change else { return }
      continuation.yield(properties.flatMap { reportedTexts($0) })
    }
    let observer = ReportedObserver(continuation)
    let tokens = [
      object.observe(on: observer) { actor, change in actor.note(change) },
      object.observe(
        keyPaths: [\.small, \.ratio, \.mood, \.level, \.any, \.maybe],
        on: observer
      ) { actor, change in actor.note(change) },
    ]
    try store.write {
      guard let object = store.objects(Reported.self).first else { return }
      (object.small, object.ratio, object.mood) = (2, 1.5, .wild)
      (object.level, object.any, object.maybe) = (ReportedLevel(persistedValue: 2), .int(3), 4)
    }
    var iterator = changes.makeAsyncIterator()
    for _ in 0..<3 {
      #expect(
        await iterator.next() == [
          "small: 1, 2", "ratio: 0.5, 1.5", "mood: calm, wild", "level: 1, 2", "any: old, 3", "maybe: nil, 4",
        ]
      )
    }
    for token in tokens + [token] { token.invalidate() }
    fixture.end()
  }
}

/// The values as code for Realm casts them.
private func reportedTexts(_ change: PropertyChange) -> [String] {
  func text(_ value: Any?) -> String {
    switch change.name {
    case "small", "level": (value as? Int).map { "\($0)" } ?? "other"
    case "ratio": (value as? Double).map { "\($0)" } ?? "other"
    case "mood": value as? String ?? "other"
    case "any": value as? String ?? (value as? Int).map { "\($0)" } ?? "other"
    default: value.map { ($0 as? Int).map { "\($0)" } ?? "other" } ?? "nil"
    }
  }
  return ["\(change.name): \(text(change.oldValue)), \(text(change.newValue))"]
}

private actor ReportedObserver {
  private let continuation: AsyncStream<[String]>.Continuation

  init(_ continuation: AsyncStream<[String]>.Continuation) { self.continuation = continuation }

  func note(_ change: ObjectChange<Reported>) {
    guard case .change(_, let properties) = change else { return }
    continuation.yield(properties.flatMap { reportedTexts($0) })
  }
}
