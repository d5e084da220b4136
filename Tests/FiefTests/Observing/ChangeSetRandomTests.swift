import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Random commits: what each says of itself is what a comparison of all values before and after says.
@Suite(.timeLimit(.minutes(20))) struct ChangeSetRandomTests {
  @Test(arguments: 0..<TestEffort.count(2, more: 8), [true, false])
  func saysWhatAComparisonSays(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let repository = try FollowedRepository(inMemory: inMemory)
    defer { repository.closeChecked() }
    var writes = FollowedWrites(seed: seed)
    try repository.store().write { try writes.fill($0) }
    var before = try repository.contents()
    for step in 0..<60 {
      let place = "seed \(seed), step \(step)"
      let steps = step % 3 == 0 ? Int.random(in: 2...4, using: &writes.random) : 1
      let changes = try repository.changes {
        try repository.store().write { scope in for _ in 0..<steps { try writes.step(scope) } }
      }
      let after = try repository.contents()
      for type in before.objects.keys {
        let truth = before.changes(type, to: after)
        let told = changes.types[type] ?? ChangeSet.TypeChanges()
        #expect(told.inserted == truth.inserted && told.deleted == truth.deleted, "\(place)")
        if steps == 1 {
          #expect(told.modifiedColumns == truth.modified, "\(place): \(writes.last)")
        } else {
          // Properties that were changed and changed back are reported too.
          for (key, columns) in truth.modified {
            let told = told.columns(of: key)
            #expect(columns.ids.allSatisfy(told.contains), "\(place)")
          }
          #expect(told.modified.isDisjoint(with: told.inserted.union(told.deleted)), "\(place)")
        }
      }
      before = after
    }
  }
}
