import Foundation
import Testing

@testable import LMDB

/// Files that are exchanged while other processes wait for the store, and while this one has it open.
@Suite struct ExchangeTests {
  let scratch = Scratch()

  /// Makes a store with so many commits.
  private func make(_ name: String, _ value: String, commits: Int) throws {
    let environment = try Environment.open(directory: scratch[name], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    for number in 0..<commits {
      try environment.write { try $0.put(items, "key", "\(value) \(number)") }
    }
    try environment.write { try $0.put(items, "key", value) }
  }

  private func value(_ name: String, _ key: String = "key") throws -> String? {
    let environment = try Environment.open(directory: scratch[name], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    return try environment.read { try $0.text(items, key) }
  }

  /// Exchanges the file while another process waits for the store, which has so many commits.
  private func exchange(commits: Int, _ exchange: (ExclusiveLock) throws(LMDBError) -> Void) throws {
    try make("store", "old", commits: commits)
    try make("copy", "new", commits: 1)
    let child = try StoreLock.holding(scratch["store"], allowsGroup: false) {
      (lock: ExclusiveLock) throws(LMDBError) -> Child in
      guard let child = try? Child("open-once", scratch["store"]), child.line() == "opening" else {
        throw LMDBError(.systemCall)
      }
      #if os(Linux)
        #expect(eventually { isWaitedFor(scratch["store/lock.mdb"]) })
      #endif
      try exchange(lock)
      return child
    }
    #expect(child.finish() == ["found new"])
    #expect(child.end == .exited(0))
    #expect(try value("store") == "new")
    #expect(try value("store", "child") == "was here")
    _ = try StoreVerifier.verify(directory: scratch["store"])
  }

  @Test(arguments: [6, 7]) func whoWaitedSeesTheNewFile(commits: Int) throws {
    try exchange(commits: commits) { lock throws(LMDBError) in
      let place = try StoreDirectory(path: scratch["store"], creating: false, allowsGroup: false)
      try StoreExchange.replaceData(of: place, byCopyIn: scratch["copy"], lock)
    }
  }

  /// Commits as a process does that is killed right afterwards, or a program without these precautions.
  @Test(arguments: [6, 7]) func whoWaitedSeesTheNewFileEvenWithTheTableOfTheOldOne(commits: Int) throws {
    try exchange(commits: commits) { _ throws(LMDBError) in
      guard rename(scratch["copy/data.mdb"], scratch["store/data.mdb"]) == 0 else {
        throw LMDBError.system("rename", path: nil)
      }
    }
  }

  @Test func whoWaitedForANewLockFileGetsIn() throws {
    try make("store", "old", commits: 3)
    #expect(unlink(scratch["store/lock.mdb"]) == 0)
    let child = try StoreLock.withExclusiveUse(of: scratch["store"]) { () throws(LMDBError) -> Child in
      guard let child = try? Child("open-once", scratch["store"]), child.line() == "opening" else {
        throw LMDBError(.systemCall)
      }
      #if os(Linux)
        #expect(eventually { isWaitedFor(scratch["store/lock.mdb"]) })
      #endif
      return child
    }
    #expect(child.finish() == ["found old"])
  }

  @Test func bothPagesOfACopyHaveItsState() throws {
    for commits in [5, 6] {
      try make("store\(commits)", "value", commits: commits)
      let environment = try Environment.open(directory: scratch["store\(commits)"], options: .small())
      defer { environment.close() }
      let newest = try environment.newestCommit()
      try environment.copy(to: scratch["copy\(commits)"])
      let file = systemOpen(scratch["copy\(commits)/data.mdb"], O_RDONLY)
      defer { close(file) }
      let metas = try MetaPages.read(file, path: "copy")
      #expect(metas.pages.0.transaction > newest && metas.pages.1.transaction > newest)
      #expect(metas.pages.0.main.root == metas.pages.1.main.root)
      #expect(try value("copy\(commits)") == "value")
    }
  }

  @Test func anOpenStoreIsCompactedBelowItsUsers() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let again = try Environment.open(directory: scratch["store/../store"], options: .small())
    defer { again.close() }
    #expect(again === environment && environment.isShared)
    let items = try environment.database("items")
    try environment.write { transaction in
      for index in 0..<3000 { try transaction.put(items, "\(index)", String(repeating: "v", count: 300)) }
    }
    try environment.write { transaction in
      for index in 10..<3000 { _ = try transaction.delete(items, "\(index)") }
    }
    let isOver = Flag()
    // The compaction begins with writers and readers at work.
    onThreads(3) { index in
      if index == 0 {
        defer { isOver.set() }
        for _ in 0..<5 {
          let sizes = try environment.compact()
          #expect(sizes.after <= sizes.before)
        }
        return
      }
      var round = 0
      repeat {
        round += 1
        try environment.write { try $0.put(items, "thread \(index)", "\(round)") }
        let found = try environment.read { try $0.text(items, "thread \(index)") }
        #expect(found == "\(round)")
      } while !isOver.isSet
    }
    #expect(try environment.statistics().fileSize < 200_000)
    #expect(code { try environment.read { _ in _ = try environment.compact() } } == .inUse)
    #expect(code { try environment.write { _ in _ = try environment.compact() } } == .nestedWrite)
    try environment.write { try $0.put(items, "last", "1") }
    #expect(try environment.read { try $0.text(items, "last") } == "1")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["store"])
    _ = try environment.verify()
  }

  @Test func aWatcherFollowsTheFile() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "key", "value") }
    let watcher = CommitWatcher(environment)
    let (hasSeen, newest) = (Flag(), try environment.newestCommit() + 10)
    try watcher.start { sighting in
      #expect(sighting != .removed)
      if case .commit(let commit) = sighting, commit >= newest { hasSeen.set() }
    }
    defer { watcher.stop() }
    _ = try environment.compact()
    #expect(try Child("commit", scratch["store"], "20").finish().count == 1)
    #expect(eventually { hasSeen.isSet })
  }

  @Test func anotherProcessKeepsTheFileInItsPlace() throws {
    try make("store", "old", commits: 3)
    let child = try Child("hold-reader", scratch["store"])
    #expect(child.line()?.hasPrefix("reading") == true)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    #expect(code { _ = try environment.compact() } == .inUse)
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "key", "still") }
    environment.close()
    #expect(code { try StoreExchange.delete(scratch["store"]) } == .inUse)
    #expect(try value("store") == "still")
    child.killNow()
    #expect(try StoreExchange.delete(scratch["store"]))
    #expect(try !StoreExchange.delete(scratch["store"]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
  }

  @Test func whatAKilledProcessLeftIsRemovedAndWhatIsInUseIsNot() throws {
    try make("store", "value", commits: 1)
    let path = ScratchDirectory.path(beside: scratch["store"])
    #expect(path == scratch[".temporary-store"])
    #expect(ScratchDirectory.path(beside: scratch["store/."]) == path)
    try FileManager.default.copyItem(atPath: scratch["store"], toPath: path)
    #expect(ScratchDirectory.removeAbandoned(beside: scratch["store"]))
    #expect(!FileManager.default.fileExists(atPath: path))
    let held = try ScratchDirectory.make(beside: scratch["store"])
    #expect(!ScratchDirectory.removeAbandoned(beside: scratch["store"]))
    let second = code {
      let directory = try ScratchDirectory.make(beside: scratch["store"])
      directory.removeAll()
    }
    #expect(second == .inUse)
    let isRemoved = held.removeAll()
    #expect(isRemoved)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aProcessOfTheSameNumberIsExplained() throws {
    try make("store", "value", commits: 1)
    let child = try Child("hold-number", scratch["store"], "\(getpid())")
    #expect(child.line() == "holding")
    do {
      try Environment.open(directory: scratch["store"], options: .small()).close()
      Issue.record("The store was opened.")
    } catch {
      #expect(error.code == .inUse && error.message.contains("same id"))
      #expect(error.detail == "process \(getpid())")
    }
    child.killNow()
    #expect(try value("store") == "value")
  }

  @Test func theManifestComesWithTheFirstCommit() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    #expect(!FileManager.default.fileExists(atPath: scratch["store/store.manifest"]))
    _ = try environment.database("items")
    #expect(FileManager.default.fileExists(atPath: scratch["store/store.manifest"]))
    environment.close()
  }
}
