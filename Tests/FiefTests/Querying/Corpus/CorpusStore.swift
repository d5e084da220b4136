import Foundation
import Testing

@testable import Fief

/// A store with the objects of the corpus.
final class CorpusStore {
  private let repository: TypedStore

  init(_ place: TypedPlace, _ world: CorpusWorld) throws {
    repository = try TypedStore(place, CorpusTypes.objects, embedded: CorpusTypes.embedded)
    try repository.put(world.objects())
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
