import Fief
import FiefTorture
import Foundation
import LMDB

/// A process that writes to one store for long, with a reader, observers that come and go beside one that stays, and a compaction now and
/// then, and says what it uses.
///
/// It prints `sample PART MEMORY FILES THREADS SIZE` after each tenth of the writes: kilobytes of memory of its own, open files, threads,
/// and kilobytes of the data file; `wrong …` for what must not be, `count N NAME` for what it did, and `end`.
struct LivingProcess: Sendable {
  static let tenths = 10

  /// What a control has the process do wrong.
  enum Defect: String, Sendable {
    case none
    /// A snapshot is kept from the start.
    case held
    /// Objects that were read are kept, and descriptors stay open.
    case leaks
  }

  private let repository: BankRepository
  private let writes: Int
  private let defect: Defect
  /// What the second defect keeps.
  private static let kept = OwnedLock<[[BankAccount]]>([])

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first,
      let defect = Defect(rawValue: arguments.text("defect") ?? "none")
    else { throw BrokenTest("usage: live DIRECTORY --writes N") }
    let process = LivingProcess(
      repository: BankRepository(directory: directory),
      writes: arguments.number("writes") ?? 10_000,
      defect: defect
    )
    try process.live()
  }

  private func live() throws {
    try repository.prepare()
    let store = repository.store()
    let notified = OwnedCount()
    let token = store.objects(BankAccount.self).observe { _ in notified.add() }
    let isOver = OwnedCount()
    let observers = OwnedCount()
    let group = DispatchGroup()
    run(in: group) { try read(until: isOver) }
    run(in: group) { observe(until: isOver, observers) }
    if defect == .held {
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
      if Self.isCompacted(after: tenth), defect != .held { try repository.compact() }
    }
    isOver.add()
    group.wait()
    token.invalidate()
    if notified.value == 0 { say("wrong the observer that stays was never called") }
    for problem in try repository.check().problems { say("wrong \(problem)".replacing("\n", with: " ")) }
    say("count \(notified.value) notifications")
    say("count \(observers.value) observers that came and went")
    repository.close()
    say("end")
  }

  /// Whether the store is compacted after a tenth. In the second half it is not: a compaction takes away what the file has grown by, and
  /// each tenth would end with the same growth.
  private static func isCompacted(after tenth: Int) -> Bool { tenth <= tenths / 2 || tenth == tenths }

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
      if defect == .leaks { try leak(number) }
    }
  }

  /// Keeps some kilobytes with each tenth write, and a descriptor with each two-hundredth.
  private func leak(_ number: Int) throws {
    if number % 10 == 0 {
      let accounts = try repository.store().objects(BankAccount.self).all()
      Self.kept.withLock { $0.append(accounts) }
    }
    if number % 200 == 0, open("/dev/null", O_RDONLY | O_CLOEXEC) < 0 {
      throw BrokenTest("no descriptor is left")
    }
  }

  /// Starts and stops observers, each of which has to be called; every second one sees but a part of the changes.
  private func observe(until isOver: OwnedCount, _ observers: OwnedCount) {
    while isOver.value == 0 {
      let called = OwnedCount()
      let all = repository.store().objects(BankAccount.self)
      let accounts = observers.value % 2 == 0 ? all : all.where { $0.balance > 1_500 }
      let token = accounts.observe { _ in called.add() }
      let limit = ContinuousClock.now + .seconds(ChildRun.hangLimit)
      while called.value == 0, ContinuousClock.now < limit { usleep(500) }
      if called.value == 0 { say("wrong an observer was not called") }
      token.invalidate()
      observers.add()
      // The writes are to have most of the time.
      usleep(10_000)
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
