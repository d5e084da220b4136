import Fief
import Foundation
import Synchronization

/// Indexes of many objects, run by hand: `fief-bench fief scale index_unique DIRECTORY COUNT 10000`.
///
/// `index_load` makes a store without indexes. `index_plain`, `index_unique`, `index_compound` and
/// `index_full_text` open it with a next version that has one more index; `index_search` searches for two words
/// then, and `index_check` compares everything in it. `insert_plain`, `insert_unique` and `insert_full_text` make
/// the store with the index from the start.
struct IndexScale {
  /// The description of the store at one of its versions.
  private struct IndexedStore: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "indexed" }
    var schemaVersion: UInt64?
    var objectTypes: [Object.Type]?
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
    var directory: String?
    var storeOptions = StoreOptions()
  }

  /// The answer of a row: seconds, the number of operations, a digest, the most memory of its own in KiB.
  struct Answer {
    var seconds: Double
    var operations: Int
    var sum = 0
    var anonymous = 0
  }

  static let rows = [
    "index_load", "index_plain", "index_unique", "index_compound", "index_full_text", "index_search",
    "index_check", "insert_plain", "insert_unique", "insert_full_text",
  ]
  private static let searches = 200

  let directory: String
  let count: Int
  let batch: Int

  func run(_ row: String) throws -> Answer {
    switch row {
    case "index_load": try load(WithoutIndex.Member.self)
    case "insert_plain": try load(WithPlainIndex.Member.self)
    case "insert_unique": try load(WithUniqueIndex.Member.self)
    case "insert_full_text": try load(WithFullTextIndex.Member.self)
    case "index_plain": try migrate(to: WithPlainIndex.Member.self)
    case "index_unique": try migrate(to: WithUniqueIndex.Member.self)
    case "index_compound": try migrate(to: WithCompoundIndex.Member.self)
    case "index_full_text": try migrate(to: WithFullTextIndex.Member.self)
    case "index_search": try search()
    case "index_check": try check()
    default: throw BenchmarkError("no row \(row)")
    }
  }

  private func load<Member: IndexedMember>(_ type: Member.Type) throws -> Answer {
    try Files.makeEmpty(directory)
    let repository = IndexedStore(schemaVersion: 1, objectTypes: [type], directory: directory)
    defer { repository.close() }
    var answer = Answer(seconds: 0, operations: count)
    for first in stride(from: 0, to: count, by: batch) {
      let members = (first..<min(first + batch, count)).map { Member(number: $0) }
      var outcome: Result<Bool, any Error> = .success(false)
      answer.seconds += Clock.time {
        outcome = Result {
          try repository.saveAndWait(entities: members, update: .error)
          return true
        }
      }
      _ = try outcome.get()
      answer.anonymous = max(answer.anonymous, Memory.anonymous)
    }
    return answer
  }

  /// Opens the store with its next version; the sum is the number of progress reports.
  private func migrate(to type: Object.Type) throws -> Answer {
    let version = try Store.schemaVersion(at: directory + "/indexed") + 1
    let most = Mutex((reports: 0, anonymous: 0))
    var repository = IndexedStore(schemaVersion: version, objectTypes: [type], directory: directory)
    repository.storeOptions.eventHandler = { event in
      guard case .migrating = event else { return }
      most.withLock {
        $0.reports += 1
        // A reading takes some microseconds.
        if $0.reports % 50 == 0 { $0.anonymous = max($0.anonymous, Memory.anonymous) }
      }
    }
    defer { repository.close() }
    let seconds = try Clock.time { _ = try repository.overview() }
    let found = most.withLock { $0 }
    return Answer(seconds: seconds, operations: count, sum: found.reports, anonymous: found.anonymous)
  }

  private func search() throws -> Answer {
    let version = try Store.schemaVersion(at: directory + "/indexed")
    let repository = IndexedStore(
      schemaVersion: version,
      objectTypes: [WithFullTextIndex.Member.self],
      directory: directory
    )
    defer { repository.close() }
    // Words that are in a text together, so that something is found.
    let queries = (0..<Self.searches).map {
      WithFullTextIndex.Member(number: $0 * 37).about.split(separator: " ").prefix(2).joined(separator: " ")
    }
    var sum = 0
    let seconds = try Clock.time {
      for query in queries {
        try repository.read { snapshot in
          for member in snapshot.objects(WithFullTextIndex.Member.self).where({ $0.about.matches(query) })
            .sortedByRelevance().limit(10)
          { sum &+= member.id }
        }
      }
    }
    return Answer(seconds: seconds, operations: queries.count, sum: sum)
  }

  private func check() throws -> Answer {
    let store = try DynamicStore(directory: directory + "/indexed")
    defer { store.close() }
    var found: IntegrityReport?
    let seconds = try Clock.time { found = try store.check() }
    guard let found, found.isConsistent else { throw BenchmarkError("\(found?.problems ?? [])") }
    return Answer(seconds: seconds, operations: found.entries, sum: found.records)
  }
}
