import Fief
import Foundation
import Testing

@testable import FiefCore

/// The place of the store, and the origin of its content.
enum CorpusPlace: CaseIterable {
  case disk, memory
  /// A store on disk, with records of an older layout and of narrower types among the others.
  case migrated
}

/// A store with the objects of the corpus.
final class CorpusStore {
  private let repository: any DatabaseConfigurable
  private let directory = NSTemporaryDirectory() + "fief-corpus-\(UUID().uuidString)"

  init(_ place: CorpusPlace, _ world: CorpusWorld) throws {
    guard place == .migrated else {
      let plain = try TypedStore(
        place == .disk ? .disk : .memory,
        CorpusTypes.objects,
        embedded: CorpusTypes.embedded
      )
      repository = plain
      try plain.put(world.objects())
      return
    }
    let old = MigratingStore(directory, version: 1, [OldCorpusItem.self, OldIndexedCorpusItem.self])
    try old.opened { try $0.store().write { try $0.add(world.oldObjects()) } }
    repository = MigratingStore(directory, version: 2, CorpusTypes.objects, embedded: CorpusTypes.embedded)
    try repository.write { try $0.add(world.objects(from: CorpusWorld.oldCount), update: .all) }
  }

  deinit {
    guard repository is MigratingStore else { return }
    expectWhole(repository.store())
    repository.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  func store() -> Store { repository.store() }
  func read(_ body: (Snapshot) throws -> Void) throws { try repository.read { try body($0) } }
  func write(_ body: (WriteTransaction) throws -> Void) throws { try repository.write { try body($0) } }

  /// Expects results to have the objects with some keys, however they are asked for them.
  func expect<Element: CorpusItem>(
    _ results: Results<Element>,
    _ expected: Set<Int>,
    _ name: String
  ) {
    do {
      var found: [Int] = []
      try results.forEachObject { found.append($0.id) }
      guard Set(found) == expected, found.count == expected.count else {
        let missing = expected.subtracting(found).sorted()
        let wrong = Set(found).subtracting(expected).sorted()
        Issue.record("\(name): missing \(missing), wrong \(wrong), \(found.count) in all")
        return
      }
      #expect(results.count == expected.count, "count of \(name)")
    } catch {
      Issue.record("\(name): \(error)")
    }
  }

  func expect(
    _ expected: Set<Int>,
    _ name: String,
    _ query: (Results<CorpusItem>) throws -> Results<CorpusItem>
  ) {
    expect(store().objects(CorpusItem.self), expected, name, query)
  }

  func expect<Element: CorpusItem>(
    _ all: Results<Element>,
    _ expected: Set<Int>,
    _ name: String,
    _ query: (Results<Element>) throws -> Results<Element>
  ) {
    do { expect(try query(all), expected, name) } catch { Issue.record("\(name): \(error)") }
  }
}
