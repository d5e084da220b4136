import Fief
import FiefTorture
import Foundation

/// A process that fills the disk of a store and frees it again, and does on the full disk all that an application does.
///
/// It prints `cycle N` before each, `wrong …` for what must not be, `count NAME` for what it did, and `end`.
struct FillProcess {
  private let directory: String
  private var random: TortureRandom
  /// The acknowledged items: the number of bytes of each.
  private var stored: [Int: Int] = [:]
  private var nextID = 0
  private var version: UInt64 = 1

  private var repository: TortureRepository {
    var repository = TortureRepository("first", in: directory, version: version)
    repository.storeOptions.maximumSortBytes = 4_096
    return repository
  }

  static func run(_ arguments: Arguments) throws {
    var process = FillProcess(
      directory: arguments.rest.first ?? "",
      random: TortureRandom(seed: arguments.number("seed") ?? 0)
    )
    for cycle in 0..<(arguments.number("cycles") ?? 1) {
      say("cycle \(cycle)")
      try process.cycle()
    }
    process.repository.close()
    say("end")
  }

  private mutating func cycle() throws {
    try fill(bytes: 20_000..<200_000)
    try fill(bytes: 2_000..<8_000)
    verify("full")
    sort()
    attempt("compaction") { try repository.compact() }
    verify("after a compaction")
    if random.next(3) == 0 {
      try migrate()
    }
    try deleteHalf()
    verify("after the deletion")
    // A deletion makes room for the next save.
    let before = stored.count
    try fill(bytes: 100..<1_000, atMost: 3)
    if stored.count == before { say("wrong nothing can be saved after half of the items were deleted") }
  }

  // MARK: Parts of a cycle

  /// A call that may fail for want of space, and in no other way.
  @discardableResult
  private func attempt(_ name: String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      say("count \(name) done")
      return true
    } catch let error as FiefError where error.isForWantOfSpace {
      say("count \(name) refused as \(error.code.rawValue)")
    } catch {
      say("wrong \(name): \(error)".replacing("\n", with: " "))
    }
    return false
  }

  /// Saves items until the disk is full.
  private mutating func fill(bytes: Range<Int>) throws {
    // Several times as much as the disk has room for: writes were acknowledged and lost.
    if try fill(bytes: bytes, atMost: 4000) {
      say("wrong the disk takes more than it has room for")
      throw BrokenTest("the disk is never full")
    }
  }

  /// - Returns: whether all items were saved.
  @discardableResult
  private mutating func fill(bytes: Range<Int>, atMost limit: Int) throws -> Bool {
    for _ in 0..<limit {
      let (id, size) = (nextID, bytes.lowerBound + random.next(bytes.count))
      nextID += 1
      let isSaved = attempt("save") {
        try repository.write { transaction in
          let values: [String: Any] = [
            "id": id, "code": "code \(id)", "rank": id % 17, "text": "words \(id % 29)",
            "bytes": Data(repeating: UInt8(id % 251), count: size),
          ]
          if version == 1 {
            try transaction.create(TortureItem.self, value: values)
          } else {
            try transaction.create(NewerItem.self, value: values)
          }
        }
      }
      guard isSaved else { return false }
      stored[id] = size
    }
    return true
  }

  /// All that was acknowledged is there, and nothing else.
  private func verify(_ moment: String) {
    do {
      let report = try repository.check()
      for problem in report.problems { say("wrong \(moment): \(problem)".replacing("\n", with: " ")) }
      var found: [Int: Int] = [:]
      try repository.store().read { snapshot in
        func add(_ id: Int, _ bytes: Data) {
          found[id] = bytes.count
          if !bytes.allSatisfy({ $0 == UInt8(id % 251) }) { say("wrong \(moment): the bytes of item \(id)") }
        }
        if version == 1 {
          try snapshot.objects(TortureItem.self).forEachObject { add($0.id, $0.bytes) }
        } else {
          try snapshot.objects(NewerItem.self).forEachObject { add($0.id, $0.bytes) }
        }
      }
      if found != stored { say("wrong \(moment): \(found.count) items, \(stored.count) were acknowledged") }
    } catch { say("wrong \(moment): \(error)".replacing("\n", with: " ")) }
  }

  /// Keys beyond 4,096 bytes go to a temporary file, on the same disk.
  private func sort() {
    attempt("sort") {
      let ids =
        version == 1
        ? try repository.store().objects(TortureItem.self).sorted(byKeyPath: "text").all().map { $0.id }
        : try repository.store().objects(NewerItem.self).sorted(byKeyPath: "text").all().map { $0.id }
      if Set(ids) != Set(stored.keys) { say("wrong a sort has \(ids.count) of \(stored.count) items") }
    }
  }

  /// The old version or the new one, and the next cycles go on with it; from the new one with another store.
  private mutating func migrate() throws {
    repository.close()
    guard version == 1 else {
      try FileManager.default.removeItem(atPath: directory + "/first")
      (version, stored) = (1, [:])
      return try fill(bytes: 10_000..<100_000)
    }
    version = 2
    let isDone = attempt("migration") { if let error = repository.store().openingError { throw error } }
    if !isDone {
      repository.close()
      version = 1
    }
    verify("after a migration")
  }

  private mutating func deleteHalf() throws {
    let victims = stored.keys.sorted().filter { _ in random.next(2) == 0 }
    for start in stride(from: 0, to: victims.count, by: 10) {
      let part = Array(victims[start..<min(start + 10, victims.count)])
      do {
        if version == 1 {
          try repository.deleteAndWait(ofType: TortureItem.self, forPrimaryKeys: part)
        } else {
          try repository.deleteAndWait(ofType: NewerItem.self, forPrimaryKeys: part)
        }
        say("count deletion done")
        for id in part { stored[id] = nil }
      } catch {
        say("wrong a deletion of \(part.count) items on the full disk: \(error)".replacing("\n", with: " "))
      }
    }
  }
}

extension FiefError {
  /// The disk is full, or the part of it that is not kept for deleting.
  fileprivate var isForWantOfSpace: Bool {
    code == .storeFull || "\(self)".contains("errno 28") || "\(self)".contains("No space left")
  }
}
