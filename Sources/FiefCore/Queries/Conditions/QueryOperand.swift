/// An operand of a condition: an expression with a value for each object.
///
/// Arithmetic with nil, division by zero and an overflow of 128 bits all result in nil.
package indirect enum QueryOperand: Hashable, Sendable {
  case value(QueryValue)
  case path(QueryPath)
  case arithmetic(QueryOperand, QueryArithmetic, QueryOperand)
  case negative(QueryOperand)
  /// The number of a collection's elements, or of the elements that meet a condition.
  case count(QueryCollection, QueryCondition?)
  /// An aggregate of the elements, or of the values that a path has for each element. Nil elements do not
  /// count. Without values the sum is 0, and every other aggregate is nil.
  case aggregate(QueryAggregate, QueryCollection, QueryPath?)
  /// The number of characters of a text, or of bytes of data.
  case length(QueryOperand)
  /// The name of the type of the value in an `AnyRealmValue`.
  case typeName(QueryPath)
  case lowercased(QueryOperand)
  case uppercased(QueryOperand)
  /// The first of two values that is not nil.
  case coalesced(QueryOperand, QueryOperand)
  case conditional(QueryCondition, QueryOperand, QueryOperand)
  /// The result of a condition as a Boolean value.
  case truth(QueryCondition)
}

package enum QueryArithmetic: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// The quotient. Division of two integers rounds toward zero, as in Swift.
  case divide = "/"
  /// The remainder, with the sign of the dividend, as in Swift.
  case remainder = "%"
}

package enum QueryAggregate: String, Hashable, Sendable, CaseIterable {
  case minimum = "min"
  case maximum = "max"
  case sum
  case average = "avg"
}
