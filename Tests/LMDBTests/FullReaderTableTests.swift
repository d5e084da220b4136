import Foundation
import LMDB
import Testing

/// Writes where the readers of this process have taken all places of the reader table, and keep them for the next ones.
@Suite struct FullReaderTableTests {
  let scratch = Scratch()

  /// Pages of a store above the size that is verified whole are checked when they are reached, also by writes.
  @Test func aWriteNeedsNoPlaceAmongTheReaders() throws {
    var options = EnvironmentOptions.small()
    options.maxReaders = 5
    let first = try Environment.open(directory: scratch["store"], options: options)
    let names = try first.database("items")
    for round in 0..<5 {
      try first.write { transaction in
        for number in 0..<200 {
          try transaction.put(names, "\(number)", String(repeating: "\(round)", count: 300))
        }
      }
    }
    first.close()
    options.wholeVerificationBytes = 0
    let environment = try Environment.open(directory: scratch["store"], options: options)
    defer { environment.close() }
    let items = try environment.database("items")
    var readers: [ReadTransaction] = []
    while case .success(let reader) = Result(catching: { try environment.beginRead() }) {
      readers.append(reader)
    }
    #expect(readers.count >= 5)
    for reader in readers { environment.endRead(reader) }
    for round in 0..<3 {
      try environment.write { transaction in
        for number in 0..<200 { try transaction.put(items, "\(number)", "new \(round)") }
      }
    }
    let held = try environment.beginWrite()
    try held.transaction.put(items, "held", "1")
    #expect(try held.commit())
    #expect(try environment.read { try $0.text(items, "7") } == "new 2")
  }
}
