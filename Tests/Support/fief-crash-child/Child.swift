import Fief
import FiefStress
import LMDB
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that the crash tests kill: it writes, creates stores or migrates, and writes each confirmed
/// result on a line of its standard output.
@main
struct Child {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(64) }
    let directory = arguments[2]
    let numbers = arguments.dropFirst(3).compactMap { UInt64($0) }
    switch arguments[1] {
    case "write": await write(directory, seed: numbers.first ?? 0, round: Int(numbers.dropFirst().first ?? 0))
    case "create": create(directory)
    case "migrate": migrate(directory)
    case "evolve": evolve(directory, killedAt: numbers.first)
    case "fill":
      do { try StressMigrationRepository(version: 1, directory: directory).fill() } catch { exit(1) }
      say("end 1\n")
    case "old": OldProcess(directory).run()
    case "observed-once": ObservedChild.once(directory)
    case "observed-run":
      let (count, size, seed) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0, numbers.last ?? 0)
      ObservedChild.run(directory, count: Int(count), size: Int(size), seed: seed)
    case "increment": await IncrementingChild.run(directory, count: Int(numbers.first ?? 0))
    case "restore-unsynchronised": RestoringChild.run(directory)
    case "read-hold": ExchangingChild.hold(directory, isReading: true)
    case "hold": ExchangingChild.hold(directory)
    case "come-and-go": ExchangingChild.comeAndGo(directory, numbers.first ?? 0, Int(numbers.last ?? 0))
    case "compact-loop": ExchangingChild.compact(directory, Int(numbers.last ?? 0))
    case "encrypted-stay": EncryptedChild.stay(directory, key: numbers.first ?? 0, from: numbers.last ?? 0)
    case "encrypted-come-and-go":
      EncryptedChild.comeAndGo(directory, key: numbers.first ?? 0, from: numbers.last ?? 0)
    case "encrypted-attack": EncryptedChild.attack(directory)
    case "log":
      LoggingChild.run(directory, from: Int(numbers.first ?? 0), count: Int(numbers.last ?? 0))
    case "usage": UsageChild.run(directory)
    case "tally":
      let (tasks, times) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
      await TallyChild.run(directory, tasks: tasks, times: times, ifUnchanged: numbers.last == 1)
    case "tree-write": TreeChild.write(directory, count: Int(numbers.first ?? 0))
    case "tree-toggle": await TreeChild.toggle(directory, times: Int(numbers.first ?? 0))
    case "damage": DamageChild(directory, numbers).run()
    case "joint": JointChild.once(directory, killedAt: numbers.first ?? 0)
    case "refused-growth": RefusedGrowthChild.run(directory)
    case "other-user": OtherUserChild.open(directory)
    case "forked": ForkedChild.run(directory)
    case "forkedInWrite": ForkedChild.runInWrite(directory)
    case "forkedObserving": ForkedChild.runObserving(directory)
    case "begun": ExchangingChild.holdWrite(directory)
    case "memory-full": MemoryChild.fill(directory)
    case "newer-library": NewerLibraryChild.run(directory)
    case "memory":
      // The store is open when the process ends.
      say("in \(StressJointRepository("first", identifier: directory).store().directory ?? "nowhere")\n")
    case "joint-undecided":
      let faults = [FAULT_META_DEVICE, FAULT_META_DONE_DEVICE, FAULT_SECOND_SYNC]
      JointFaults.decide(directory, faults[Int(min(numbers.first ?? 0, 2))], isRelaxed: numbers.last == 1)
    case "joint-loop": JointChild.loop(directory, count: numbers.first ?? 0)
    case "joint-open":
      JointChild.open(directory, numbers.dropFirst().map { Int($0) }, killedAt: numbers.first ?? 0)
    default: exit(64)
    }
  }

  /// Says a line at once and whole; lines of several threads do not mix.
  @Sendable static func say(_ line: String) {
    var line = line
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Self.systemWrite(1, rest.baseAddress, rest.count)
        if count < 0 { exit(1) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  private static func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(file, bytes, count)
    #else
      Darwin.write(file, bytes, count)
    #endif
  }

  private static func write(_ directory: String, seed: UInt64, round: Int) async {
    let stores = StressRepositories { StressRepository($0, directory: directory) }
    let workload = StressWorkload(stores: stores, seed: seed, round: round)
    do {
      try await workload.prepare()
    } catch {
      say(StressEvent.wrong("prepare: \(error)").line)
    }
    await workload.run { say($0.line) }
    stores.close()
    say("end 0\n")
  }

  /// Creates one store after the other.
  private static func create(_ directory: String) {
    for number in 0..<10_000 {
      say("creating \(number)\n")
      let repository = StressRepository(.pets, directory: "\(directory)/\(number)")
      if let error = repository.store().openingError {
        say(StressEvent.wrong("\(error)").line)
        exit(1)
      }
      say("created \(number)\n")
      repository.close()
    }
  }

  /// Opens the store whose migration does everything; says so where it was this process that migrated it.
  ///
  /// - Parameter step: with which of the reports about indexes the process is killed.
  private static func evolve(_ directory: String, killedAt step: UInt64?) {
    var repository = StressMigrationRepository(version: 2, directory: directory)
    let reports = OwnedLock<UInt64>(0)
    repository.storeOptions.eventHandler = { event in
      if case .migrated(_, let from, let to) = event { say("migrated \(from) \(to)\n") }
      guard let step, case .migrating(let progress) = event, progress.activity.contains("index") else {
        return
      }
      let count = reports.withLock { count in
        count += 1
        return count
      }
      guard count == step else { return }
      say("killed \(progress.activity)\n")
      kill(getpid(), SIGKILL)
    }
    repository.afterBlock = { say("block 1\n") }
    say("migrating 1\n")
    if let error = repository.store().openingError {
      say("error \(error.code.rawValue)\n")
      exit(1)
    }
    say("opened 1\n")
    repository.close()
    say("end 1\n")
  }

  private static func migrate(_ directory: String) {
    say("migrating 1\n")
    let repository = StressItemRepository(version: 2, directory: directory)
    if let error = repository.store().openingError {
      say(StressEvent.wrong("\(error)").line)
      exit(1)
    }
    say("migrated 1\n")
    repository.close()
    say("end 1\n")
  }
}
