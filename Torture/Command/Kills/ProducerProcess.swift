import Fief
import FiefTorture
import FiefTree
import Foundation
import LMDB

/// A process of four producers that write to three stores and their trees, while observers, backups and compactions go on; between rounds of that
/// one store at a time is migrated, restored, or gets an import. It ends only when it is killed.
///
/// It prints `start` and `open`; `ack P N` after the N-th write of a producer; `begin` and `done` with `backup`, `restore`, `migrate` or
/// `import`, the store and a name or number; `drop NAME` before a backup is removed; `count …`, `wrong …` and `error …`.
final class ProducerProcess: Sendable {
  let directory: String
  let seed: Int
  /// Makes the numbers of backups and imports of each process others.
  let cycle: Int
  /// The defect of the control.
  let defect: Kills.Defect?
  /// The numbers of the next writes.
  let numbers: OwnedLock<[Int]>

  private init(_ arguments: Arguments, directory: String, numbers: [Int]) {
    self.directory = directory
    seed = arguments.number("seed") ?? 0
    cycle = arguments.number("cycle") ?? 0
    defect = arguments.text("defect").flatMap { Kills.Defect(rawValue: $0) }
    self.numbers = OwnedLock(numbers)
  }

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first else { throw BrokenTest("usage: produce DIRECTORY …") }
    let numbers = arguments.text("numbers")?.split(separator: ",").compactMap { Int($0) } ?? []
    guard numbers.count == ProducerWrite.producers else { throw BrokenTest("--numbers has four") }
    let process = ProducerProcess(arguments, directory: directory, numbers: numbers)
    try process.run(unfinishedImport: arguments.text("import"))
  }

  private func run(unfinishedImport: String?) throws {
    say("start")
    var random = TortureRandom(seed: seed &* 8_191 &+ cycle)
    if let words = unfinishedImport?.split(separator: ":"), words.count == 2, let number = Int(words[1]) {
      let store = String(words[0])
      let file = ProducedImport(number: number, in: Self.imports(in: directory), store: store)
      attempt("import") { try finish(file, store) }
    }
    attempt("drop") { try dropBackups() }
    // A process that is not killed ends by itself.
    for round in 0..<30 {
      let repositories = self.repositories
      for repository in repositories {
        if let error = repository.store().openingError {
          say("error open: \(error)".replacing("\n", with: " "))
        }
      }
      say("open")
      produce(on: repositories, round: round, &random)
      for repository in repositories { repository.close() }
      let store = ProducerWrite.stores[random.next(ProducerWrite.stores.count)]
      switch random.next(3) {
      case 0: attempt("migrate") { try migrate(store) }
      case 1: attempt("restore") { try restore(store, &random) }
      default: attempt("import") { try startImport(cycle * 30 + round, store) }
      }
    }
  }

  /// The stores in the versions that they have.
  private var repositories: [TortureRepository] {
    ProducerWrite.stores.map { name in
      let version = (try? Store.schemaVersion(at: "\(directory)/\(name)")) ?? 0
      var repository = TortureRepository(name, in: directory, version: max(version, 1))
      repository.storeOptions.eventHandler = { event in
        switch event {
        case .failedRead, .failedWrite, .failedOpening, .compactionFailed, .maintenanceFailed,
          .unfinishedWrite,
          .misuse:
          say("wrong an event: \(event)".replacing("\n", with: " "))
        default: break
        }
      }
      return repository
    }
  }

  func attempt(_ name: String, _ body: () throws -> Void) {
    do { try body() } catch { say("error \(name): \(error)".replacing("\n", with: " ")) }
  }

  // MARK: Rounds

  /// Four threads write, each waiting for its own write, until the maintenance beside them is done.
  private func produce(on repositories: [TortureRepository], round: Int, _ random: inout TortureRandom) {
    let isOver = OwnedLock(false)
    let group = DispatchGroup()
    for producer in 0..<ProducerWrite.producers {
      group.enter()
      Thread { [self] in
        attempt("write of \(producer)") {
          while !isOver.withLock({ $0 }) { try write(producer, repositories) }
        }
        group.leave()
      }.start()
    }
    var observers = repositories.map(observe)
    attempt("index") { for repository in repositories { try index(repository, isRemoved: round % 3 == 2) } }
    attempt("observe") { observers += try repositories.map(observeMessages) }
    usleep(UInt32(random.next(40_000)))
    let (backedUp, compacted) = (random.next(3), random.next(3))
    attempt("backup") { try backUp(repositories[backedUp], round) }
    usleep(UInt32(random.next(20_000)))
    attempt("compact") {
      try repositories[compacted].compact()
      say("count compactions")
    }
    usleep(UInt32(random.next(40_000)))
    isOver.withLock { $0 = true }
    group.wait()
    for observer in observers { observer.invalidate() }
  }

  private func write(_ producer: Int, _ repositories: [TortureRepository]) throws {
    let number = numbers.withLock { $0[producer] }
    let write = ProducerWrite(seed: seed, producer: producer, number: number, kind: defect?.kind)
    if defect == .early { say("ack \(producer) \(number)") }
    try write.perform(on: repositories, isWhole: defect == nil || defect == .early)
    if defect != .early { say("ack \(producer) \(number)") }
    numbers.withLock { $0[producer] += 1 }
  }

  /// The number of a producer's last write never goes back.
  private func observe(_ repository: TortureRepository) -> NotificationToken {
    repository.version == 1 ? observe(TortureOwner.self, repository) : observe(NewerOwner.self, repository)
  }

  /// Declares indexes of the tree, which are built in the background.
  ///
  /// - Parameter isRemoved: whether complete indexes are removed first.
  private func index(_ repository: TortureRepository, isRemoved: Bool) throws {
    let rules = try AccessRules().index("inbox", on: "g0/n").index("sent", on: ".value")
    let tree = JSONTree(in: repository, rules: rules)
    for index in try tree.indexes() where isRemoved && index.isComplete { try tree.removeIndexAndWait(index) }
  }

  /// The number of messages that a producer has sent never goes back.
  private func observeMessages(_ repository: TortureRepository) throws -> NotificationToken {
    let seen = OwnedLock<JSON>(.null)
    return try JSONTree(in: repository).reference("sent").observe(
      onError: { say("error observe: \($0)".replacing("\n", with: " ")) }
    ) { event in
      guard case .value(let sent) = event else { return }
      say("count notifications of trees")
      let last = seen.withLock { seen in
        defer { seen = sent.json }
        return seen
      }
      for (name, count) in last.object ?? [:] where (sent.json[name].int ?? 0) < (count.int ?? 0) {
        say("wrong a notification of the tree goes back from \(last) to \(sent.json)")
      }
    }
  }

  private func observe<Owner: TortureOwnerClass>(_ type: Owner.Type, _ repository: TortureRepository)
    -> NotificationToken
  {
    let seen = OwnedLock<[Int: Int]>([:])
    return repository.store().objects(type).observe { change in
      switch change {
      case .initial(let owners), .update(let owners, _, _, _):
        say("count notifications")
        for owner in owners where owner.id % 100_000 == ProducerWrite.numberSlot {
          let number = Int(owner.name) ?? -1
          let last = seen.withLock { seen in
            defer { seen[owner.id] = number }
            return seen[owner.id] ?? 0
          }
          if number < last { say("wrong a notification goes back from write \(last) to \(number)") }
        }
      case .error(let error): say("error observe: \(error)".replacing("\n", with: " "))
      }
    }
  }
}
