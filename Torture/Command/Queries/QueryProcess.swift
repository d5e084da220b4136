import Fief
import FiefTorture
import Foundation

/// A process that asks one store with indexes, one without and plain objects the same random queries.
///
/// It prints `wrong KIND TEXT` for each difference, and in the end `count NAME NUMBER`.
final class QueryProcess {
  private let schema: QuerySchema
  private let world: PlainWorld
  private let stores: [any QueryStoring]
  private var generator: QueryGenerator
  private let plain: PlainAnswer
  private var counts: [String: Int] = [:]
  private var wrong = 0

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first, let seed = arguments.number("seed") else {
      throw BrokenTest("usage: query DIRECTORY --seed SEED")
    }
    let process = try QueryProcess(
      seed: seed,
      directory: directory,
      isBent: arguments.text("bent") == "yes",
      isShown: arguments.text("shown") == "yes"
    )
    try process.run(queries: arguments.number("queries") ?? 100)
  }

  private init(seed: Int, directory: String, isBent: Bool, isShown: Bool) throws {
    // The numbers of the next seed are those of this one, but for the first.
    var seeds = TortureRandom(seed: seed)
    var random = TortureRandom(seed: Int(truncatingIfNeeded: seeds.next() as UInt64))
    let schema = QuerySchema(&random)
    if isShown { say("the schema: \(schema)") }
    QuerySchema.current.withLock { $0 = schema }
    let isOnDisk = random.chance(4)
    var options = StoreOptions()
    if random.chance(4) { options.maximumSortBytes = 1 << 10 }
    stores = try [QueryClasses(schema, Indexed.self), QueryClasses(schema, Bare.self)].enumerated().map {
      let name = $0.offset == 0 ? "indexed" : "bare"
      let repository = QueryRepository(
        realmMemoryType: isOnDisk ? .inStorage : .inMemory(identifier: name),
        directory: directory,
        name: name,
        classes: $0.element,
        storeOptions: options
      )
      return try $0.element.item.store(repository, schema)
    }
    self.schema = schema
    world = PlainWorld(schema)
    plain = PlainAnswer(world: world, isBent: isBent)
    generator = QueryGenerator(schema, QueryValues(random: random))
  }

  private func run(queries: Int) throws {
    let rounds = 4
    for round in 0..<rounds {
      let size = generator.values.random.pick([
        4, 40, 120, 300, generator.values.random.chance(10) ? 2_000 : 80,
      ])
      // What a write has changed is seen in it, before indexes are brought up to date for the commit.
      let inside = (0..<queries / rounds / 4).map { _ in generator.question() }
      let changes = world.change(&generator.values, count: round == 0 ? 60 : size)
      let answers = try stores.map { try $0.apply(changes, then: inside) }
      for (index, question) in inside.enumerated() {
        note(question, try difference(question, answers.map { $0[index] }), isInWrite: true)
      }
      for _ in 0..<queries / rounds - inside.count {
        let question = generator.question()
        note(question, try difference(question, try stores.map { try $0.answer(question) }), isInWrite: false)
      }
      if wrong > 3 { break }
    }
    for store in stores {
      for problem in try store.check() { say("wrong inconsistent \(problem)".replacing("\n", with: " ")) }
      store.close()
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { say("count \(count) \(name)") }
    say("end")
  }

  private func note(_ question: QueryQuestion, _ difference: Difference?, isInWrite: Bool) {
    counts["queries", default: 0] += 1
    guard var difference else { return }
    wrong += 1
    var smallest = question
    var tries = 400
    // Greedy: the first part that can be left out is, as long as there is one.
    search: while tries > 0 {
      for smaller in smallest.smaller where tries > 0 {
        tries -= 1
        guard let answers = try? stores.map({ try $0.answer(smaller) }),
          let found = try? self.difference(smaller, answers), found.kind == difference.kind
        else { continue }
        (smallest, difference) = (smaller, found)
        continue search
      }
      break
    }
    let place = isInWrite ? " (asked in a write first)" : ""
    say("wrong \(difference.kind) \(smallest)\(place): \(difference.text)".replacing("\n", with: " "))
  }

  // MARK: Comparing

  private struct Difference {
    let kind: String
    let text: String
  }

  private func difference(_ question: QueryQuestion, _ answers: [QueryAnswer]) throws -> Difference? {
    if !answers[0].plan.hasPrefix("all objects") {
      counts["queries that use an index or a key", default: 0] += 1
    }
    if case .failed(let code, let text) = answers[0].rows {
      return Difference(kind: "refused", text: "\(code) \(text)")
    }
    if let found = differenceOfStores(answers) { return found }
    do {
      let rows = try plain.rows(of: question)
      counts["queries that plain Swift decides", default: 0] += 1
      if !rows.isEmpty, rows.count < world.rows(question.subject).count {
        counts["queries that find some objects and not all", default: 0] += 1
      }
      let marks = rows.map(\.mark)
      for (answer, name) in zip(answers, ["with indexes", "without"]) {
        if case .value(let found) = answer.rows, found != marks {
          return Difference(
            kind: "other-than-plain",
            text: "\(name): \(describe(found, marks)); \(answer.plan)"
          )
        }
      }
      return try differenceOfAggregates(question, rows, answers)
    } catch is Undecided {
      return nil
    }
  }

  private func describe(_ found: [Int], _ expected: [Int]) -> String {
    let (more, less) = (found.filter { !expected.contains($0) }, expected.filter { !found.contains($0) })
    if more.isEmpty, less.isEmpty { return "the order is \(found.prefix(20)), not \(expected.prefix(20))" }
    return "\(found.count) objects, not \(expected.count); too many: \(shown(more)); missing: \(shown(less))"
  }

  private func shown(_ marks: [Int]) -> String {
    marks.prefix(2).map { mark in
      let row = (world.items + world.targets).first { $0.mark == mark }
      let columns = (row?.isTarget == true ? schema.target : schema.item).map(\.name) + ["id"]
      return "\(mark) ("
        + columns.map { "\($0) \(row?.values[$0].map { $0.shown } ?? "?")" }.joined(separator: ", ") + ")"
    }
    .joined(separator: ", ")
  }

  /// What the answers of one store, or those of the two, have that does not fit.
  private func differenceOfStores(_ answers: [QueryAnswer]) -> Difference? {
    guard case .value(let rows) = answers[0].rows else { return nil }
    for (answer, name) in zip(answers, ["with indexes", "without"]) {
      func wrong(_ what: String, _ text: String) -> Difference {
        Difference(kind: what, text: "\(name): \(text), not \(rows.prefix(40)); \(answer.plan)")
      }
      guard case .value(rows) = answer.rows else {
        return Difference(kind: "two-stores", text: "\(answers.map { "\($0.rows)" }); \(answers.map(\.plan))")
      }
      guard case .value(rows.count) = answer.count else { return wrong("count", "\(answer.count)") }
      guard case .value(let ends) = answer.ends, ends == [rows.first, rows.last] else {
        return wrong("ends", "\(answer.ends)")
      }
      if let pages = answer.pages {
        guard case .value(rows) = pages else { return wrong("pages", "\(pages)") }
      }
      if let dynamic = answer.dynamic {
        guard case .value(rows) = dynamic else { return wrong("dynamic", "\(dynamic)") }
      }
    }
    return nil
  }

  private func differenceOfAggregates(_ question: QueryQuestion, _ rows: [PlainRow], _ answers: [QueryAnswer])
    throws
    -> Difference?
  {
    guard let column = question.aggregated, answers[0].least != nil else { return nil }
    counts["aggregates", default: 0] += 1
    for (answer, name) in zip(answers, ["with indexes", "without"]) {
      for (found, isLeast) in [(answer.least, true), (answer.greatest, false)] {
        let expected = try plain.extreme(rows, column.name, isLeast: isLeast)
        guard case .value(let value)? = found, value.isNull == expected.isNull,
          try value.isNull || value.sortOrder(expected) == 0
        else {
          return Difference(
            kind: isLeast ? "least" : "greatest",
            text: "\(name): \(found.map { "\($0)" } ?? ""), not \(expected.shown)"
          )
        }
      }
      guard let sum = answer.sum, let mean = answer.mean, let (expected, count) = try? plain.sum(rows, column)
      else { continue }
      switch (expected, sum) {
      case (.integer(let expected), .failed(.invalidValue, _))
      where !(column.kind.bounds ?? 0...0).contains(expected): break
      case (.integer(let expected), .value(.integer(let sum))) where sum == expected: break
      case (.double(let expected), .value(.double(let sum))) where isNear(sum, expected): break
      case (.decimal(let expected), .value(.decimal(let sum))) where sum == expected: break
      default: return Difference(kind: "sum", text: "\(name): \(sum), not \(expected.shown)")
      }
      let total: Double =
        switch expected {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): (value as NSDecimalNumber).doubleValue
        default: .nan
        }
      guard case .value(let found) = mean,
        count == 0 ? found == nil : found.map({ isNear($0, total / Double(count)) }) == true
      else { return Difference(kind: "mean", text: "\(name): \(mean), not \(total) / \(count)") }
    }
    return nil
  }

  private func isNear(_ first: Double, _ second: Double) -> Bool {
    first.isNaN || second.isNaN
      ? first.isNaN && second.isNaN : first == second || abs(first - second) <= 1e-3 + abs(second) * 1e-6
  }
}

extension ClosedRange<Int> {
  fileprivate func contains(_ value: Int128) -> Bool {
    Int128(lowerBound) <= value && value <= Int128(upperBound)
  }
}

extension PlainValue {
  var shown: String {
    switch self {
    case .row(let row): "#\(row.mark)"
    case .list(let values): "[\(values.prefix(6).map(\.shown).joined(separator: ", "))]"
    case .map(let entries): "{\(entries.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", "))}"
    case .date(let date): "date \(date)"
    case .part: "part"
    default:
      literal.map { $0.utf8.count > 60 ? "\($0.prefix(20))…\($0.suffix(8)) (\($0.utf8.count))" : $0 } ?? ""
    }
  }
}
