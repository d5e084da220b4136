import FiefTorture

/// Random conditions that can be evaluated, and random queries with them.
struct QueryGenerator {
  let schema: QuerySchema
  var values: QueryValues
  private var subjects: [QuerySubject] = []

  init(_ schema: QuerySchema, _ values: QueryValues) {
    self.schema = schema
    self.values = values
  }

  private mutating func chance(_ count: Int) -> Bool { values.random.chance(count) }
  private mutating func pick<Value>(_ values: [Value]) -> Value { self.values.random.pick(values) }

  // MARK: Queries

  mutating func question() -> QueryQuestion {
    var question = QueryQuestion(subject: chance(5) ? .target : .item)
    subjects = [question.subject]
    if !chance(10) { question.check = check(values.random.next(4)) }
    let orderable = schema.columns(of: question.subject).filter { $0.container == .one && $0.kind != .any }
    for _ in 0..<pick([0, 0, 1, 1, 2, 3]) {
      var name = pick(orderable)
      if question.subject == .item, chance(6),
        let column = schema.columns(of: .target).filter({ $0.container == .one && $0.kind != .any }).first
      {
        name = column
        name.name = "link.\(column.name)"
        name.isOptional = true
      }
      if question.order.contains(where: { $0.column.name == name.name }) { continue }
      question.order.append(
        QueryQuestion.Order(
          column: name,
          isAscending: chance(2),
          nils: pick([.smallest, .smallest, .first, .last]),
          isWithoutCase: name.kind == .text && chance(3)
        )
      )
    }
    if chance(6) { question.distinct = [pick(orderable)] + (chance(3) ? [pick(orderable)] : []) }
    if chance(5) { question.offset = values.random.next(6) }
    switch values.random.next(5) {
    case 0: question.limit = values.random.next(12)
    case 1: question.last = values.random.next(12)
    default: break
    }
    question.usesArguments = chance(2)
    question.pageSize = pick([0, 0, 1, 3, 7])
    question.aggregated = chance(3) ? pick(orderable) : nil
    return question
  }

  // MARK: Conditions

  private mutating func check(_ size: Int) -> QueryCheck {
    switch size <= 0 ? 9 : values.random.next(12) {
    case 0: return .not(check(size - 1))
    case 1, 2: return .and((0..<2 + values.random.next(2)).map { _ in check(size - 1) })
    case 3, 4: return .or((0..<2 + values.random.next(2)).map { _ in check(size - 1) })
    case 5:
      guard let place = collection(), subjects.count < 3, let element = place.element else {
        return comparison(size)
      }
      return .quantified(pick(QueryCheck.Quantifier.allCases), place, inside(element) { $0.check(size - 1) })
    case 6: return through(size)
    case 7: return matches() ?? comparison(size)
    case 8 where chance(8): return .constant(chance(2))
    default: return comparison(size)
    }
  }

  private mutating func inside<Value>(_ subject: QuerySubject, _ body: (inout QueryGenerator) -> Value)
    -> Value
  {
    subjects.append(subject)
    defer { subjects.removeLast() }
    return body(&self)
  }

  private mutating func options(_ family: QueryColumn.Family) -> PlainText.Options {
    family == .text ? PlainText.Options(rawValue: pick([0, 0, 0, 1, 1, 2, 3])) : []
  }

  private mutating func relation(_ family: QueryColumn.Family, isNil: Bool) -> QueryCheck.Relation {
    switch family {
    case .bool, .link: pick([.equal, .notEqual])
    case .text where !isNil: pick(QueryCheck.Relation.allCases)
    case .data where !isNil: pick(QueryCheck.Relation.ordered + [.contains, .begins, .ends])
    default: isNil ? pick([.equal, .notEqual]) : pick(QueryCheck.Relation.ordered)
    }
  }

