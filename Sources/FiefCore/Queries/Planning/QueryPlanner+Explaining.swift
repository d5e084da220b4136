import LMDB

extension QueryPlanner {
  /// Returns the plan for a query.
  ///
  /// - Throws: ``FiefError`` for an unsupported query.
  package func explain(_ description: QueryDescription, _ use: QueryPlan.Use) throws -> QueryPlan {
    for order in description.order where order.key != .relevance {
      _ = try binder.part(order, isOrder: true)
    }
    var description = description
    var planner = self
    let aggregate: (RowAggregate, String)
    switch use {
    case .objects: return try explain(description)
    case .count:
      planner.purpose = .count
      if description.start == nil, description.end == nil { description.order = [] }
      return try planner.explain(description)
    case .min(let name): aggregate = (.minimum, name)
    case .max(let name): aggregate = (.maximum, name)
    case .sum(let name): aggregate = (.sum, name)
    case .average(let name): aggregate = (.average, name)
    }
    let asked = AggregatedValues(property: aggregate.1)
    _ = try BoundValues(asked, for: aggregate.0, binder)
    let parts = try binder.parts(of: asked)
    guard parts.collections.isEmpty, case .path(let path) = parts.operand else {
      // Calculated values and values in collections are read from the records.
      if description.isWhole {
        description.order = []
        planner.purpose = .anyOrder
      }
      return try planner.explain(description)
    }
    let values = try values(of: path, for: aggregate.0, description).values
    if description.isWhole { description.order = [] }
    let isExtreme = aggregate.0 == .minimum || aggregate.0 == .maximum
    if values == nil, isExtreme, description.isWhole {
      description.condition = .both(
        description.condition,
        .comparison(.path(path), .notEqual, .value(.null))
      )
      description.order = [QueryOrder(.path(path), ascending: aggregate.0 == .minimum)]
      description.limit = .first(1)
    } else if description.isWhole {
      planner.purpose = .anyOrder
    }
    var plan = try planner.explain(description)
    guard let values else { return plan }
    plan.access = Self.access(.ranges(values.match.source))
    plan.isBackward = aggregate.0 == .maximum
    plan.order = .found
    plan.estimatedRows = isExtreme ? 1 : values.match.isRestricted ? values.match.estimate : plan.totalRows
    plan.condition = nil
    plan.isIndexOnly = true
    return plan
  }

  func explain(_ description: QueryDescription) throws -> QueryPlan {
    let description = description.planned
    if let members = description.members { return try explain(members, description) }
    let condition = try description.condition.map(binder.condition)
    var plan = QueryPlan(type: binder.table.name)
    guard let records = binder.table.records else { return plan }
    plan.totalRows = try transaction.statedCount(records)
    guard condition?.constant != false else { return plan }
    if try rankedAccess(description, condition) != nil { return try ranked(plan, description) }
    let search = try PlanSearch(description, binder, transaction, records: records, purpose: purpose)
    let candidate = Self.best(of: try search.candidates())
    let access = try access(candidate, search, condition)
    plan.estimatedRows = candidate.estimate
    plan.appliesBounds = access.appliesBounds && (description.start != nil || description.end != nil)
    if !candidate.isInOrder {
      plan.order = search.wanted.map { .sortedKeeping($0) } ?? .sorted
    }
    let rest = search.conjuncts.enumerated().filter { candidate.answered & (1 << UInt64($0.offset)) == 0 }
      .map(\.element.condition)
    plan.isIndexOnly =
      (search.purpose == .count || search.isForCount && plan.appliesBounds) && rest.isEmpty
    if !rest.isEmpty, condition?.constant == nil {
      plan.condition = QueryPrinter.text(of: rest.count == 1 ? rest[0] : .all(rest))
    }
    switch candidate.path {
    case .nothing: plan.condition = nil
    case .records(let match, let order):
      plan.access = match.isRestricted ? .key(ranges: match.ranges.map(ElementText.range)) : .scan
      plan.isBackward = order?.isBackward ?? false
    case .walk(let match, let order):
      plan.access = Self.access(.ranges(match.source))
      plan.isBackward = order.isBackward
    case .keys(let source, let isBackward):
      plan.access = Self.access(source)
      plan.isBackward = isBackward
    }
    return plan
  }

  private func ranked(_ plan: QueryPlan, _ description: QueryDescription) throws -> QueryPlan {
    var plan = plan
    var unordered = description
    unordered.order = []
    plan.estimatedRows = try explain(unordered).estimatedRows
    plan.condition = description.condition.map { QueryPrinter.text(of: $0) }
    if let candidates = try rankedAccess(description, nil)?.candidates {
      plan.access = candidates.isSearchable ? QueryPlan.Access(candidates) : .scan
    }
    return plan
  }

  static func access(_ source: KeySource) -> QueryPlan.Access {
    switch source {
    case .ranges(let ranges):
      let texts = ranges.ranges == [.all] ? [] : ranges.ranges.map(ElementText.range)
      switch ranges.tree.kind {
      case .records: return .key(ranges: texts)
      case .index: return .index(ranges.tree.columns.map(\.name), ranges: texts)
      case .backlinks(let link): return .links(link.column.name)
      }
    case .candidates(let candidates): return QueryPlan.Access(candidates)
    case .intersection(let sources): return .intersection(sources.map(access))
    case .union(let sources): return .union(sources.map(access))
    }
  }
}

/// Texts of ranges of elements, for plans.
enum ElementText {
  static func range(_ range: ByteRange) -> String {
    if range.upper == keySuccessor(ofPrefix: range.lower) {
      if let whole = elements(range.lower) { return "= \(whole)" }
      if let prefix = elements(range.lower + [0]) { return "= \(prefix)…" }
    }
    let lower = bound(range.lower, at: "≥", behind: ">")
    let upper = range.upper.flatMap { bound($0, at: "<", behind: "≤") }
    return [lower, upper].compactMap(\.self).joined(separator: " and ")
  }

  /// A bound is an element, or the position directly after an element. The first and the last position of a
  /// type are not bounds.
  private static func bound(_ bytes: [UInt8], at: String, behind: String) -> String? {
    if let text = elements(bytes) { return "\(at) \(text)" }
    if let last = bytes.last, last > 0, let text = elements(bytes.dropLast() + [last - 1]) {
      return "\(behind) \(text)"
    }
    if let text = elements(bytes + [0]) { return "\(at) \(text)…" }
    // A bound after all elements is the end of a type.
    return elements(bytes.dropLast()).map { "\(at) \($0)…" }
  }

  private static func elements(_ bytes: some Collection<UInt8>) -> String? {
    Array(bytes).withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      var texts: [String] = []
      do {
        while let element = try decoder.next() {
          if case .string(let text) = element {
            texts.append("'\(text)'")
          } else {
            texts.append(KeyCoding.text(of: element))
          }
        }
      } catch { return nil }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
  }
}
