import Foundation
import Testing

@testable import LMDB

/// The damage that the default verification finds in a small store: before it does harm, though opening reads few pages.
@Suite struct WholeVerificationTests {
  let scratch = Scratch()
  private let names = ["items", "others", "long"]

  /// Makes trees of the same keys, one with a long value, and pages that are free.
  private func make() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let trees = try names.map { try environment.database($0) }
    try environment.write { transaction throws in
      for index in 0..<1000 {
        for tree in trees.prefix(2) { try transaction.put(tree, key(index), "\(tree.slot) \(index)") }
      }
      for index in 0..<20 {
        try transaction.put(trees[2], "filler \(index)", String(repeating: "f", count: 9000))
      }
    }
    try environment.write { transaction throws in
      for index in 0..<20 { _ = try transaction.delete(trees[2], "filler \(index)") }
      try transaction.put(trees[2], "value", String(repeating: "v", count: 9000))
    }
    try environment.write { try $0.put(trees[0], key(0), "again") }
  }

  private func key(_ index: Int) -> String { "key \(10_000 + index)" }

  private func damage(_ change: (inout StoreFile) throws -> Void) throws {
    var file = try StoreFile(scratch["store"])
    try change(&file)
    try file.write()
  }

  private func open(_ change: (inout EnvironmentOptions) -> Void = { _ in }) throws -> Environment {
    var options = EnvironmentOptions.small()
    options.createsIfMissing = false
    change(&options)
    return try Environment.open(directory: scratch["store"], options: options)
  }

  private func opening(_ verification: Verification) -> LMDBError.Code? {
    code { try open { $0.verification = verification }.close() }
  }

  /// What each of several uses of a store finds, in a process that has just opened it.
  private func finding(_ use: (Environment, [Database]) throws -> Void) throws -> LMDBError.Code? {
    let environment = try open()
    defer { environment.close() }
    let trees = try environment.openDatabases(names, create: false).map { try #require($0) }
    return code { try use(environment, trees) }
  }

  private func write(_ environment: Environment, _ trees: [Database]) throws {
    try environment.write { try $0.put(trees[1], "new", "1") }
  }

  /// Expects that damage which reading the first item does not come across is found by all that it would mislead.
  private func expectFoundBeforeHarm() throws {
    #expect(opening(.automatic) == nil)
    #expect(opening(.full) == .damaged)
    let before = try StoreFile(scratch["store"]).bytes
    #expect(try finding { try write($0, $1) } == .damaged)
    #expect(
      try finding { environment, trees in
        let held = try environment.beginWrite()
        try held.transaction.put(trees[1], "new", "1")
        _ = try held.commit()
      } == .damaged
    )
    for tree in names.indices {
      #expect(
        try finding { environment, trees in _ = try environment.read { try $0.count(trees[tree]) } }
          == .damaged
      )
    }
    #expect(
      try finding { environment, trees in _ = try environment.read { try $0.statistics(trees[0]) } }
        == .damaged
    )
    #expect(
      try finding { environment, trees in _ = try environment.read { try $0.exactCount(trees[0]) } }
        == .damaged
    )
    #expect(try finding { environment, _ in _ = try environment.verify() } == .damaged)
    #expect(try finding { environment, _ in try environment.copy(to: scratch["copy"]) } == .damaged)
    let reading = try finding { environment, trees in
      // An estimate may be wrong.
      let (text, estimate) = try environment.read { transaction throws in
        (try transaction.text(trees[0], key(0)), try transaction.estimatedCount(trees[1]))
      }
      #expect(text == "again" && estimate > 0)
    }
    #expect(reading == nil)
    #expect(try StoreFile(scratch["store"]).bytes == before)
  }

  @Test func aWholeStoreIsWhole() throws {
    try make()
    for verification in [Verification.automatic, .quick, .full] { #expect(opening(verification) == nil) }
    let use = try finding { environment, trees in
      let before = try environment.read { try $0.count(trees[0]) }
      try write(environment, trees)
      let after = try environment.read { try $0.count(trees[1]) }
      let entries = try environment.verify().entries
      #expect(before == 1000 && after == 1001 && entries == 2002)
    }
    #expect(use == nil)
  }

  @Test func aDamagedLeafIsFoundWhenItIsReachedAndBeforeAWrite() throws {
    try make()
    try damage { file in
      let root = try file.root(of: "items")
      try file.swapNodes(ofLeaf: try file.children(of: root)[2])
    }
    try expectFoundBeforeHarm()
    #expect(
      try finding { environment, trees in
        try environment.read { transaction throws in
          for index in 0..<1000 { _ = try transaction.text(trees[0], key(index)) }
        }
      } == .damaged
    )
    #expect(opening(.quick) == nil)
  }

  @Test(arguments: [8, 16, 24, 32]) func aWrongNumberInTheRecordOfATreeIsFound(place: Int) throws {
    try make()
    try damage { file in
      let number = try file.record(of: "others") + place
      file.set(number, file.word(number) + 1)
    }
    // The counts of branch pages and of leaves are compared with the branch pages, which are few.
    if place <= 16 {
      #expect(opening(.automatic) == .damaged)
    } else {
      try expectFoundBeforeHarm()
    }
  }

  @Test func aWrongNumberOfPagesOfALongValueIsFound() throws {
    try make()
    try damage { file in
      let pages = try file.longValue(of: "long")
      #expect(pages.count == 3)
      try file.setLength(ofLongValueOf: "long", 4)
    }
    try expectFoundBeforeHarm()
  }

  @Test(arguments: [0, 1, 2]) func aPageOfALongValueThatIsFreeTooIsNotWrittenTo(page: Int) throws {
    try make()
    try damage { file in try file.free(try file.longValue(of: "long").lowerBound + page) }
    try expectFoundBeforeHarm()
  }

  @Test func aLeafThatIsFreeTooIsNotWrittenTo() throws {
    try make()
    try damage { file in
      let leaves = try file.children(of: try file.root(of: "others"))
      let free = leaves.first { page in
        var copy = file
        return (try? copy.free(page)) != nil
      }
      try file.free(try #require(free))
    }
    #expect(opening(.automatic) == .damaged)
  }

  /// The keys are between those of the pages above, so that a read would take the other tree's values for its own.
  @Test func aPageOfTwoTreesIsFoundWhenTheStoreIsOpened() throws {
    try make()
    try damage { file in
      let (items, others) = (try file.root(of: "items"), try file.root(of: "others"))
      let (own, other) = (try file.children(of: items), try file.children(of: others))
      #expect(own.count == other.count)
      try file.setChild(of: items, own.count - 1, other[other.count - 1])
    }
    #expect(opening(.quick) == nil)
    #expect(opening(.automatic) == .damaged)
    #expect(opening(.full) == .damaged)
    // A large one is not read for it when it is opened.
    #expect(code { try open { $0.wholeVerificationBytes = 0 }.close() } == nil)
  }

  /// A write checks all pages once, so that nothing after it looks at a page again.
  @Test func theFirstWriteChecksAllPages() throws {
    try make()
    let environment = try open()
    defer { environment.close() }
    let trees = try environment.openDatabases(names, create: false).map { try #require($0) }
    let pages = try #require(environment.checkedPages)
    #expect(try environment.read { try $0.text(trees[0], key(900)) } == "\(trees[0].slot) 900")
    #expect(!pages.isComplete && pages.lookedAt == 2)
    try write(environment, trees)
    #expect(pages.isComplete && pages.lookedAt == 2)
  }

  @Test func aProcessThatOnlyReadsCounts() throws {
    try make()
    let environment = try open { $0.isReadOnly = true }
    defer { environment.close() }
    let trees = try environment.openDatabases(names, create: false).map { try #require($0) }
    for _ in 0..<2 {
      #expect(try environment.read { try $0.count(trees[0]) } == 1000)
      #expect(try environment.read { try $0.count(trees[2]) } == 1)
    }
  }

  #if os(Linux)
    /// The pages that are checked may be those of a commit that others have made meanwhile.
    @Test func aWriterOfAnotherProcessDoesNotDisturb() throws {
      let child = try Child("write-forever", scratch["store"])
      defer { child.killNow() }
      for _ in 0..<3 { _ = child.line() }
      for round in 0..<10 {
        let environment = try open()
        defer { environment.close() }
        let items = try environment.database("items")
        if round % 2 == 0 {
          #expect(try environment.read { try $0.count(items) } % 20 == 0)
        } else {
          let count = try environment.write { try $0.count(items) }
          #expect(count % 20 == 0)
        }
        #expect(environment.checkedPages?.isComplete == true)
      }
    }
  #endif
}
