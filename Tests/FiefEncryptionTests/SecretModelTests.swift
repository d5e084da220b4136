import Fief
import FiefEncryption
import FiefStress
import Foundation
import TestEffort
import Testing

/// What the model test reads and writes of objects of both classes.
private protocol AnyThing: Object {
  var first: String { get set }
  var second: Int { get set }
  var text: String? { get set }
  var number: Double { get set }
  var day: Date? { get set }
  var any: AnyRealmValue { get set }
  var name: String? { get set }
  var rank: Int { get set }
  var next: Self? { get set }
  var others: List<Self> { get set }
}

extension InClear {
  final class Thing: Object, AnyThing {
    @Persisted(primaryKey: true) var first = ""
    @Persisted(primaryKey: true) var second = 0
    @Persisted(indexed: true) var text: String?
    @Persisted(indexed: true) var number = 0.0
    @Persisted(indexed: true) var day: Date?
    @Persisted(indexed: true) var any: AnyRealmValue
    @Persisted(index: [.unique, .caseInsensitive]) var name: String?
    @Persisted(indexed: true) var rank = 0
    @Persisted var next: Thing?
    @Persisted var others: List<Thing>
    override class func indexes() -> [IndexDefinition] {
      [IndexDefinition("text", "rank"), IndexDefinition("rank", "number"), IndexDefinition("first", "text")]
    }
  }
}

extension InSecret {
  final class Thing: Object, AnyThing {
    @Persisted(primaryKey: true, secret: true) var first = ""
    @Persisted(primaryKey: true, secret: true) var second = 0
    @Persisted(indexed: true, secret: true) var text: String?
    @Persisted(indexed: true, secret: true) var number = 0.0
    @Persisted(indexed: true, secret: true) var day: Date?
    @Persisted(indexed: true, secret: true) var any: AnyRealmValue
    @Persisted(index: [.unique, .caseInsensitive], secret: true) var name: String?
    @Persisted(indexed: true) var rank = 0
    @Persisted var next: Thing?
    @Persisted var others: List<Thing>
    override class func indexes() -> [IndexDefinition] {
      [IndexDefinition("text", "rank"), IndexDefinition("rank", "number"), IndexDefinition("first", "text")]
    }
  }
}

