import Fief
import FiefStress
import FiefTesting
import Foundation
import Synchronization
import TestEffort
import Testing

@testable import FiefCore

/// Scopes that read while other processes make the file larger, and scopes with pages that lead out of the map.
@Suite(.serialized, .timeLimit(.minutes(20))) struct GrownMapTests {
  @Test func snapshotsAreWholeWhileOtherProcessesMakeTheFileLarger() throws {
    let directory = try TemporaryDirectory()
    var repository = StressJointRepository("first", directory: directory.path)
    repository.storeOptions.initialMapSize = 1 << 20
    try repository.write { transaction in
      for id in 0..<50 { try transaction.create(StressAccount.self, value: ["id": id, "balance": 100]) }
    }
    let rounds = TestEffort.count(8, more: 20)
    let children = try (1...2).map {
      try CrashChild("observed-run", directory.path, "\(rounds)", "200000", "\($0)")
    }
    let isDone = Lock(false)
    let problems = Lock<[String]>([])
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread { [repository] in
        defer { group.leave() }
        while !isDone.withLock({ $0 }) {
          do {
            let found = try repository.read { snapshot -> [Int] in
              let accounts = snapshot.objects(StressAccount.self)
              return [
                accounts.sum(of: \.balance), accounts.reduce(0) { $0 + $1.balance }, accounts.count,
                accounts.sorted(byKeyPath: "balance").reduce(0) { count, _ in count + 1 },
              ]
            }
            if found != [5000, 5000, 50, 50] { problems.withLock { $0.append("\(found)") } }
          } catch {
            problems.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    for child in children {
      let (lines, end) = child.finish()
      #expect(end == .exited(0) && lines.last == "end 1", "\(lines.suffix(3))")
    }
    isDone.withLock { $0 = true }
    group.wait()
    #expect(problems.withLock { $0.prefix(3) } == [])
    #expect(try repository.store().core().environment.statistics().mapSize > 1 << 20)
    repository.closeChecked()
  }

  /// Neither form of reading throws by itself; the scope does.
  @Test(arguments: [StoreKind.inMemory, .onDisk]) func aPageOutsideOfTheMapFailsTheScope(_ kind: StoreKind)
    throws
  {
    let directory = try TemporaryDirectory()
    let repository =
      kind == .inMemory ? WriteRepository.inMemory() : WriteRepository.onDisk(directory)
    let text = String(repeating: "t", count: 80)
    try repository.write { transaction in
      for number in 0..<1000 {
        try transaction.add(WriteBook("\(1000 + number)", title: text + "\(number)", pages: 1))
      }
    }
    let file = try #require(repository.store().directory) + "/data.mdb"
    let original = try Data(contentsOf: URL(fileURLWithPath: file))
    try leadOut(original, file)
    let forms: [(String, (Snapshot) -> Void)] = [
      ("sum", { _ = $0.objects(WriteBook.self).sum(of: \.pages) }),
      ("max", { _ = $0.objects(WriteBook.self).max(of: \.pages) }),
      ("loop", { for _ in $0.objects(WriteBook.self) {} }),
      ("last", { _ = $0.objects(WriteBook.self).last }),
      ("where", { _ = $0.objects(WriteBook.self).where { $0.pages > 3 }.count }),
      ("sorted", { for _ in $0.objects(WriteBook.self).sorted(byKeyPath: "pages") {} }),
      ("index", { for _ in $0.objects(WriteBook.self).sorted(byKeyPath: "title") {} }),
      ("look-up", { _ = try? $0.object(ofType: WriteBook.self, forPrimaryKey: "1999") }),
    ]
    for (name, form) in forms {
      let error = #expect(throws: FiefError.self, "\(name)") { try repository.read { form($0) } }
      #expect(error?.code == .damagedStore, "\(name)")
    }
    let descriptor = try #require(FileHandle(forWritingAtPath: file))
    try descriptor.write(contentsOf: original)
    try descriptor.close()
    #expect(try repository.read { $0.objects(WriteBook.self).sum(of: \.pages) } == 1000)
    repository.closeChecked()
  }

  /// Has the last node of each branch page lead to a page that is far behind the end of the file.
  private func leadOut(_ original: Data, _ file: String) throws {
    let descriptor = try #require(FileHandle(forWritingAtPath: file))
    defer { try? descriptor.close() }
    func word(_ offset: Int) -> Int { Int(original[offset]) + Int(original[offset + 1]) << 8 }
    var count = 0
    for page in stride(from: 2 * 4096, to: original.count, by: 4096) where word(page + 10) == 1 {
      let node = word(page + word(page + 12) - 2)
      try descriptor.seek(toOffset: UInt64(page + node + 2))
      try descriptor.write(contentsOf: [0xFF, 0xFF])
      count += 1
    }
    #expect(count >= 2)
  }
}
