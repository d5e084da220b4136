import Foundation
import LMDB
import TestEffort
import Testing

/// Meta pages that are damaged, torn or left by a failed commit: the last commit is there, or an error is.
@Suite(.timeLimit(.minutes(20))) struct MetaFlipTests {
  let scratch = Scratch()
  private var path: String { scratch["store"] + "/data.mdb" }

  /// Makes a store of so many commits; returns the file after each of the last two.
  ///
  /// - Parameter growing: whether the last commit makes the file longer.
  private func make(_ commits: Int, growing: Bool = false) throws -> (before: [UInt8], after: [UInt8]) {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    var before: [UInt8] = []
    for index in 1...commits {
      if index == commits { before = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
      try environment.write { transaction throws in
        try transaction.put(items, "number", "\(index)")
        for part in 0..<(growing && index == commits ? 400 : 40)
        where index < 5 || growing && index == commits {
          try transaction.put(items, "\(part)", String(repeating: "v", count: 200))
        }
      }
    }
    return (before, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  private func write(_ file: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY)
    defer { close(descriptor) }
    #expect(descriptor >= 0 && ftruncate(descriptor, off_t(file.count)) == 0)
    #expect(pwrite(descriptor, file, file.count, 0) == file.count)
  }

  /// The number that the store has; an error's code where it cannot be read.
  private func number(_ change: (inout EnvironmentOptions) -> Void = { _ in }) -> String {
    var options = EnvironmentOptions.small()
    options.createsIfMissing = false
    change(&options)
    do {
      let environment = try Environment.open(directory: scratch["store"], options: options)
      defer { environment.close() }
      guard let items = try environment.openDatabases(["items"], create: false)[0] else { return "no tree" }
      return try environment.read { try $0.text(items, "number") } ?? "no number"
    } catch {
      return (error as? LMDBError)?.code.rawValue ?? "\(error)"
    }
  }

  private func commitNumber(_ file: [UInt8], _ page: Int) -> UInt64 {
    file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: page * 4096 + 144, as: UInt64.self) }
  }

  /// - Parameter commits: their number decides which page is the newer one, and which bits its number has.
  @Test(arguments: [18, 20]) func noFlippedBitRollsACommitBack(commits: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var generator = Generator(state: seed)
    // All bits of the roots, the last page and the number of the commit, and some of the others. In the short form the two
    // numbers of commits share the bits.
    let fields = Array(80..<88) + Array(128..<152)
    let others = TestEffort.count(16, more: 8)
    func isFlipped(_ bit: Int) -> Bool { TestEffort.isLong || bit % 2 == commits / 2 % 2 }
    let file = try make(commits).after
    var wrong: [String] = []
    var outcomes: [String: Int] = [:]
    for page in 0..<2 {
      for bit in 0..<152 * 8
      where fields.contains(bit / 8) ? isFlipped(bit) : Int.random(in: 0..<others, using: &generator) == 0 {
        var damaged = file
        damaged[page * 4096 + bit / 8] ^= 1 << (bit % 8)
        try write(damaged)
        let found = number()
        outcomes[found, default: 0] += 1
        if found.allSatisfy(\.isNumber) ? found != "\(commits)" : found.hasPrefix("no ") {
          wrong.append("page \(page) byte \(bit / 8) bit \(bit % 8): \(found)")
        }
      }
    }
    #expect(wrong == [], "seed \(seed)")
    let (damaged, right) = (outcomes["damaged"] ?? 0, outcomes["\(commits)"] ?? 0)
    let least = TestEffort.count(1, more: 2)
    #expect(damaged > least * 100 && right > least * 25, "\(outcomes), seed \(seed)")
  }

  @Test func theNumberOfTheNewestCommitIsGivenBack() throws {
    // One more commit opens the database: the number of the last one is even, with its second bit set.
    let file = try make(17).after
    let page = commitNumber(file, 0) > commitNumber(file, 1) ? 0 : 1
    let commit = commitNumber(file, page)
    #expect(commit & 2 == 2)
    var damaged = file
    damaged[page * 4096 + 144] ^= 2
    try write(damaged)
    #expect(number { $0.isReadOnly = true } == "damaged")
    #expect(number() == "17")
    #expect(number { $0.isReadOnly = true } == "17")
    #expect(try StoreVerifier.verify(directory: scratch["store"]).transaction == commit)
  }

  /// LMDB has put the numbers of the commit and of the last page back after a failure, and the process has ended before
  /// it said what came of the commit.
  @Test(arguments: [false, true]) func aCommitWithoutAnOutcomeIsThere(growing: Bool) throws {
    let (before, after) = try make(17, growing: growing)
    let page = commitNumber(after, 0) > commitNumber(after, 1) ? 0 : 1
    var undone = after
    let numbers = page * 4096 + 136..<page * 4096 + 152
    undone.replaceSubrange(numbers, with: before[numbers])
    try write(undone)
    #expect(number { $0.wholeVerificationBytes = 0 } == "17")
    #expect(number { $0.verification = .full } == "17")
  }

  #if os(Linux)
    /// The process has said that the commit failed, so that it never is there.
    @Test func aCommitThatHasFailedIsNotThere() throws {
      let child = try Child("meta-fails-last", scratch["store"])
      #expect(child.finish() == ["failing inputOutput", "keys a"])
      for _ in 0..<2 {
        let environment = try Environment.open(directory: scratch["store"], options: .small())
        let items = try environment.database("items")
        #expect(try environment.read { try $0.count(items) } == 1)
        environment.close()
      }
      #expect(try StoreVerifier.verify(directory: scratch["store"]).entries == 1)
    }
  #endif

  /// A power cut before the meta page was written leaves the state before.
  @Test(arguments: [16, 17, 18, 19]) func whatWasNotCommittedIsRolledBack(commits: Int) throws {
    let (before, after) = try make(commits)
    let page = commitNumber(after, 0) > commitNumber(after, 1) ? 0 : 1
    var cut = after
    cut.replaceSubrange(page * 4096..<(page + 1) * 4096, with: before[page * 4096..<(page + 1) * 4096])
    try write(cut)
    #expect(number() == "\(commits - 1)")
    #expect(number { $0.verification = .full } == "\(commits - 1)")
  }

  /// Copies have the state of their source in both pages.
  @Test func copiesAreOpenedAndWrittenTo() throws {
    _ = try make(12)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    try environment.copy(to: scratch["copy"])
    environment.close()
    for round in 0..<4 {
      let copy = try Environment.open(directory: scratch["copy"], options: .small())
      defer { copy.close() }
      let items = try copy.database("items")
      #expect(try copy.read { try $0.text(items, "number") } == (round == 0 ? "12" : "round \(round - 1)"))
      try copy.write { try $0.put(items, "number", "round \(round)") }
      if round == 2 { #expect(try copy.compact().after > 0) }
      _ = try copy.verify()
    }
  }

  /// The record in the state that was copied has the number of a commit of the source.
  @Test(arguments: [11, 12, 13]) func theFirstCommitOfACopyIsFoundWithoutItsNumber(commits: Int) throws {
    _ = try make(commits)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    try environment.copy(to: scratch["copy"])
    environment.close()
    try FileManager.default.removeItem(atPath: scratch["store"])
    try FileManager.default.moveItem(atPath: scratch["copy"], toPath: scratch["store"])
    let before = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let copy = try Environment.open(directory: scratch["store"], options: .small())
    let items = try #require(try copy.openDatabases(["items"], create: false)[0])
    try copy.write { try $0.put(items, "number", "99") }
    copy.close()
    let after = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let page = commitNumber(after, 0) > commitNumber(after, 1) ? 0 : 1
    var undone = after
    let numbers = page * 4096 + 136..<page * 4096 + 152
    undone.replaceSubrange(numbers, with: before[numbers])
    try write(undone)
    #expect(number() == "99")
    #expect(number { $0.verification = .full } == "99")
  }

  /// A store whose commits are not meant to last keeps the record right that it has.
  @Test func aStoreIsOpenedWithLessDurability() throws {
    _ = try make(6)
    var options = EnvironmentOptions.small()
    options.durability = .none
    let environment = try Environment.open(directory: scratch["store"], options: options)
    let items = try environment.database("items")
    for index in 0..<5 { try environment.write { try $0.put(items, "number", "less \(index)") } }
    environment.close()
    #expect(number() == "less 4")
  }

  /// What happens between the last commit of a store without a record and the commit of another process.
  enum Between: CaseIterable {
    case nothing, rolledBackNesting, compaction
  }

  /// Another process writes durably, and so makes the record, between two commits that are not meant to last.
  @Test(arguments: Between.allCases) func anotherProcessMakesTheRecord(between: Between) throws {
    struct Undone: Error {}
    var options = EnvironmentOptions.small()
    options.durability = .none
    let environment = try Environment.open(directory: scratch["store"], options: options)
    let items = try environment.database("items")
    for index in 0..<4 { try environment.write { try $0.put(items, "number", "less \(index)") } }
    switch between {
    case .nothing: break
    case .rolledBackNesting:
      // LMDB commits nothing, so the next commit of any process has the number of this one.
      _ = try environment.write { transaction throws in
        #expect(throws: Undone.self) {
          try transaction.nested { inner throws in
            try inner.put(items, "number", "undone")
            throw Undone()
          }
        }
      }
    case .compaction: _ = try environment.compact()
    }
    #expect(try Child("commit", scratch["store"], "1").finish().count == 1)
    for index in 0..<3 {
      try environment.write { try $0.put(items, "number", "after \(index)") }
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let newest = max(commitNumber(file, 0), commitNumber(file, 1))
      #expect(try environment.read { $0.id } == newest)
    }
    environment.close()
    #expect(number() == "after 2")
    #expect(number { $0.verification = .full } == "after 2")
  }
}
