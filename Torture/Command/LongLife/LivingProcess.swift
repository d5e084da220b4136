import Fief
import FiefTorture
import Foundation
import LMDB

/// A process that writes to one store for long, with a reader, an observer and a compaction now and then, and says what it uses.
///
/// It prints `sample PART MEMORY FILES THREADS SIZE` after each tenth of the writes: kilobytes of memory of its own, open files, threads,
/// and kilobytes of the data file.
struct LivingProcess: Sendable {
  private static let tenths = 10

  private let repository: BankRepository
  private let writes: Int
  /// A snapshot is kept from the start: the defect of the control.
  private let isHeld: Bool

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first else { throw BrokenTest("usage: live DIRECTORY …") }
    let process = LivingProcess(
      repository: BankRepository(directory: directory),
      writes: arguments.number("writes") ?? 10_000,
      isHeld: arguments.text("held") == "yes"
    )
    try process.live()
  }

  private func live() throws {
    try repository.prepare()
    let store = repository.store()
    let notified = OwnedCount()
    let token = store.objects(BankAccount.self).observe { _ in notified.add() }
    let isOver = OwnedCount()
    let group = DispatchGroup()
    run(in: group) { try read(until: isOver) }
    if isHeld {
      run(in: group) {
        try store.read { snapshot in
          let count = try snapshot.objects(BankAccount.self).fetchCount()
          while isOver.value == 0 { usleep(50_000) }
          if count != BankRepository.accounts { say("wrong the held snapshot has \(count) accounts") }
        }
      }
    }
    for tenth in 1...Self.tenths {
      let part = DispatchGroup()
      for writer in 0..<2 {
        run(in: part) { try write(writer, seed: tenth * 2 + writer) }
      }
      part.wait()
      sample(tenth, store.directory ?? "")
      if !isHeld { try repository.compact() }
    }
    isOver.add()
    group.wait()
    token.invalidate()
    say("count notifications \(notified.value)")
    repository.close()
    say("end")
  }

  private func run(in group: DispatchGroup, _ body: @escaping @Sendable () throws -> Void) {
    group.enter()
    Thread.detachNewThread {
      do { try body() } catch { say("wrong \(error)".replacing("\n", with: " ")) }
      group.leave()
    }
  }

  private func write(_ writer: Int, seed: Int) throws {
    var random = TortureRandom(seed: seed)
    for number in 0..<writes / Self.tenths / 2 {
      let (from, to, amount) = (random.next(100), random.next(100), random.next(50))
      try repository.write { transaction in
        try transaction.object(ofType: BankAccount.self, forPrimaryKey: from)?.balance -= amount
        try transaction.object(ofType: BankAccount.self, forPrimaryKey: to)?.balance += amount
        guard number % 50 == 0 else { return }
        // Objects that come and go, of many sizes.
        let id = writer * 100 + number / 50 % 20
        if let old = try transaction.object(ofType: BankBallast.self, forPrimaryKey: id) {
          try transaction.delete(old)
        }
        try transaction.create(
          BankBallast.self,
          value: ["id": id, "bytes": Data(repeating: 1, count: 1 + (number / 50 &* 7919) % 40_000)]
        )
      }
    }
  }

  private func read(until isOver: OwnedCount) throws {
    while isOver.value == 0 {
      let sum = try repository.store().read { try $0.objects(BankAccount.self).fetchSum(of: \.balance) }
      if sum != BankRepository.total { say("wrong a snapshot has \(sum)") }
      usleep(1_000)
    }
  }

  private func sample(_ tenth: Int, _ directory: String) {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func field(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? -1
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    let attributes = try? FileManager.default.attributesOfItem(atPath: directory + "/data.mdb")
    let size = (attributes?[.size] as? Int ?? -1024) / 1024
    say("sample \(tenth) \(field("RssAnon")) \(files) \(field("Threads")) \(size)")
  }
}

/// A number that several threads count.
private final class OwnedCount: Sendable {
  private let count = OwnedLock(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}
