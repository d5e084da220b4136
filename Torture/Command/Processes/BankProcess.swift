import Fief
import FiefTorture
import FiefTree
import Foundation

/// A process of the bank: four threads that use one store in one way until the time is over.
///
/// A thread prints `ack NAME N` after its N-th write, `wrong …` for what must not be, `event` for a reader that holds up the growth of
/// the file, `migrated`, `error CODE …` for an error, and `did WORK N` now and then, with the number of things that it did since. Where
/// another process has migrated the store, it is closed and opened in the new version. While there is a file ``sign(of:)``, all processes
/// but the one that compacts have the store closed and wait.
struct BankProcess: Sendable {
  enum Work: String, CaseIterable, Sendable {
    case transfer, fanOut, read, grow, compact, observe, open, migrate
    /// Transfers that read before the transaction: a defect of the control.
    case careless
    /// Transfers that are acknowledged before they are written: a defect of the control.
    case hasty
    /// Fan-outs in two commits: a defect of the control.
    case halves

    /// How often a process does it at least in a run of so many seconds, a small part of what it does on a slow machine.
    func least(in seconds: Int) -> Int {
      switch self {
      case .transfer, .fanOut, .careless, .hasty, .halves, .read, .grow: seconds
      case .observe, .open, .migrate: max(1, seconds / 20)
      // A short run may end before the first moment in which the others have closed the store.
      case .compact: seconds < 30 ? 0 : 1
      }
    }
  }

  /// The file whose presence has all processes close the store, but for the one that compacts it.
  static func sign(of directory: String) -> String { directory + "-quiet" }