  private mutating func comparison(_ size: Int) -> QueryCheck {
    let family = pick(QueryColumn.Family.allCases)
    guard let place = path(family) else { return comparison(size) }
    var first = QueryTerm.place(place)
    if size > 0, family != .link, chance(3) { first = term(family, size - 1) ?? first }
    let options = options(family)
    switch values.random.next(8) {
    case 0: return .compare(first, pick([.equal, .notEqual]), .value(.null), [])
    case 1 where family != .link && family != .bool:
      return .oneOf(
        first,
        (0..<pick([0, 1, 2, 3, 8])).map { _ in chance(8) ? .null : literal(family) },
        options
      )
    case 2 where family == .number || family == .date:
      return .between(first, literal(family), literal(family))
    case 3:
      // A property with a property.
      guard family != .any, let other = path(family) else { break }
      // Only links to one type can be compared.
      if family == .link, other.leadsToTarget != place.leadsToTarget { break }
      return .compare(first, relation(family, isNil: false), .place(other), options)
    case 4 where size > 0 && family != .link:
      guard let other = term(family, size - 1) else { break }
      return .compare(first, relation(family, isNil: false), other, options)
    default: break
    }
    if family == .link { return .compare(first, pick([.equal, .notEqual]), .value(.null), []) }
    let value = QueryTerm.value(literal(family))
    let relation = relation(family, isNil: false)
    let isTurned = !relation.isOfTexts && chance(6)
    return isTurned ? .compare(value, relation, first, options) : .compare(first, relation, value, options)
  }

  private mutating func literal(_ family: QueryColumn.Family) -> PlainValue { values.literal(family) }

  private mutating func through(_ size: Int) -> QueryCheck {
    guard let place = collection(), let element = place.element else { return comparison(size) }
    var path = place
    path.collectionSteps = place.steps.count
    switch element {
    case .value(let column): path.column = column
    default:
      let columns = schema.columns(of: element).filter { $0.container == .one }
      if columns.isEmpty { return comparison(size) }
      let column = pick(columns)
      path = path.then(.name(column.name))
      path.column = column
    }
    guard let family = path.column?.kind.family else { return comparison(size) }
    let isNil = chance(8)
    return .through(
      chance(3) ? nil : pick(QueryCheck.Quantifier.allCases),
      path,
      relation(family, isNil: isNil),
      .value(isNil ? .null : literal(family)),
      isNil ? [] : options(family)
    )
  }

  private mutating func matches() -> QueryCheck? {
    let texts = schema.columns(of: subjects[subjects.count - 1]).filter {
      $0.kind == .text && $0.container == .one
    }
    guard !texts.isEmpty else { return nil }
    let column = pick(texts)
    let parts = (0..<1 + values.random.next(2)).map { _ in
      let isPhrase = chance(4)
      return PlainText.TextPart(
        words: isPhrase ? [values.word(), values.word()] : [values.word()],
        isPrefix: !isPhrase && chance(4),
        isExcluded: chance(5)
      )
    }
    return .matches(QueryPlace(steps: [.name(column.name)], column: column), parts)
  }

  // MARK: Terms

  private mutating func term(_ family: QueryColumn.Family, _ size: Int) -> QueryTerm? {
    switch family {
    case .number: return number(size)
    case .text:
      guard let place = path(.text) else { return nil }
      switch values.random.next(4) {
      case 0: return .lowered(.place(place))
      case 1: return .raised(.place(place))
      case 2: return .coalesced(.place(place), .value(literal(.text)))
      default: return .place(place)
      }
    default: return path(family).map { .place($0) }
    }
  }

  private mutating func number(_ size: Int) -> QueryTerm {
    switch size < 0 ? 9 : values.random.next(10) {
    case 0, 1: return .arithmetic(number(size - 1), pick(["+", "-", "*", "/", "%"]), number(size - 1))
    case 2: return .negative(number(size - 1))
    case 3: return path(.text).map { .length(.place($0)) } ?? number(size - 1)
    case 4: return collection().map { .count($0) } ?? number(size - 1)
    case 5:
      guard subjects.count < 3, let place = collection(), let element = place.element else {
        return number(size - 1)
      }
      return .countWhere(place, inside(element) { $0.check(size - 1) })
    case 6:
      guard let place = aggregated() else { return number(size - 1) }
      return .aggregate(pick(QueryTerm.Function.allCases), place)
    case 7: return .coalesced(number(size - 1), number(size - 1))
    case 8: return .chosen(check(size - 1), number(size - 1), number(size - 1))
    default:
      if chance(3) { return .value(.integer(Int128(values.random.next(9) - 2))) }
      return path(.number).map { .place($0) } ?? .value(.integer(1))
    }
  }

