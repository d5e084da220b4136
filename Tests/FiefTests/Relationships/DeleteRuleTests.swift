import Fief
import Foundation
import TestEffort
import Testing

/// The effect of deleting an object on those that it is related to.
@Suite(.timeLimit(.minutes(20))) struct DeleteRuleTests {
  private func count<Element: Object>(_ repository: RuleRepository, _ type: Element.Type) throws -> Int {
    try repository.read { $0.objects(type).count }
  }

  /// Three levels of folders with files and pages; one page belongs to two files.
  private func fill(_ repository: RuleRepository) throws {
    let root = RuleFolder("/")
    let home = RuleFolder("/home", in: root)
    let ann = RuleFolder("/home/ann", in: home)
    let files = [RuleFile("a", in: ann), RuleFile("b", in: home), RuleFile("c", in: nil)]
    let shared = RulePage(0)
    for (number, file) in files.enumerated() {
      file.pages = List([shared, RulePage(number * 10 + 1), RulePage(number * 10 + 2)])
      file.pages[2].next = RulePage(number * 10 + 3)
    }
    root.pinned = List([files[0], files[2], files[0]])
    try repository.saveNow([root, home, ann] + files, .all)
  }

  @Test func cascadesGoThroughSeveralLevels() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      try fill(repository)
      try repository.deleteNow([RuleFolder("/home")])
      try repository.read { snapshot in
        #expect(snapshot.objects(RuleFolder.self).map(\.path) == ["/"])
        #expect(snapshot.objects(RuleFile.self).map(\.name) == ["c"])
        // The page that the deleted files had too is gone from the one that stays.
        let left = try #require(snapshot.objects(RuleFile.self).first)
        #expect(left.pages.map(\.id) == [21, 22])
        #expect(snapshot.objects(RulePage.self).map(\.id) == [21, 22, 23])
        #expect(snapshot.objects(RuleFolder.self).first?.pinned.map(\.name) == ["c"])
      }
      // An object that another deletion has taken along may be deleted by name too.
      try fill(repository)
      let names = ["/home/ann", "/", "/home"]
      try repository.deleteNow(names.map { RuleFolder($0) })
      #expect(try count(repository, RuleFolder.self) == 0)
    }
  }

  @Test func cyclesAndSelfReferencesEnd() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      let pages = (0..<5).map { RulePage($0) }
      for (index, page) in pages.enumerated() { page.next = pages[(index + 1) % 4] }
      pages[4].next = pages[4]
      try repository.saveNow(pages)
      let folder = RuleFolder("self")
      folder.parent = folder
      try repository.saveNow([folder])
      try repository.deleteNow([RulePage(2)])
      #expect(try repository.read { $0.objects(RulePage.self).map(\.id) } == [4])
      try repository.deleteNow([RulePage(4)])
      try repository.deleteNow([RuleFolder("self")])
      #expect(try count(repository, RulePage.self) == 0)
      #expect(try count(repository, RuleFolder.self) == 0)
    }
  }

  @Test(.timeLimit(.minutes(20))) func manyDependentsGoInOneCommit() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      let many =
        repository.directory == nil
        ? TestEffort.count(2_500, more: 30_000) : TestEffort.count(1_200, more: 4_000)
      // Along an inverse, and each of them with pages of its own.
      let folder = RuleFolder("many")
      try repository.saveNow([folder])
      try repository.store().write { transaction in
        let folder = try #require(try transaction.object(ofType: RuleFolder.self, forPrimaryKey: "many"))
        for number in 0..<many {
          let file = RuleFile("\(number)", in: folder)
          if number % 10 == 0 { file.pages.append(RulePage(number)) }
          try transaction.add(file)
        }
      }
      try repository.saveNow([RuleFile("other", in: nil)])
      try repository.deleteNow([RuleFolder("many")])
      #expect(try repository.read { $0.objects(RuleFile.self).map(\.name) } == ["other"])
      #expect(try count(repository, RulePage.self) == 0)
      // Along a chain.
      let pages = (0..<many).map { RulePage($0) }
      for number in 1..<many { pages[number - 1].next = pages[number] }
      try repository.saveNow(pages)
      // The objects' own deinit would go along the chain too.
      for page in pages { page.next = nil }
      try repository.deleteNow([RulePage(1)])
      #expect(try repository.read { $0.objects(RulePage.self).map(\.id) } == [0])
      #expect(repository.object(ofType: RulePage.self, forPrimaryKey: 0)?.next == nil)
      // Along a list.
      let file = RuleFile("list", in: nil)
      file.pages = List((1...many).map { RulePage($0) })
      let second = RuleFile("second", in: nil)
      second.pages = List((0..<(many / 5)).compactMap { file.pages[$0] })
      try repository.saveNow([file, second])
      let stored = try #require(
        repository.queryAll(returningClass: RuleFile.self)?.first { $0.name == "list" }
      )
      try repository.deleteNow([stored])
      #expect(try repository.read { $0.objects(RulePage.self).map(\.id) } == [0])
      #expect(
        repository.queryAll(returningClass: RuleFile.self)?.first { $0.name == "second" }?.pages.count == 0
      )
    }
  }

  @Test func liveObjectsFollow() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      try fill(repository)
      try repository.store().write { transaction in
        let root = try #require(try transaction.object(ofType: RuleFolder.self, forPrimaryKey: "/"))
        let home = try #require(try transaction.object(ofType: RuleFolder.self, forPrimaryKey: "/home"))
        let file = try #require(root.pinned.first)
        let left = root.pinned[1]
        let page = try #require(left.pages.first)
        #expect(page.id == 0 && root.pinned.count == 3)
        try transaction.delete(home)
        // An object that was deleted with it is not written any more.
        file.name = "changed"
        page.author = RuleAuthor("nobody")
        home.path = "elsewhere"
        #expect(root.pinned.map(\.name) == ["c"] && left.pages.map(\.id) == [21, 22])
        #expect(try transaction.object(ofType: RulePage.self, forPrimaryKey: 0) == nil)
        left.name = "left"
        try transaction.add(page)
        #expect(throws: FiefError.self) { try transaction.delete(file) }
      }
      try repository.read { snapshot in
        #expect(snapshot.objects(RuleFile.self).map(\.name) == ["left"])
        #expect(snapshot.objects(RulePage.self).map(\.id) == [0, 21, 22, 23])
        #expect(snapshot.objects(RuleFolder.self).map(\.path) == ["/"])
      }
    }
  }

  @Test func observersHearOfCascades() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      try fill(repository)
      let seen = SeenChanges()
      let token = try repository.observe { seen.append($0) }
      try repository.deleteNow([RuleFolder("/home")])
      try repository.store().waitUntilDelivered()
      token.invalidate()
      let changes = try #require(seen.all.first)
      #expect(seen.all.count == 1)
      #expect(changes[RuleFolder.self].deleted.count == 2 && changes[RuleFile.self].deleted.count == 2)
      #expect(changes[RulePage.self].deleted.count == 7)
      #expect(changes[RuleFile.self].modified.count == 1 && changes[RuleFolder.self].modified.count == 1)
    }
  }

  @Test func everyObjectOfATypeIsDeletedByItsRules() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      try fill(repository)
      try repository.deleteAllNow(RuleFile.self)
      #expect(try count(repository, RuleFile.self) == 0 && count(repository, RulePage.self) == 0)
      #expect(try count(repository, RuleFolder.self) == 3)
      try fill(repository)
      try repository.store().write { transaction in
        let file = try #require(transaction.objects(RuleFile.self).first { $0.name == "c" })
        let page = file.pages[0]
        try transaction.deleteAll(RuleFolder.self)
        #expect(transaction.objects(RuleFile.self).map(\.name) == ["c"])
        #expect(file.pages.map(\.id) == [21, 22])
        page.author = RuleAuthor("x")
        try transaction.deleteAll()
        #expect(transaction.objects(RulePage.self).count == 0)
      }
      #expect(try count(repository, RuleFolder.self) == 0 && count(repository, RuleFile.self) == 0)
      #expect(try count(repository, RulePage.self) == 0 && count(repository, RuleAuthor.self) == 0)
    }
  }
}

/// Change sets as an observer got them.
final class SeenChanges: @unchecked Sendable {
  private let lock = NSLock()
  private var changes: [ChangeSet] = []

  func append(_ set: ChangeSet) { lock.withLock { changes.append(set) } }
  var all: [ChangeSet] { lock.withLock { changes } }
}
