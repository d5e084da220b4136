import Foundation
import Testing

@testable import LMDB

/// The readers of a store, and their ages.
@Suite struct ActiveReaderTests {
  let scratch = Scratch()

  @Test func aFullRecordOfTimesKeepsTheOldRoughlyAndTheNewWell() {
    var times = CommitTimes()
    for number in 1...1000 { times.add(UInt64(number), at: Int64(number) * 2) }
    #expect(times.entries.count <= CommitTimes.limit)
    #expect(times.seconds(after: 1000) == nil)
    #expect(times.seconds(after: 999) == 2000)
    #expect(times.seconds(after: 995) == 1992)
    #expect(times.entries.first?.transaction == 1)
    #expect((1002...1400).contains(times.seconds(after: 500) ?? 0))
    let again = times.bytes.withUnsafeBytes { CommitTimes($0) }
    #expect(again == times)
    // Another file was put in the place of the store's.
    times.add(10, at: 5000)
    #expect(times.entries.last == .init(transaction: 10, seconds: 5000) && times.seconds(after: 10) == nil)
  }

  @Test func aDamagedRecordOfTimesIsReadAsFarAsItIsInOrder() {
    for size in [0, 1, 15, 17, 1000] {
      let bytes = (0..<size).map { UInt8($0 % 8 < 4 ? 7 : 0) }
      let times = bytes.withUnsafeBytes { CommitTimes($0) }
      #expect(times.entries.count == min(size / 16, 1))
    }
  }

  /// Differences of times that no clock has are too large for a number.
  @Test(arguments: [Int64.min, .min + 1_700_000_000, -1, .max, 1 << 41])
  func timesThatNoClockHasAreLeftOut(wrong: Int64) {
    var times = CommitTimes()
    let limit = CommitTimes.limit
    for number in 1...limit { times.add(UInt64(number), at: 1_700_000_000 + Int64(number)) }
    var bytes = times.bytes
    withUnsafeBytes(of: wrong.littleEndian) { bytes.replaceSubrange(40..<48, with: $0) }
    times = bytes.withUnsafeBytes { CommitTimes($0) }
    #expect(times.entries.count == limit - 1)
    times.add(100, at: wrong)
    #expect(times.entries.count == limit - 1)
    for number in 101...103 { times.add(UInt64(number), at: 1_700_000_100) }
    #expect(times.entries.count == limit && times.seconds(after: 102) == 1_700_000_100)
    #expect(CommitTimes.nanoseconds(from: wrong, to: 1_700_000_000) >= 0)
  }

  @Test func aLookIsDueWhenTheFileHasGrownOrTimeHasPassed() {
    var watch = ReaderWatch()
    let commits: [(lastPage: Int, time: Int64)] = [
      (999, 0), (1249, 1), (1256, 2), (1300, 3), (1300, ReaderWatch.interval + 3),
      (10, ReaderWatch.interval + 4),
    ]
    let looks = commits.map { watch.looks(afterCommitTo: $0.lastPage, at: $0.time) }
    #expect(looks == [false, false, true, false, true, false])
    #expect([0, 5, ReaderWatch.timeInterval].map { watch.notesTime(at: $0) } == [true, false, true])
  }

  @Test func readersOfAllProcessesAreListed() throws {
    let child = try Child("hold-reader", scratch["store"])
    #expect(child.line()?.hasPrefix("reading") == true)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    for round in 0..<3 { try environment.write { try $0.put(items, "a", "\(round)") } }
    let own = try environment.beginRead()
    own.noteOrigin("a test", line: 7)
    for round in 0..<2 { try environment.write { try $0.put(items, "a", "\(round)") } }
    let unnamed = try environment.beginRead()
    let readers = try environment.activeReaders()
    #expect(readers.map(\.commitsBehind) == [5, 2, 0])
    #expect(readers.map { $0.process == getpid() } == [false, true, true])
    #expect(readers.map(\.origin) == [nil, "a test:7", nil])
    #expect(readers[0].age != nil && readers[1].age != nil && readers[2].age == nil)
    environment.endRead(unnamed)
    environment.endRead(own)
    child.killNow()
    environment.clearStaleReaders()
    #expect(try environment.activeReaders() == [])
  }
}
