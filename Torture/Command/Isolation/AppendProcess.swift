import Fief
import FiefTorture
import Foundation

/// A process whose four tasks append numbers to lists and read lists, and print what they saw.
///
/// Each transaction is a line `txn TASK NUMBER BEGIN END KIND OBSERVATION…`. BEGIN and END are nanoseconds of the clock that all
/// processes of the machine share. KIND is `write`, `read`, or `abort` for one that threw after its appends. An observation is
/// `r KEY LENGTH HASH` for a list that was read, or `a KEY VALUE` for a number that was appended. `try TASK NUMBER a KEY VALUE…` is
/// printed before a write, which may be done though the process is killed before its line.
struct AppendProcess: Sendable {
  let repository: BankRepository
  let transactions: Int
  let seed: Int
  /// The tasks of all processes have different numbers.
  let firstTask: Int
  /// Lists are read before the transaction: the defect of the control.
  let isCareless: Bool

  static let tasks = 4
  /// The lists that a task uses at a time; later transactions use others, so that lists stay short.
  private static let keys = 12

  private struct Refusal: Error {}

  static func run(_ arguments: Arguments) async throws {
    guard let directory = arguments.rest.first else { throw BrokenTest("usage: append DIRECTORY …") }
    let process = AppendProcess(
      repository: BankRepository(directory: directory),
      transactions: arguments.number("transactions") ?? 100,
      seed: arguments.number("seed") ?? 0,
      firstTask: arguments.number("first") ?? 0,
      isCareless: arguments.text("careless") == "yes"
    )
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<tasks { group.addTask { await process.append(as: process.firstTask + task) } }
    }
    process.repository.close()
    say("end")
  }

  private func append(as task: Int) async {
    var random = TortureRandom(seed: seed &+ task &* 7919)
    for number in 0..<transactions {
      let base = number / 150 * Self.keys
      let keys = (0..<2 + random.next(3)).map { _ in base + random.next(Self.keys) }
      let isRead = random.next(5) == 0
      let isRefused = !isRead && random.next(12) == 0
      let appended = isRead ? [] : keys.indices.filter { _ in random.next(2) == 0 }
      let values = appended.map { (key: keys[$0], value: task << 32 | number << 4 | $0) }
      do {
        if !isRead { say("try \(task) \(number)" + values.map { " a \($0.key) \($0.value)" }.joined()) }
        let begin = clock()
        let seen: String
        var kind = isRead ? "read" : "write"
        if isRead {
          seen = try repository.store().read { snapshot in
            try keys.map { Self.reading($0, try snapshot.object(ofType: AppendList.self, forPrimaryKey: $0)) }
              .joined()
          }
        } else if isRefused {
          do {
            _ = try await write(keys, values, refused: true)
            say("wrong a write that threw was done")
          } catch is Refusal {}
          kind = "abort"
          seen = values.map { " a \($0.key) \($0.value)" }.joined()
        } else {
          seen = try await write(keys, values, refused: false)
        }
        say("txn \(task) \(number) \(begin) \(clock()) \(kind)\(seen)")
      } catch {
        say("wrong \(error)".replacing("\n", with: " "))
      }
    }
  }

  private func write(_ keys: [Int], _ values: [(key: Int, value: Int)], refused: Bool) async throws -> String
  {
    var before: [Int: [Int]] = [:]
    if isCareless {
      before = try repository.store().read { snapshot in
        var lists: [Int: [Int]] = [:]
        for key in keys {
          lists[key] =
            try snapshot.object(ofType: AppendList.self, forPrimaryKey: key).map { Array($0.values) } ?? []
        }
        return lists
      }
    }
    return try await repository.write { [before] transaction in
      var seen = ""
      for key in keys {
        let list =
          try transaction.object(ofType: AppendList.self, forPrimaryKey: key)
          ?? transaction.create(AppendList.self, value: ["id": key])
        if let old = before[key] {
          list.values.removeAll()
          list.values.append(objectsIn: old)
        }
        seen += Self.reading(key, list)
      }
      for (key, value) in values {
        try transaction.object(ofType: AppendList.self, forPrimaryKey: key)?.values.append(value)
        seen += " a \(key) \(value)"
      }
      if refused { throw Refusal() }
      return seen
    }
  }

  private static func reading(_ key: Int, _ list: AppendList?) -> String {
    guard let list else { return " r \(key) 0 \(AppendHistory.emptyHash)" }
    let hash = list.values.reduce(AppendHistory.emptyHash, AppendHistory.hash)
    return " r \(key) \(list.values.count) \(hash)"
  }

  private func clock() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