  /// A collection of numbers, or of objects with a number.
  private mutating func aggregated() -> QueryPlace? {
    guard var place = collection(), let element = place.element else { return nil }
    place.collectionSteps = place.steps.count
    if case .value(let column) = element { return column.kind.family == .number ? place : nil }
    let numbers = schema.columns(of: element).filter { $0.container == .one && $0.kind.family == .number }
    return numbers.isEmpty ? nil : place.then(.name(pick(numbers).name))
  }

  // MARK: Paths

  private mutating func path(_ family: QueryColumn.Family) -> QueryPlace? {
    let scope = chance(4) ? values.random.next(subjects.count) : 0
    var places = self.places(subjects[subjects.count - 1 - scope], family)
    if places.isEmpty { return nil }
    // Most are of the object itself, since indexes are.
    let own = places.filter { $0.steps.count == 1 }
    if !own.isEmpty, !chance(3) { places = own }
    var place = pick(places)
    place.scope = scope
    return place
  }

  private func places(_ subject: QuerySubject, _ family: QueryColumn.Family) -> [QueryPlace] {
    func columns(_ subject: QuerySubject, _ steps: [QueryPlace.Step]) -> [QueryPlace] {
      schema.columns(of: subject).compactMap { column in
        guard column.kind.family == family else { return nil }
        switch column.container {
        case .one: return QueryPlace(steps: steps + [.name(column.name)], column: column)
        case .map: return QueryPlace(steps: steps + [.name(column.name), .key("a")], column: column.element)
        default: return nil
        }
      }
    }
    switch subject {
    case .item:
      if family == .link {
        return [["link"], ["next"], ["next", "link"]].map { QueryPlace(steps: $0.map { .name($0) }) }
      }
      return columns(.item, []) + columns(.target, [.name("link")]) + columns(.item, [.name("next")])
        + columns(.target, [.name("next"), .name("link")]) + columns(.part, [.name("part")])
    case .target, .part: return columns(subject, [])
    case .value(let column): return column.kind.family == family ? [QueryPlace(column: column)] : []
    }
  }

  private mutating func collection() -> QueryPlace? {
    let scope = chance(4) ? values.random.next(subjects.count) : 0
    let all = collections(subjects[subjects.count - 1 - scope])
    if all.isEmpty { return nil }
    var place = pick(all)
    place.scope = scope
    return place
  }

  private func collections(_ subject: QuerySubject) -> [QueryPlace] {
    func own(_ subject: QuerySubject, _ steps: [QueryPlace.Step]) -> [QueryPlace] {
      schema.columns(of: subject).filter { $0.container != .one }.flatMap { column -> [QueryPlace] in
        let place = QueryPlace(steps: steps + [.name(column.name)], element: .value(column.element))
        if column.container != .map { return [place] }
        var keys = place.then(.keys)
        keys.element = .value(QueryColumn(name: "", kind: .text))
        return [place, keys]
      }
    }
    func named(_ steps: [String], _ element: QuerySubject) -> QueryPlace {
      QueryPlace(steps: steps.map { .name($0) }, element: element)
    }
    switch subject {
    case .item:
      return own(.item, []) + own(.target, [.name("link")]) + own(.part, [.name("part")]) + [
        named(["links"], .target), named(["linkSet"], .target), named(["linkMap"], .target),
        named(["parts"], .part),
        named(["previous"], .item), named(["next", "links"], .target), named(["next", "previous"], .item),
      ]
    case .target: return own(.target, []) + [QueryPlace(steps: [.origins], element: .item)]
    case .part: return own(.part, [])
    case .value: return []
    }
  }
}

extension QueryPlace {
  fileprivate var leadsToTarget: Bool { if case .name("link")? = steps.last { true } else { false } }
}