/// Random writes and questions of a class with secret keys in an encrypted store, and of the same class in clear.
@Suite(.timeLimit(.minutes(30))) struct SecretModelTests {
  private enum Step {
    case put(String, Int, [String: Any])
    case link(from: (String, Int), to: (String, Int))
    case append(from: (String, Int), to: [(String, Int)])
    case delete(String, Int)
  }

  private static let texts = [
    "", "a", "A", "\u{0}\u{1}\u{2}", "ß", "é", "e\u{301}", String(repeating: "long ", count: 90),
  ]

  private static func values(_ numbers: inout StressRandom) -> [String: Any] {
    var values: [String: Any] = [:]
    values["text"] = Bool.random(using: &numbers) ? texts.randomElement(using: &numbers) : nil
    values["number"] = [0.0, -0.0, 1, 2.5, .infinity, .nan, 1e300].randomElement(using: &numbers) ?? 0
    values["day"] =
      [
        nil, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.0),
        .distantPast,
      ].randomElement(using: &numbers) ?? nil
    values["any"] =
      [AnyRealmValue.none, .int(0), .double(0), .double(-0.0), .string("a"), .bool(true), .int(7), .float(7)]
      .randomElement(using: &numbers) ?? .none
    values["name"] =
      Int.random(in: 0..<4, using: &numbers) == 0
      ? nil : ["a", "A", "b", "c", "Straße", "STRASSE", "d"].randomElement(using: &numbers)
    values["rank"] = Int.random(in: 0..<5, using: &numbers)
    return values
  }

  private static func key(_ numbers: inout StressRandom) -> (String, Int) {
    (
      texts.dropLast().randomElement(using: &numbers) ?? "",
      [0, 1, -1, 256, .max, .min].randomElement(using: &numbers) ?? 0
    )
  }

  private static func perform<Kind: AnyThing>(
    _ step: Step,
    _ type: Kind.Type,
    _ repository: Clinic
  ) -> FiefError.Code? {
    code {
      try repository.write { transaction in
        func find(_ key: (String, Int)) throws -> Kind? {
          try transaction.object(ofType: Kind.self, forPrimaryKey: [key.0, key.1])
        }
        switch step {
        case .put(let first, let second, let values):
          let found = try find((first, second))
          let thing = found ?? Kind()
          let isNew = found == nil
          if isNew {
            thing.first = first
            thing.second = second
          }
          thing.text = values["text"] as? String
          thing.number = values["number"] as? Double ?? 0
          thing.day = values["day"] as? Date
          thing.any = values["any"] as? AnyRealmValue ?? .none
          thing.name = values["name"] as? String
          thing.rank = values["rank"] as? Int ?? 0
          if isNew { try transaction.add(thing) }
        case .link(let from, let to): try find(from)?.next = find(to)
        case .append(let from, let to):
          let targets = try to.compactMap(find)
          try find(from)?.others.append(objectsIn: targets)
        case .delete(let first, let second):
          try transaction.delete(ofType: Kind.self, forPrimaryKeys: [[first, second] as [Any]])
        }
      }
    }
  }

  private static func line<Kind: AnyThing>(_ thing: Kind) -> String {
    "\(thing.first) \(thing.second) \(thing.text ?? "nil") \(thing.number) \(String(describing: thing.day)) \(thing.any) "
      + "\(thing.name ?? "nil") \(thing.rank) \(thing.next.map { "\($0.first) \($0.second)" } ?? "nil") "
      + thing.others.map { "\($0.first) \($0.second)" }.joined(separator: ",")
  }

  private static func answers<Kind: AnyThing>(
    _ texts: [(String, [Any])],
    _ type: Kind.Type,
    _ repository: Clinic
  ) throws
    -> [[String]]
  {
    let store = repository.store()
    return try texts.map { text, arguments in
      let all = store.objects(Kind.self)
      let found =
        switch arguments.count {
        case 0: all.filter(text)
        case 1: all.filter(text, arguments[0])
        default: all.filter(text, arguments[0], arguments[1])
        }
      return try found.all().map(line).sorted()
    }
  }

  private static func questions(_ numbers: inout StressRandom) -> [(String, [Any])] {
    let text = texts.randomElement(using: &numbers) ?? ""
    let (first, second) = key(&numbers)
    let number = [0.0, -0.0, 1, 2.5, .infinity].randomElement(using: &numbers) ?? 0
    let name = ["a", "A", "B", "straße", "D"].randomElement(using: &numbers) ?? ""
    let rank = Int.random(in: 0..<5, using: &numbers)
    return [
      ("TRUEPREDICATE", []), ("text == $0", [text]), ("text != $0", [text]), ("text == nil", []),
      ("text != nil", []),
      ("text IN {$0, $1}", [text, first]), ("number == $0", [number]), ("number != $0", [number]),
      ("number == 1", []),
      ("day == $0", [Date(timeIntervalSinceReferenceDate: 0)]), ("day == nil", []), ("any == 0", []),
      ("any == 7", []),
      ("any == 'a'", []), ("any == nil", []), ("any != 7", []), ("name ==[c] $0", [name]),
      ("name == $0", [name]),
      ("first == $0", [first]), ("first == $0 AND second == $1", [first, second]), ("second == $0", [second]),
      ("second IN {$0, 1}", [second]), ("NOT (first == $0)", [first]),
      ("text == $0 AND rank > $1", [text, rank]),
      ("text == $0 AND rank == $1", [text, rank]), ("rank == $0 AND number == $1", [rank, number]),
      ("first == $0 AND text == $1", [first, text]), ("text == $0 OR number == $1", [text, number]),
      ("next.first == $0", [first]), ("ANY others.second == $0", [second]), ("next.text == $0", [text]),
      ("next == nil", []), ("others.@count > 2", []), ("text CONTAINS 'a'", []), ("text ENDSWITH ''", []),
    ]
  }

  @Test("random writes and questions have the same answers", arguments: [false, true])
  func model(isInMemory: Bool) throws {
    let seed =
      ProcessInfo.processInfo.environment["FIEF_SECRET_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0..<1 << 40)
    print("seed of the secret keys: \(seed)")
    var numbers = StressRandom(seed: seed)
    let scratch = try Scratch()
    let secret = Clinic(
      parent: scratch.path,
      name: "secret",
      isInMemory: isInMemory,
      types: [InSecret.Thing.self]
    )
    let clear = Clinic(
      parent: scratch.path,
      name: "clear",
      encryption: nil,
      isInMemory: isInMemory,
      types: [InClear.Thing.self]
    )
    for number in 0..<TestEffort.count(200, more: 400) {
      let step: Step
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<5:
        let (first, second) = Self.key(&numbers)
        step = .put(first, second, Self.values(&numbers))
      case 5, 6: step = .link(from: Self.key(&numbers), to: Self.key(&numbers))
      case 7, 8:
        let from = Self.key(&numbers)
        step = .append(from: from, to: (0..<3).map { _ in Self.key(&numbers) })
      default:
        let (first, second) = Self.key(&numbers)
        step = .delete(first, second)
      }
      let results = (
        Self.perform(step, InSecret.Thing.self, secret), Self.perform(step, InClear.Thing.self, clear)
      )
      #expect(results.0 == results.1, "seed \(seed), step \(number): \(step)")
      if number % TestEffort.count(50, more: 20) != TestEffort.count(49, more: 19) { continue }
      let questions = Self.questions(&numbers)
      let found = try Self.answers(questions, InSecret.Thing.self, secret)
      let wanted = try Self.answers(questions, InClear.Thing.self, clear)
      for (index, question) in questions.enumerated() where found[index] != wanted[index] {
        Issue.record("seed \(seed), step \(number): \(question): \(found[index]) is not \(wanted[index])")
      }
      if number % 100 == 99 {
        #expect(try secret.check().problems == [], "seed \(seed)")
        if !isInMemory { secret.close() }
      }
    }
    secret.close()
    clear.close()
  }
}
