import LMDB
import Testing

/// Reads while other processes make the file larger, and pages that are not in the map.
@Suite(.timeLimit(.minutes(20))) struct ForeignGrowthTests {
  let scratch = Scratch()

  #if os(Linux)
    @Test func growthWhileTheMapFollowsCutsNothingOff() throws {
      let child = try Child("grown-meanwhile", scratch["store"])
      let lines = child.finish()
      #expect(child.end == .exited(0))
      #expect(
        lines == [
          "count 12000", "scan 12000 12288000", "runs 12000", "missing 0", "counted 12000", "map true",
        ]
      )
    }
  #endif

  /// The error of a page is thrown by the scope too, where its body has kept it to itself.
  @Test func theScopeThrowsWhatItsBodyDidNot() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for index in 0..<2000 { try transaction.put(items, "\(index)", String(repeating: "v", count: 100)) }
    }
    let damage = try PageDamage(scratch["store"]) { $0.leadOut() }
    for round in 0..<2 {
      let result = code {
        let count = try environment.read { transaction -> Int in
          let cursor = try transaction.cursor(items)
          var count = 0
          while (try? cursor.next()) ?? false { count += 1 }
          return count
        }
        Issue.record("\(count) entries")
      }
      #expect(result == .damaged, "\(round)")
    }
    // The same object begins again with the next scope.
    #expect(try environment.read { try $0.count(items) } == 2000)
    let told = try environment.read { transaction -> Bool in
      defer { transaction.acknowledgeDamage() }
      return code { _ = try transaction.cursor(items).last() } == .damaged
    }
    #expect(told)
    try damage.undo()
    #expect(try environment.read { try $0.exactCount(items, to: [UInt8]("z".utf8)) } == 2000)
  }
}

extension Transaction {
  func exactCount(_ database: Database, to end: [UInt8]) throws -> Int {
    try end.withUnsafeBytes { try exactCount(database, to: $0) }
  }
}
