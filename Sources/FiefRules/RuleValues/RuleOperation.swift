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
package struct RuleOperation {
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
}

/// The place for which a rule is evaluated.
package struct RulePlace {
  /// The names from the root.
  package var names: [String]
  /// The place before the operation.
  package var data: any RuleData
  /// The place after a write; `nil` in a read.
  package var newData: (any RuleData)?

  package init(names: [String], data: any RuleData, newData: (any RuleData)? = nil) {
    self.names = names
    self.data = data
    self.newData = newData
  }
}
