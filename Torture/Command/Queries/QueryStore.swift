import Fief
import Foundation

/// What a store says to a query.
struct QueryAnswer {
  /// A value, or the code of the error that was thrown.
  enum Outcome<Value> {
    case value(Value)
    case failed(FiefError.Code, String)

    init(_ body: () throws -> Value) throws {
      do { self = .value(try body()) } catch let error as FiefError { self = .failed(error.code, "\(error)") }
    }
  }

  var rows: Outcome<[Int]>
  var count: Outcome<Int>
  var ends: Outcome<[Int?]>
  var pages: Outcome<[Int]>?
  var dynamic: Outcome<[Int]>?
  var least: Outcome<PlainValue>?
  var greatest: Outcome<PlainValue>?
  var sum: Outcome<PlainValue>?
  var mean: Outcome<Double?>?
  /// What the plan says the source of the objects is.
  var plan: String
}

/// A store of the random classes.
protocol QueryStoring: AnyObject {
  var isOnDisk: Bool { get }
  func apply(_ changes: [PlainWorld.Change], then questions: [QueryQuestion]) throws -> [QueryAnswer]
  func answer(_ question: QueryQuestion) throws -> QueryAnswer
  func check() throws -> [String]
  func close()
}

final class QueryStore<Item: RandomRow, Target: RandomRow>: QueryStoring {
  private let repository: QueryRepository
  private let schema: QuerySchema

  init(_ repository: QueryRepository, _ schema: QuerySchema) throws {
    self.repository = repository
    self.schema = schema
    if let error = repository.store().openingError { throw error }
  }

  var isOnDisk: Bool { repository.realmMemoryType == .inStorage }

  func check() throws -> [String] { try repository.check().problems.map { "\($0)" } }
  func close() { repository.close() }

  // MARK: Writing

  func apply(_ changes: [PlainWorld.Change], then questions: [QueryQuestion]) throws -> [QueryAnswer] {
    try repository.write { transaction in
      for change in changes {
        switch change {
        case .put(let row, let values, let isNew):
          if row.isTarget {
            try put(Target.self, row, values, isNew, transaction)
          } else {
            try put(Item.self, row, values, isNew, transaction)
          }
        case .delete(let row):
          if row.isTarget {
            if let object = try find(Target.self, row, transaction) { try transaction.delete(object) }
          } else if let object = try find(Item.self, row, transaction) {
            try transaction.delete(object)
          }
        }
      }
      return try questions.map { try answer($0, in: transaction) }
    }
  }

  private func find<Row: RandomRow>(_ type: Row.Type, _ row: PlainRow, _ scope: AccessScope) throws -> Row? {
    try scope.object(ofType: type, forPrimaryKey: row.key.any)
  }

  private func put<Row: RandomRow>(
    _ type: Row.Type,
    _ row: PlainRow,
    _ values: [String: PlainValue],
    _ isNew: Bool,
    _ transaction: WriteTransaction
  ) throws {
    var assigned: [String: Any] = [:]
    for (name, value) in values {
      let column = (row.isTarget ? schema.target : schema.item).first { $0.name == name }
      assigned[name] = try any(value, column, transaction)
    }
    if isNew {
      try transaction.create(type, value: assigned)
    } else if let object = try find(type, row, transaction) {
      for (name, value) in assigned { try object.setValue(value, ofProperty: name) }
    } else {
      throw BrokenTest("an object is not there: \(row.mark)")
    }
  }

  private func any(_ value: PlainValue, _ column: QueryColumn?, _ transaction: WriteTransaction) throws -> Any
  {
    switch value {
    case .row(let row):
      return try row.isTarget
        ? find(Target.self, row, transaction) as Any : find(Item.self, row, transaction) as Any
    case .list(let values): return try values.map { try any($0, column, transaction) }
    case .map(let entries):
      return try Dictionary(entries.map { ($0.key, try any($0.value, column, transaction)) }) { $1 }
    case .part(let values):
      return try Dictionary(
        uniqueKeysWithValues: values.map { name, value in
          (name, try any(value, schema.part.first { $0.name == name }, transaction))
        }
      )
    default:
      switch column?.kind {
      case .any?: return value.realmValue
      case .float?: if case .double(let value) = value { return Float(value) }
      default: break
      }
      return value.any
    }
  }

