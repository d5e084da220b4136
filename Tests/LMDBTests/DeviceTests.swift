import Foundation
import LMDB
import Testing

/// Failures of the device and of the process, each in a child process.
@Suite struct DeviceTests {
  let scratch = Scratch()

  private func run(_ scenario: String) throws -> [String] {
    let child = try Child(scenario, scratch["store"])
    let lines = child.finish()
    #expect(child.end == .exited(0))
    return lines
  }

  @Test func aFailedSynchronisationFailsItsCommitAlone() throws {
    #expect(
      try run("sync-fails") == [
        "failing inputOutput", "synchronised true", "keys a", "next none", "reopened a,c",
      ]
    )
  }

  @Test func aMetaPageThatIsNotWrittenFailsItsCommitAlone() throws {
    #expect(
      try run("meta-fails") == [
        "failing inputOutput", "synchronised true", "keys a", "next none", "reopened a,c",
      ]
    )
  }

  /// The write reported a failure and took place: the commit token shows this, once a synchronisation has succeeded.
  @Test func aMetaPageThatIsWrittenAfterAllIsACommit() throws {
    #expect(
      try run("meta-fails-done") == [
        "failing none", "synchronised true", "keys a,b", "next none", "reopened a,b,c",
      ]
    )
  }

  /// The token is in the system's memory of the file, and nothing says that it is on the disk.
  @Test func aMetaPageThatIsNotSynchronisedIsNoCommit() throws {
    #expect(
      try run("meta-fails-done-unsynced") == [
        "failing outcomeUnknown", "read poisoned", "write poisoned", "next none", "synchronised true",
        "keys a,b,c",
        "reopened a,b,c",
      ]
    )
  }

  /// The thread of a write would wait for itself where it asked LMDB for its state by a write.
  @Test func aSynchronisationThatFailsInsideOfAWriteEndsIt() throws {
    #expect(try run("sync-fails-inside") == ["failing inputOutput", "next none", "keys a,c"])
  }

  /// Nor does anything say that the page which is not in that memory is not on the disk.
  @Test func aMetaPageThatMayBeWrittenIsNoFailure() throws {
    #expect(
      try run("meta-fails-unsynced") == [
        "failing outcomeUnknown", "read poisoned", "write poisoned", "next none", "synchronised true",
        "keys a,c",
        "reopened a,c",
      ]
    )
  }

  @Test func aPoisonedStoreRecoversWhenTheDeviceDoes() throws {
    #expect(
      try run("device-fails") == [
        "blocked poisoned", "read poisoned", "write poisoned", "old reader 1", "failing poisoned",
        "recovered none", "keys a,c",
      ]
    )
  }

  /// LMDB has no map at all after it could not get the larger one.
  @Test(.enabled(if: !AddressSanitizer.isLoaded, "the address sanitizer needs address space of its own"))
  func withoutAddressSpaceTheStoreStaysAsItIs() throws {
    let lines = try run("no-address-space")
    #expect(lines == ["growing mapFull", "small none", "kept a true"])
  }

  /// The commits before and after it are made, and the store stays open; where it cannot be opened again that is reported at once.
  @Test func aRefusedGrowthAheadOfNeedLosesNothing() throws {
    #expect(try run("refused-growth") == ["grown 1 true", "read none", "write none", "kept true"])
    Scratch.remove(scratch["store"])
    #expect(
      try run("lost-growth") == [
        "reported poisoned", "grown 1 true", "read poisoned", "write none", "kept true",
      ]
    )
  }

  /// The system would send a signal that ends the process; a write that ends early looks like a failure of the device.
  @Test func filesThatMayNotGrowAreAFullDisk() throws {
    #expect(
      try run("limited-files") == [
        "growing diskFull", "again diskFull", "deletion none", "copy diskFull", "compaction diskFull",
        "lifted none", "keys a1,c1", "pending false",
      ]
    )
  }

  @Test func aCompactionWithoutADescriptorSaysSo() throws {
    #expect(
      try run("no-descriptors") == ["compaction systemCall", "write none", "compaction none", "keys a,b"]
    )
  }

  @Test func remoteFileSystemsAreRefused() throws {
    #expect(try run("remote") == ["refused remoteFileSystem", "overridden none"])
  }

  @Test(arguments: 1...5) func whatWasAcknowledgedOutlivesAKill(round: Int) throws {
    let child = try Child("write-forever", scratch["store"])
    var last = -1
    while last < round * 7, let line = child.line(), let number = Int(line) { last = number }
    child.killNow()
    for line in child.finish() { last = Int(line) ?? last }
    _ = try StoreVerifier.verify(directory: scratch["store"])
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.read { transaction throws in
      let count = try transaction.count(items)
      // Whole batches only, and every one that was reported; one more may have been committed.
      #expect(count % 20 == 0)
      #expect(count / 20 == last + 1 || count / 20 == last + 2, "\(count / 20) after \(last)")
      for number in 0...last {
        #expect(try transaction.text(items, "\(number)/19")?.hasPrefix("\(number) ") == true)
      }
    }
  }
}
