/// A client's identity, as rules see it.
package struct RuleIdentity: Sendable {
  package let uid: String
  package let provider: String?
  /// The claims: ``RuleValue/object(_:)``, or ``RuleValue/null`` without claims.
  package let token: RuleValue

  package init(uid: String, provider: String?, token: RuleValue) {
    self.uid = uid
    self.provider = provider
    self.token = token
  }
}

/// A query, as rules see it.
package struct RuleQuery: Sendable {
  /// The members of `query`.
  package enum Member: String {
    case orderByKey, orderByChild, orderByValue, equalTo, startAt, endAt, limitToFirst, limitToLast
  }

  package enum Order: Sendable {
    case key, value
    case child(String)
  }

  private let order: Order?
  private let equalTo: RuleValue
  private let startAt: RuleValue
  private let endAt: RuleValue
  private let limitToFirst: Int?
  private let limitToLast: Int?

  /// - Parameters:
  ///   - startAt: the value at which the query starts; ``RuleValue/null`` without a start, and if the start
  ///     is exclusive.
  ///   - endAt: the value at which the query ends, in the same way.
  package init(
    order: Order? = nil,
    equalTo: RuleValue = .null,
    startAt: RuleValue = .null,
    endAt: RuleValue = .null,
    limitToFirst: Int? = nil,
    limitToLast: Int? = nil
  ) {
    self.order = order
    self.equalTo = equalTo
    self.startAt = startAt
    self.endAt = endAt
    self.limitToFirst = limitToFirst
    self.limitToLast = limitToLast
  }

  package func value(of member: Member) -> RuleValue {
    switch member {
    case .orderByKey: if case .key? = order { .bool(true) } else { .null }
    case .orderByValue: if case .value? = order { .bool(true) } else { .null }
    case .orderByChild: if case .child(let path)? = order { .string(path) } else { .null }
    case .equalTo: equalTo
    case .startAt: startAt
    case .endAt: endAt
    case .limitToFirst: limitToFirst.map { .int(Int64($0)) } ?? .null
    case .limitToLast: limitToLast.map { .int(Int64($0)) } ?? .null
    }
  }
}

/// The facts that all rules of one read or write share.
package final class RuleOperation {
  /// The client; `nil` if it is signed out.
  package let identity: RuleIdentity?
  /// The time in milliseconds since 1970.
  package let now: Int64
  /// The root of the data before the operation.
  package let root: any RuleData
  /// The query of a read; `nil` for other reads and for writes.
  package let query: RuleQuery?

  package init(identity: RuleIdentity?, now: Int64, root: any RuleData, query: RuleQuery? = nil) {
    self.identity = identity
    self.now = now
    self.root = root
    self.query = query
  }

  /// The operation for rules above the place of the query.
  var withoutQuery: RuleOperation {
    query == nil ? self : RuleOperation(identity: identity, now: now, root: root)
  }
}

/// The place for which a rule is evaluated.
package struct RulePlace {
  package enum State {
    /// A place in a read.
    case stored(any RuleData)
    /// A place after a write.
    case written(any WrittenRuleData)
  }

  /// The names from the root.
  package let names: [String]
  private let state: State

  package init(names: [String], _ state: State) {
    self.names = names
    self.state = state
  }

  /// The place before the operation.
  package var data: any RuleData {
    switch state {
    case .stored(let data): data
    case .written(let data): data.before
    }
  }

  /// The place after a write; `nil` in a read.
  package var newData: (any RuleData)? {
    if case .written(let data) = state { data } else { nil }
  }
}