  private let directory: String
  private let work: Work
  private let number: Int
  private let end: ContinuousClock.Instant
  private let seed: Int
  /// The version in which this process has the store open.
  private let version: Lock<UInt64>
  private var repository: BankRepository {
    var repository = BankRepository(directory: directory, version: version.withLock { $0 })
    repository.storeOptions.eventHandler = { event in
      switch event {
      case .failedRead, .failedWrite, .misuse: say("wrong an event: \(event)".replacing("\n", with: " "))
      case .longReader: say("event")
      default: break
      }
    }
    return repository
  }

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first, let work = Work(rawValue: arguments.text("as") ?? "") else {
      throw BrokenTest("usage: bank DIRECTORY --as WORK --number N --seconds N --seed N")
    }
    try BankProcess(
      directory: directory,
      work: work,
      number: arguments.number("number") ?? 0,
      end: .now + .seconds(arguments.number("seconds") ?? 1),
      seed: arguments.number("seed") ?? 0,
      version: Lock(BankRepository.version(in: directory))
    ).run()
  }

  private func run() {
    let group = DispatchGroup()
    for number in 0..<4 {
      group.enter()
      let thread = Thread { [self] in
        var random = TortureRandom(seed: seed &* 31 &+ self.number &* 7 &+ number)
        use(number, &random)
        group.leave()
      }
      thread.start()
    }
    group.wait()
    repository.close()
    say("end")
  }

  private func use(_ thread: Int, _ random: inout TortureRandom) {
    // One thread is enough for some kinds of work.
    let isOfOne = [.compact, .observe, .open].contains(work)
    let own = isOfOne && thread > 0 ? Work.read : work
    var (done, isResting) = (0, false)
    // Said often, as the process may be killed.
    var told = ContinuousClock.now - .seconds(1)
    while .now < end {
      if isQuiet {
        // A thread that was in the middle of something may have opened the store again: it closes it when it comes here. Of those that
        // migrate one alone has it open.
        if !isResting, work != .migrate || thread == 0 { repository.close() }
        isResting = true
        usleep(20_000)
        continue
      }
      isResting = false
      do {
        if try isDone(own, thread, &random) { done += 1 }
      } catch {
        show(error)
        takeVersion(after: error)
        usleep(20_000)
      }
      if done > 0, ContinuousClock.now - told > .milliseconds(200) {
        say("did \(own.rawValue) \(done)")
        done = 0
        told = ContinuousClock.now
      }
    }
    if done > 0 { say("did \(own.rawValue) \(done)") }
  }

  /// Whether the store has to be closed so that another process can compact it.
  private var isQuiet: Bool { work != .compact && access(Self.sign(of: directory), F_OK) == 0 }

  /// Does a work once.
  /// - Returns: whether it was done.
  private func isDone(_ work: Work, _ thread: Int, _ random: inout TortureRandom) throws -> Bool {
    switch work {
    case .transfer: try transfer(thread, &random)
    case .fanOut: try fanOut(thread)
    case .halves: try fanOutInHalves(thread)
    case .careless: try transferCarelessly(thread, &random)
    case .hasty: try transferHastily(thread, &random)
    case .read: try read()
    case .grow: try grow(thread, &random)
    case .compact: try compact()
    case .observe: return try observe()
    case .open: try openAndClose(&random)
    // Another thread would open the store in the old version between its closing and its migration.
    case .migrate where thread > 0:
      usleep(100_000)
      return false
    case .migrate: try migrate()
    }
    return true
  }

  private func show(_ error: any Error) {
    let code = (error as? FiefError)?.code.rawValue ?? "other"
    say("error \(work.rawValue)-\(code): \(error)".replacing("\n", with: " "))
  }

  /// Closes the store where another process has migrated it, and takes its new version.
  private func takeVersion(after error: any Error) {
    guard let code = (error as? FiefError)?.code, code == .schemaChanged || code == .versionTooLow else {
      return
    }
    repository.close()
    do {
      let newest = try BankRepository.version(in: directory)
      version.withLock { $0 = max($0, newest) }
    } catch {
      show(error)
    }
  }

  // MARK: Work

  /// Other processes have the store open meanwhile.
  private func migrate() throws {
    usleep(900_000)
    repository.close()
    let next = try BankRepository.version(in: directory) + 1
    version.withLock { $0 = next }
    if let error = repository.store().openingError { throw error }
    say("migrated")
    try read()
  }

  private func transfer(_ thread: Int, _ random: inout TortureRandom) throws {
    let (from, to, amount) = (random.next(100), random.next(100), random.next(50))
    let name = "\(number)-\(thread)"
    let count = try repository.write { transaction in
      let payer = try transaction.object(ofType: BankAccount.self, forPrimaryKey: from)
      payer?.balance -= amount
      let payee = try transaction.object(ofType: BankAccount.self, forPrimaryKey: to)
      payee?.balance += amount
      return try repository.note(name, in: transaction)
    }
    say("ack \(name) \(count)")
  }

  /// Returns the number of a thread, counted over all processes.
  private func group(_ thread: Int) -> Int { number * 4 + thread }

  private func fanOut(_ thread: Int) throws {
    let name = "\(number)-\(thread)"
    let repository = repository
    let count = try repository.write { try repository.note(name, group: group(thread), in: $0) }
    say("ack \(name) \(count)")
  }

  private func fanOutInHalves(_ thread: Int) throws {
    let count = try repository.store().read { snapshot in
      try snapshot.object(ofType: BankWriter.self, forPrimaryKey: "\(number)-\(thread)")?.count ?? 0
    }
    let message = FanOut(count: BankRepository.members, group: group(thread))
    let half = message.values(count + 1, of: 0..<message.count / 2)
    try JSONTree(in: repository).root.updateChildValuesAndWait(half)
    try fanOut(thread)
  }

  private func transferCarelessly(_ thread: Int, _ random: inout TortureRandom) throws {
    let (from, amount) = (random.next(100), random.next(50))
    let to = (from + 1 + random.next(99)) % 100
    let balances = try repository.store().read { snapshot in
      try [from, to].map { try snapshot.object(ofType: BankAccount.self, forPrimaryKey: $0)?.balance ?? 0 }
    }
    try repository.write { transaction in
      let payer = try transaction.object(ofType: BankAccount.self, forPrimaryKey: from)
      payer?.balance = balances[0] - amount
      let payee = try transaction.object(ofType: BankAccount.self, forPrimaryKey: to)
      payee?.balance = balances[1] + amount
    }
  }

  private func transferHastily(_ thread: Int, _ random: inout TortureRandom) throws {
    let name = "\(number)-\(thread)"
    let count = try repository.store().read { snapshot in
      try snapshot.object(ofType: BankWriter.self, forPrimaryKey: name)?.count ?? 0
    }
    say("ack \(name) \(count + 1)")
    usleep(2_000)
    _ = try repository.write { try repository.note(name, in: $0) }
  }

  private func read() throws {
    let repository = repository
    try repository.store().read { snapshot in
      var (sum, count) = (0, 0)
      try snapshot.objects(BankAccount.self).forEachObject {
        sum += $0.balance
        count += 1
      }
      // By the index: another tree of the same snapshot.
      let indexed = try snapshot.objects(BankAccount.self).where { $0.balance > -1_000_000 }.fetchSum(
        of: \.balance
      )
      if sum != BankRepository.total || count != BankRepository.accounts || indexed != sum {
        say("wrong a snapshot has \(count) accounts with \(sum), \(indexed) by the index")
      }
      for problem in try repository.treeProblems(in: snapshot) { say("wrong in a snapshot \(problem)") }
    }
  }

  private func grow(_ thread: Int, _ random: inout TortureRandom) throws {
    let id = thread * 10 + random.next(10)
    let size = random.next(400_000)
    let name = "\(number)-\(thread)"
    let count = try repository.write { transaction -> Int? in
      if let old = try transaction.object(ofType: BankBallast.self, forPrimaryKey: id) {
        guard old.bytes.allSatisfy({ $0 == UInt8(id) }) else {
          say("wrong the bytes of ballast \(id)")
          return nil
        }
        try transaction.delete(old)
      } else {
        let ballast = BankBallast()
        ballast.id = id
        ballast.bytes = Data(repeating: UInt8(id), count: size)
        try transaction.add(ballast)
      }
      return try repository.note(name, in: transaction)
    }
    if let count { say("ack \(name) \(count)") }
  }

  private func compact() throws {
    try repository.compact()
    usleep(200_000)
  }

  private func openAndClose(_ random: inout TortureRandom) throws {
    repository.close()
    if let error = repository.store().openingError { throw error }
    try repository.index(isRemoved: random.next(4) == 0)
    try read()
  }

  /// Every notification has a state in which the sum is the total, and every event of the tree has whole messages.
  /// - Returns: whether there was one of each.
  private func observe() throws -> Bool {
    let notified = Lock(0)
    let delivered = Lock(0)
    let messages = try JSONTree(in: repository).reference("inbox").observe(onError: { show($0) }) { event in
      guard case .value(let inbox) = event else { return }
      for problem in FanOut.problems(in: inbox.json, of: BankRepository.members) {
        say("wrong in an event \(problem)")
      }
      say("delivered")
      delivered.withLock { $0 += 1 }
    }
    let token = repository.store().objects(BankAccount.self).observe { change in
      switch change {
      case .initial(let accounts), .update(let accounts, _, _, _):
        let sum = accounts.reduce(0) { $0 + $1.balance }
        if sum != BankRepository.total { say("wrong a notification has \(sum)") }
        say("notified")
        notified.withLock { $0 += 1 }
      case .error(let error): show(error)
      }
    }
    usleep(500_000)
    token.invalidate()
    messages.invalidate()
    return notified.withLock { $0 } > 0 && delivered.withLock { $0 } > 0
  }
}
