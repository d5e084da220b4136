import Fief
import FiefStress
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process whose store in memory gets more objects than its file system has space for.
enum MemoryChild {
  /// Says what every use of the store meets, and what is in it.
  ///
  /// - Parameter identifier: that of the store.
  static func fill(_ identifier: String) {
    let repository = StressJointRepository("first", identifier: identifier)
    say("opened", code { _ = try repository.open() })
    faults_limit(2 << 20)
    var saved = 0
    var outcome = "none"
    // Few pages at once end behind the limit, many cross it.
    while outcome == "none", saved < 10_000 {
      outcome = code { try repository.write { try add(saved..<saved + 20, $0) } }
      if outcome == "none" { saved += 20 }
    }
    say("full", outcome)
    say("crossed", code { try repository.write { try add(saved..<saved + 2_000, $0) } })
    say(
      "queued",
      code { try repository.saveAndWait(entities: (0..<500).map { account(saved + $0) }, update: false) }
    )
    say("limited", "\(faults_limited() >= 3)")
    let isKept = "\(saved > 500) " + contents(repository, saved)
    say("kept", isKept)
    // The next write fails with the same code, `storeFull`; it does not get the error of a failed device.
    say("again", code { try repository.write { try add(saved..<saved + 2_000, $0) } })
    say("checked", "\(code { if try !repository.check().problems.isEmpty { throw Unsound() } })")
    faults_limit(0)
    say("room", code { try repository.write { try add(saved..<saved + 20, $0) } })
    say("kept", "\(saved > 500) " + contents(repository, saved + 20))
    say("checked", "\(code { if try !repository.check().problems.isEmpty { throw Unsound() } })")
    repository.close()
    say("end", "1")
  }

  private struct Unsound: Error {}

  private static func say(_ name: String, _ outcome: String) { Child.say("\(name) \(outcome)\n") }

  private static func account(_ id: Int) -> StressAccount {
    let account = StressAccount()
    account.id = id
    account.balance = id
    account.note = String(repeating: "n", count: 900)
    return account
  }

  private static func add(_ ids: Range<Int>, _ transaction: WriteTransaction) throws {
    for id in ids { try transaction.add(account(id)) }
  }

  /// Whether the store has the first objects and no others, in its tree and in its index.
  private static func contents(_ repository: StressJointRepository, _ count: Int) -> String {
    do {
      return try repository.read { snapshot in
        let ids = snapshot.objects(StressAccount.self).map(\.id)
        let found = try snapshot.objects(StressAccount.self).where { $0.balance >= 0 }.fetchCount()
        return "\(ids.sorted() == Array(0..<count) && found == count)"
      }
    } catch {
      return "\(error)"
    }
  }

  private static func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch {
      return (error as? FiefError)?.code.rawValue ?? "\(error)"
    }
  }
}