  // MARK: Asking

  func answer(_ question: QueryQuestion) throws -> QueryAnswer {
    var answer = try repository.read { try self.answer(question, in: $0) }
    if isOnDisk, let directory = repository.store().directory, question.pageSize == 3 {
      let text = question.text
      answer.dynamic = try .init {
        let store = try DynamicStore(directory: directory, verification: .quick)
        defer { store.close() }
        return try store.read { snapshot in
          try snapshot.query(
            question.subject == .target ? "Target" : "Item",
            text.text + question.clauses,
            arguments: try text.arguments.map { try QueryArgument($0) }
          )
          .objects().map { $0["mark"] as? Int ?? -1 }
        }
      }
    }
    return answer
  }

  private func answer(_ question: QueryQuestion, in scope: AccessScope) throws -> QueryAnswer {
    question.subject == .target
      ? try answer(question, scope.objects(Target.self)) : try answer(question, scope.objects(Item.self))
  }

  private func answer<Row: RandomRow>(_ question: QueryQuestion, _ all: Results<Row>) throws -> QueryAnswer {
    let text = question.text
    let results = Result { try all.query(text.text + question.clauses, arguments: text.arguments) }
    var answer = QueryAnswer(
      rows: try .init { try results.get().all().map(\.mark) },
      count: try .init { try results.get().fetchCount() },
      ends: try .init { [try results.get().fetchFirst()?.mark, try results.get().fetchLast()?.mark] },
      plan: (try? results.get().explain().access).map { "\($0)" } ?? "refused"
    )
    if question.pageSize > 0, question.offset == 0, question.limit == nil, question.last == nil {
      answer.pages = try .init { try marks(try results.get(), inPagesOf: question.pageSize) }
    }
    if let column = question.aggregated, let results = try? results.get() {
      try aggregate(column, results, &answer)
    }
    return answer
  }

  private func marks<Row: RandomRow>(_ results: Results<Row>, inPagesOf size: Int) throws -> [Int] {
    var marks: [Int] = []
    var page = try results.page(size)
    marks += page.objects.map(\.mark)
    while page.hasMore, marks.count < 10_000 {
      page = try results.page(size, after: page.end)
      marks += page.objects.map(\.mark)
    }
    return marks
  }

  private func aggregate<Row: RandomRow>(
    _ column: QueryColumn,
    _ results: Results<Row>,
    _ answer: inout QueryAnswer
  ) throws {
    func extremes<Value: Persistable & RealmCollectionValue>(
      _: Value.Type,
      _ plain: (Value) -> PlainValue
    ) throws {
      answer.least = try .init {
        try (results.fetchMin(ofProperty: column.name) as Value?).map(plain) ?? .null
      }
      answer.greatest = try .init {
        try (results.fetchMax(ofProperty: column.name) as Value?).map(plain) ?? .null
      }
    }
    func all<Value: AggregatableNumber>(_ type: Value.Type, _ plain: (Value) -> PlainValue) throws {
      try extremes(type, plain)
      answer.sum = try .init { plain(try results.fetchSum(ofProperty: column.name) as Value) }
      answer.mean = try .init { try results.fetchAverage(ofProperty: column.name) }
    }
    switch column.kind {
    case .int8: try all(Int8.self) { .integer(Int128($0)) }
    case .int16: try all(Int16.self) { .integer(Int128($0)) }
    case .int32: try all(Int32.self) { .integer(Int128($0)) }
    case .int: try all(Int.self) { .integer(Int128($0)) }
    case .float: try all(Float.self) { .double(Double($0)) }
    case .double: try all(Double.self) { .double($0) }
    case .decimal: try all(Decimal.self) { .decimal($0) }
    case .text: try extremes(String.self) { .text($0) }
    case .date: try extremes(Date.self) { .date($0.timeIntervalSinceReferenceDate) }
    default: break
    }
  }
}

extension PlainValue {
  /// The value as one of any type.
  var realmValue: AnyRealmValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .int(Int(truncatingIfNeeded: value))
    case .double(let value): .double(value)
    case .decimal(let value): .decimal128(value)
    case .text(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
    case .uuid(let value): .uuid(value)
    case .objectId(let value): .objectId(value)
    case .null, .row, .part, .list, .map: .none
    }
  }
}
