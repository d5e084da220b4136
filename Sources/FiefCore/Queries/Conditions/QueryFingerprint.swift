import Foundation
import LMDB

/// Computes the fingerprint of a query: a number that is equal in every process and on every platform.
///
/// The bytes of each part begin with a number for its kind and contain the counts of elements, so only equal
/// queries have equal bytes.
struct QueryFingerprint: ~Copyable {
  private var writer = ValueWriter()

  /// Returns the fingerprint that binds cursors to a query, a type and a store.
  static func of(_ query: QueryShape, type: String, storeID: UUID) -> UInt64 {
    var fingerprint = QueryFingerprint()
    withUnsafeBytes(of: storeID.uuid) { fingerprint.writer.append($0) }
    fingerprint.append(type)
    fingerprint.append(query.condition)
    fingerprint.writer.appendCount(query.order.count)
    for order in query.order { fingerprint.append(order) }
    fingerprint.writer.appendCount(query.distinct.count)
    for path in query.distinct { fingerprint.append(path) }
    if let members = query.members { fingerprint.append(members) }
    return fingerprint.writer.withBytes { StableHash.hash($0) }
  }

  /// Called only if the query selects from a collection, so that cursors of all other queries stay valid.
  private mutating func append(_ members: QueryMembers) {
    mark(1)
    append(members.type)
    writer.appendCount(members.key.bytes.count)
    writer.append(members.key.bytes)
    writer.appendCount(members.path.count)
    for name in members.path { append(name) }
  }

  private mutating func append(_ text: String) { writer.appendText(text) }

  private mutating func mark(_ number: UInt8) { writer.appendInteger(number) }

  private mutating func append(_ order: QueryOrder) {
    switch order.key {
    case .path(let path):
      mark(1)
      append(path)
    case .relevance: mark(2)
    }
    mark(order.ascending ? 1 : 0)
    switch order.nils {
    case .smallest: mark(0)
    case .first: mark(1)
    case .last: mark(2)
    }
    switch order.collation {
    case .bytes: mark(0)
    case .caseInsensitive: mark(1)
    case .locale(let identifier):
      mark(2)
      append(identifier)
    }
  }

  private mutating func append(_ path: QueryPath) {
    writer.appendCount(path.scope)
    writer.appendCount(path.steps.count)
    for step in path.steps {
      switch step {
      case .property(let name):
        mark(1)
        append(name)
      case .mapKey(let key):
        mark(2)
        append(key)
      case .index(let index):
        mark(3)
        append(String(index))
      }
    }
  }

  private mutating func append(_ collection: QueryCollection) {
    append(collection.path)
    switch collection.part {
    case .values: mark(0)
    case .keys: mark(1)
    case .parts: mark(2)
    }
  }

  private mutating func append(_ condition: QueryCondition?) {
    switch condition {
    case nil: mark(0)
    case .constant(let value)?: mark(value ? 2 : 1)
    case .not(let condition)?:
      mark(3)
      append(condition)
    case .all(let conditions)?: append(conditions, 4)
    case .any(let conditions)?: append(conditions, 5)
    case .comparison(let first, let comparison, let second, let options)?:
      mark(6)
      append(first)
      append(comparison.rawValue)
      append(second)
      mark(options.rawValue)
    case .oneOf(let operand, let values, let options)?:
      mark(7)
      append(operand)
      writer.appendCount(values.count)
      for value in values { value.append(to: &writer) }
      mark(options.rawValue)
    case .quantified(let quantifier, let collection, let condition)?:
      mark(8)
      append(quantifier.rawValue)
      append(collection)
      append(condition)
    case .within(let path, let region)?:
      mark(10)
      append(path)
      append(region.text)
    case .matches(let path, let words)?:
      mark(9)
      append(path)
      append(words)
    }
  }

  private mutating func append(_ conditions: [QueryCondition], _ number: UInt8) {
    mark(number)
    writer.appendCount(conditions.count)
    for condition in conditions { append(condition) }
  }

  private mutating func append(_ operand: QueryOperand) {
    switch operand {
    case .value(let value):
      mark(1)
      value.append(to: &writer)
    case .path(let path):
      mark(2)
      append(path)
    case .arithmetic(let first, let operation, let second):
      mark(3)
      append(first)
      append(operation.rawValue)
      append(second)
    case .negative(let operand): append(operand, 4)
    case .count(let collection, let condition):
      mark(5)
      append(collection)
      append(condition)
    case .aggregate(let aggregate, let collection, let path):
      mark(6)
      append(aggregate.rawValue)
      append(collection)
      mark(path == nil ? 0 : 1)
      if let path { append(path) }
    case .length(let operand): append(operand, 7)
    case .lowercased(let operand): append(operand, 8)
    case .uppercased(let operand): append(operand, 9)
    case .coalesced(let first, let second):
      append(first, 10)
      append(second)
    case .conditional(let condition, let first, let second):
      mark(11)
      append(condition)
      append(first)
      append(second)
    case .truth(let condition):
      mark(12)
      append(condition)
    case .typeName(let path):
      mark(13)
      append(path)
    }
  }

  private mutating func append(_ operand: QueryOperand, _ number: UInt8) {
    mark(number)
    append(operand)
  }
}
