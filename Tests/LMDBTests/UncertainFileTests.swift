import Foundation
import Testing

@testable import LMDB

/// The errors of commits and exchanges where the device fails, and the state afterwards.
@Suite struct UncertainFileTests {
  let scratch = Scratch()

  private func run(_ scenario: String) throws -> [String] {
    let child = try Child(scenario, scratch["store"])
    let lines = child.finish()
    #expect(child.end == .exited(0))
    return lines
  }

  private func keys() throws -> [String] {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    return try environment.read { transaction in
      let cursor = try transaction.cursor(items)
      var keys: [String] = []
      while try cursor.next() { keys.append(String(decoding: cursor.key, as: UTF8.self)) }
      return keys
    }
  }

  /// Another process goes on from LMDB's lock table, in which the commit is not, and the file has it.
  @Test(arguments: ["meta-fails-done-once", "sync-fails-once"])
  func aCommitThatFailedDoesNotComeBackWhenAllProcessesHaveEnded(_ scenario: String) throws {
    let other = try Child("hold-reader", scratch["store"])
    #expect(other.line()?.hasPrefix("reading") == true)
    #expect(try run(scenario) == ["failing inputOutput", "keys a"])
    other.killNow()
    #expect(try keys() == ["a"])
    _ = try StoreVerifier.verify(directory: scratch["store"])
  }

  /// Alone, the process reads the file itself: the commit is there, and it is said so.
  @Test func aloneTheCommitIsThere() throws {
    #expect(try run("meta-fails-done-once") == ["failing none", "keys a,b"])
    #expect(try keys() == ["a", "b"])
  }

  /// Commits are not acknowledged in a file that a power cut may take away.
  @Test func aCompactionWhoseDirectoryIsNotSynchronisedIsNotAcknowledged() throws {
    #expect(
      try run("compact-unsynchronised") == [
        "compact outcomeUnknown", "keys a", "write inputOutput", "next none", "keys a,c",
      ]
    )
    #expect(try keys() == ["a", "c"])
  }

  /// The values of the new file may be sealed with another key, which the caller has to use from then on.
  @Test func aRewriteWhoseFileCannotBeOpenedAtOnceIsDone() throws {
    #expect(
      try run("rewrite-unopened") == ["rewrite none", "read poisoned", "write none", "keys a,b,copied"]
    )
  }

  @Test func anExchangeWhoseDirectoryIsNotSynchronisedIsNotAcknowledged() throws {
    #expect(
      try run("swap-unsynchronised") == [
        "copy outcomeUnknown", "swap outcomeUnknown", "publish outcomeUnknown", "keys a", "keys a,b",
      ]
    )
  }

  /// A plan that was made when there was no file is not used for a file that came while the process waited.
  @Test func aFileThatIsExchangedInIsVerified() throws {
    let copy = try Environment.open(directory: scratch["copy"], options: .small())
    let items = try copy.database("items")
    try copy.write { try $0.put(items, "key", "value") }
    copy.close()
    let file = systemOpen(scratch["copy/data.mdb"], O_RDWR)
    let size = lseek(file, 0, SEEK_END)
    var garbage = UInt64.max
    for offset in stride(from: 8192, to: size, by: 4096) { _ = pwrite(file, &garbage, 8, offset + 8) }
    close(file)
    #expect(mkdir(scratch["store"], 0o700) == 0)
    let child = try StoreLock.holding(scratch["store"], allowsGroup: false) {
      (_: ExclusiveLock) throws(LMDBError) -> Child in
      guard let child = try? Child("open-once", scratch["store"]), child.line() == "opening" else {
        throw LMDBError(.systemCall)
      }
      #if os(Linux)
        #expect(eventually { isWaitedFor(scratch["store/lock.mdb"]) })
      #endif
      guard rename(scratch["copy/data.mdb"], scratch["store/data.mdb"]) == 0 else {
        throw LMDBError.system("rename", path: nil)
      }
      return child
    }
    let lines = child.finish()
    #expect(lines.count == 1 && lines[0].hasPrefix("error damaged"), "\(lines) \(child.end)")
  }
}
