import Fief
import FiefTorture
import Foundation
import LMDB

/// Damages a store again and again, and reads, queries, writes and checks it each time.
///
/// Each line names the damage in question, so that a signal, also that of the alarm, belongs to one. The outcome
/// of a use is an error, a report to the event handler, or the right values; else the child says `wrong`.
struct DamageChild {
  static let items = 500

  let directory: String
  let seed: UInt64
  let rounds: Int
  /// The size up to which the store is verified when it is opened.
  let wholeBytes: Int
  private let events = DamageEvents()
  private var path: String { directory + "/damaged/data.mdb" }

  init(_ directory: String, _ numbers: [UInt64]) {
    self.directory = directory
    seed = numbers.first ?? 1
    rounds = Int(numbers.dropFirst().first ?? 1)
    wholeBytes = Int(numbers.dropFirst(2).first ?? 0)
  }

  func run() {
    do {
      try build()
      var healthy = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      // A file that ends before its last page, which is free then, is verified when it is opened.
      let last = healthy.withUnsafeBytes { bytes in
        (0..<2).map { bytes.loadUnaligned(fromByteOffset: $0 * 4096 + 136, as: Int.self) }.max() ?? 0
      }
      healthy += [UInt8](repeating: 0, count: max((last + 1) * 4096 - healthy.count, 0))
      var outcomes: [String: Int] = [:]
      var generator = TortureRandom(seed: Int(truncatingIfNeeded: seed))
      for round in 0..<rounds {
        let kind = DamageKind.allCases[round % DamageKind.allCases.count]
        var file = healthy
        let place = kind.apply(to: &file, &generator)
        Child.say("round \(round) \(kind.rawValue) \(place)\n")
        alarm(600)
        try write(file)
        for outcome in use() {
          outcomes[outcome, default: 0] += 1
          if outcome.hasPrefix("wrong") {
            Child.say("WRONG round \(round) \(kind.rawValue) \(place): \(outcome)\n")
          }
        }
      }
      for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
        Child.say("outcome \(outcome) \(count)\n")
      }
      Child.say("done \(rounds)\n")
    } catch {
      Child.say("failed \(error)\n")
      exit(1)
    }
  }

  private var repository: DamageRepository {
    var repository = DamageRepository(directory: directory)
    repository.storeOptions.wholeVerificationBytes = wholeBytes
    repository.storeOptions.reservedBytes = 0
    repository.storeOptions.eventHandler = { [events] event in
      switch event {
      case .failedRead(_, _, _, let error): events.note("\(error)")
      case .misuse(let error): events.note("\(error)")
      default: break
      }
    }
    return repository
  }

  /// Makes the store: in several commits, with deletions, so that there are free pages.
  private func build() throws {
    let repository = self.repository
    let store = repository.store()
    if let error = store.openingError { throw error }
    for part in 0..<3 {
      try store.write { transaction in
        let owners = Array(transaction.objects(DamageOwner.self).sorted(byKeyPath: "title"))
        for number in stride(from: part, to: Self.items, by: 3) {
          let title = "owner \(number % 10)"
          let owner =
            owners.first { $0.title == title }
            ?? transaction.objects(DamageOwner.self).first { $0.title == title }
          let item = DamageItem(number, owner: owner ?? DamageOwner(value: ["title": title]))
          try transaction.add(item)
        }
        for number in 1000..<1100 { try transaction.add(DamageItem(number + part * 100)) }
      }
    }
    try store.write { transaction in
      for number in 1000..<1300 {
        if let item = try transaction.object(ofType: DamageItem.self, forPrimaryKey: number) {
          try transaction.delete(item)
        }
      }
    }
    repository.close()
  }

  private func write(_ file: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY)
    defer { close(descriptor) }
    guard descriptor >= 0, ftruncate(descriptor, 0) == 0,
      file.withUnsafeBytes({ Foundation.write(descriptor, $0.baseAddress, $0.count) }) == file.count
    else { throw CocoaError(.fileWriteUnknown) }
  }

  // MARK: Using a store

  /// Opens the store and uses all of its functions; returns the outcome of each use.
  private func use() -> [String] {
    let repository = self.repository
    defer { repository.close() }
    let store = repository.store()
    if let error = store.openingError { return ["refused \(error.code.rawValue)"] }
    var outcomes = readings(store, round: 0)
    outcomes.append(attempt("write") { try change(store) })
    let isChanged = outcomes.last == "right"
    if isChanged { outcomes += readings(store, round: 1).map { "after the write: " + $0 } }
    outcomes.append(attempt("check") { try repository.check().isConsistent ? nil : "found" })
    if isChanged {
      // Damage is found by the check at the latest.
      outcomes = outcomes.map { $0.hasPrefix("after the write: right") ? "right" : $0 }
    }
    return outcomes.map {
      $0.replacingOccurrences(of: "after the write: wrong", with: "wrong after the write")
    }
  }

  private func readings(_ store: Store, round: Int) -> [String] {
    func weight(_ number: Int) -> Int { DamageItem.weight(number, number % 5 == 0 ? round : 0) }
    let numbers = (0..<Self.items).filter { round == 0 || $0 % 50 != 49 }
    let all = numbers.map(weight)
    return [
      attempt("look-ups") {
        for number in numbers {
          guard let item = try store.read({ try $0.object(ofType: DamageItem.self, forPrimaryKey: number) })
          else { return "no item \(number)" }
          if !item.isRight(round: number % 5 == 0 ? round : 0) || item.number != number {
            return "item \(number)"
          }
        }
        return nil
      },
      attempt("scan") {
        try store.read { snapshot in
          var next = 0
          var wrong: String?
          try snapshot.objects(DamageItem.self).forEachObject { item in
            if next >= numbers.count || item.number != numbers[next] || wrong != nil {
              wrong = wrong ?? "item \(item.number) at \(next)"
            } else if !item.isRight(round: item.number % 5 == 0 ? round : 0) {
              wrong = "item \(item.number)"
            }
            next += 1
          }
          return wrong ?? (next == numbers.count ? nil : "\(next) items")
        }
      },
      attempt("count") {
        let count = try store.objects(DamageItem.self).fetchCount()
        return count == numbers.count ? nil : "\(count)"
      },
      attempt("sum") {
        let sum = try store.objects(DamageItem.self).fetchSum(of: \.weight)
        return sum == all.reduce(0, +) ? nil : "\(sum)"
      },
      attempt("max") {
        let most = try store.objects(DamageItem.self).fetchMax(of: \.weight)
        return most == all.max() ? nil : "\(most ?? -1)"
      },
      attempt("where") {
        let found = try store.objects(DamageItem.self).where { $0.weight > 600 && $0.weight < 900 }.all()
        return found.map(\.number) == numbers.filter { weight($0) > 600 && weight($0) < 900 }
          ? nil : "\(found.count)"
      },
      attempt("sort") {
        let found = try store.objects(DamageItem.self).sorted(byKeyPath: "weight", ascending: false)
          .fetchFirst()
        return found.map { $0.weight == all.max() } ?? false ? nil : "\(found?.number ?? -1)"
      },
      attempt("index") {
        let found = try store.objects(DamageItem.self).where { $0.name.starts(with: "item 7 of") }.all()
        return Set(found.map(\.number)) == Set(numbers.filter { $0 % 50 == 7 }) ? nil : "\(found.count)"
      },
      attempt("inverse") {
        guard let owner = try store.objects(DamageOwner.self).where({ $0.title == "owner 3" }).fetchFirst()
        else {
          return "no owner"
        }
        let count = owner.items.count
        return count == numbers.count { $0 % 10 == 3 } ? nil : "\(count)"
      },
    ]
  }

  private func change(_ store: Store) throws -> String? {
    try store.write { transaction in
      for number in stride(from: 0, to: Self.items, by: 5) {
        guard let item = try transaction.object(ofType: DamageItem.self, forPrimaryKey: number) else {
          throw CocoaError(.coderReadCorrupt)
        }
        item.weight = DamageItem.weight(number, 1)
      }
      for number in stride(from: 49, to: Self.items, by: 50) {
        guard let item = try transaction.object(ofType: DamageItem.self, forPrimaryKey: number) else {
          throw CocoaError(.coderReadCorrupt)
        }
        try transaction.delete(item)
      }
    }
    return nil
  }

  private func attempt(_ name: String, _ body: () throws -> String?) -> String {
    let before = events.count
    do {
      guard let wrong = try body() else { return "right" }
      if wrong == "found" { return "found by the check" }
      return events.count == before ? "wrong \(name): \(wrong)" : "reported \(name)"
    } catch {
      if let error = error as? FiefError { return "error \(name) \(error.code.rawValue)" }
      return events.count == before ? "wrong \(name): \(error)" : "reported \(name)"
    }
  }
}

/// The events that the handler was called with.
final class DamageEvents: Sendable {
  private let texts = OwnedLock(0)
  var count: Int { texts.withLock { $0 } }
  func note(_ text: String) { texts.withLock { $0 += 1 } }
}
