import Fief
import FiefStress
import FiefTesting
import Foundation
import TestEffort
import Testing

final class ChosenPart: EmbeddedObject {
  @Persisted var data = Data()
}

final class ChosenFile: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var data = Data()
  @Persisted var next: ChosenFile?
  @Persisted var part: ChosenPart?
  @Persisted var few: List<Data>
  @Persisted var many: List<Data>
  @Persisted var set: MutableSet<Data>
  @Persisted var named: Map<String, Data>
  @Persisted var files: Map<String, ChosenFile?>
}

/// Observers find modifications by hashes, with values that someone has chosen to make them miss one.
///
/// The values have the same checksum: wyhash multiplies 16 bytes in two halves, and a first half that is its public constant makes the
/// product zero, whatever the second half is.
@Suite("Chosen values", .timeLimit(.minutes(20)))
struct ChosenValuesTests {
  /// - Parameter distance: the number of bytes before those that decide. The place of the value in what is hashed is not known, so
  ///   that all places in a step of 48 bytes are tried.
  private static func value(_ free: UInt64, after distance: Int) -> Data {
    var data = Data(repeating: 1, count: distance)
    withUnsafeBytes(of: (0x8bb8_4b93_962e_acc9 as UInt64).littleEndian) { data.append(contentsOf: $0) }
    withUnsafeBytes(of: free.littleEndian) { data.append(contentsOf: $0) }
    data.append(Data(repeating: 1, count: 64))
    return data
  }

  private typealias Fixture = StoreFixture<TestRepository>

  /// Gives two files a value in each of their properties.
  private static func set(_ data: Data, in store: Fixture) throws {
    try store.write { write in
      for id in 1...2 {
        let file = try #require(try write.object(ofType: ChosenFile.self, forPrimaryKey: id))
        file.data = data
        file.part = ChosenPart(value: ["data": data])
        if file.few.isEmpty {
          file.few.append(data)
          for _ in 0..<60 { file.many.append(data) }
        }
        file.few[0] = data
        file.many[30] = data
        file.set.removeAll()
        file.set.insert(data)
        file.named["key"] = data
      }
    }
    try store.store().waitUntilDelivered()
  }

  @Test("are modifications wherever they are", arguments: StoreKind.allCases)
  func modifications(_ kind: StoreKind) throws {
    let types = TestRepository(objectTypes: [ChosenFile.self], embedded: [ChosenPart.self])
    let store = try StoreFixture(types, kind)
    try store.write { write in
      let second = try write.create(ChosenFile.self, value: ["id": 2])
      let first = try write.create(ChosenFile.self, value: ["id": 1, "next": second])
      first.files["two"] = .some(second)
    }
    let reports = Reports()
    let file = try #require(store.object(ofType: ChosenFile.self, forPrimaryKey: 1))
    let files = store.store().objects(ChosenFile.self)
    var tokens: [NotificationToken] = []
    tokens.append(files.observe { reports.note("results", $0) })
    for path in ["data", "part.data", "few", "many", "set", "named", "next.data", "next.many"] {
      tokens.append(files.observe(keyPaths: [path]) { reports.note(path, $0) })
    }
    for path in ["many", "next.data", "next.few", "next.many", "next.set"] {
      let note: @Sendable (ObjectChange<ChosenFile>) -> Void = { change in
        if case .change = change { reports.note("object " + path) }
      }
      tokens.append(file.observe(keyPaths: [path], note))
    }
    tokens.append(file.few.observe { reports.note("list", $0) })
    tokens.append(file.many.observe { reports.note("large list", $0) })
    tokens.append(
      file.set.observe { change in
        if case .update(_, let deletions, let insertions, _) = change, deletions == [0], insertions == [0] {
          reports.note("elements of a set")
        }
      }
    )
    tokens.append(
      file.named.observe { change in
        if case .update(_, _, _, let keys) = change, keys == ["key"] { reports.note("map") }
      }
    )
    tokens.append(
      file.files.observe { change in
        if case .update(_, _, _, let keys) = change, keys == ["two"] { reports.note("map of objects") }
      }
    )
    try store.store().waitUntilDelivered()
    // The short form has each remainder by 8.
    for distance in stride(from: 0, to: 48, by: TestEffort.count(3, more: 1)) {
      try Self.set(Self.value(1, after: distance), in: store)
      _ = reports.take()
      try Self.set(Self.value(2, after: distance), in: store)
      #expect(reports.take() == Reports.all, "\(distance) bytes before the value")
    }
    for token in tokens { token.invalidate() }
    store.closeChecked()
  }

  /// The observers that have reported a modification since the last look.
  private final class Reports: Sendable {
    static let all: Set<String> = [
      "results", "data", "part.data", "few", "many", "set", "named", "next.data", "next.many", "object many",
      "object next.data", "object next.few", "object next.many", "object next.set", "list", "large list",
      "elements of a set", "map", "map of objects",
    ]

    private let names = Lock<Set<String>>([])

    func note(_ name: String) { names.withLock { _ = $0.insert(name) } }

    func note<Observed>(_ name: String, _ change: RealmCollectionChange<Observed>) {
      guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
      if deletions.isEmpty, insertions.isEmpty, !modifications.isEmpty { note(name) }
    }

    func take() -> Set<String> {
      names.withLock { names in
        defer { names = [] }
        return names
      }
    }
  }
}
