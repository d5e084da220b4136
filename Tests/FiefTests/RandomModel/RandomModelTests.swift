import Fief
import FiefStress
import Foundation
import Testing

/// Random operations on a store and on dictionaries end with the same contents.
@Suite(.timeLimit(.minutes(10)))
struct RandomModelTests {
  @Test(arguments: 0..<20, [true, false])
  func agreesWithDictionaries(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let directory = try TemporaryDirectory()
    let repository =
      inMemory
      ? ModelRepository(realmMemoryType: .inMemory(identifier: directory.path))
      : ModelRepository(realmMemoryType: .inStorage, directory: directory.path)
    defer { repository.close() }
    if let error = repository.store().openingError { throw error }
    var model = RandomModel(repository, seed: seed)
    for batch in 0..<10 {
      do {
        for _ in 0..<20 { try model.step() }
      } catch {
        Issue.record("seed \(seed), batch \(batch): \(error)")
        return
      }
      let problems = try repository.check().problems
      #expect(problems == [], "seed \(seed), batch \(batch)")
      let found = try ModelContents(repository)
      #expect(found.owners == model.contents.owners, "seed \(seed), batch \(batch)")
      #expect(found.pets == model.contents.pets, "seed \(seed), batch \(batch)")
      #expect(found.notes == model.contents.notes, "seed \(seed), batch \(batch)")
      let inverses = try repository.read { snapshot in
        snapshot.objects(ModelOwner.self).map { ($0.id, Set($0.owned.map(\.name))) }
      }
      for (id, owned) in inverses {
        #expect(owned == model.contents.owned(by: id), "seed \(seed), batch \(batch), owner \(id)")
      }
      guard problems.isEmpty, found == model.contents else { return }
    }
  }
}
