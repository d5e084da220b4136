/// An operand of a condition: an expression with a value for each object.
///
/// Arithmetic with nil, a division by zero and an overflow of 128 bits have nil as their value.
package indirect enum QueryOperand: Hashable, Sendable {
  case value(QueryValue)
  case path(QueryPath)
  case arithmetic(QueryOperand, QueryArithmetic, QueryOperand)
  case negative(QueryOperand)
  /// The number of a collection's elements, or of those that fulfil a condition about the element.
  case count(QueryCollection, QueryCondition?)
  /// An aggregate of the elements, or of the values of a path from each element. Elements that are nil do not
  /// count; the sum of no values is 0, every other aggregate of none is nil.
  case aggregate(QueryAggregate, QueryCollection, QueryPath?)
  /// The number of characters of a text, or of bytes of data.
  case length(QueryOperand)
  /// The name of the type that a value of any type has.
  case typeName(QueryPath)
  case lowercased(QueryOperand)
  case uppercased(QueryOperand)
  /// The first of two that is not nil.
  case coalesced(QueryOperand, QueryOperand)
  case conditional(QueryCondition, QueryOperand, QueryOperand)
  /// A condition as a truth value.
  case truth(QueryCondition)
}

package enum QueryArithmetic: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// The quotient; of two integers toward zero, as Swift has it.
  case divide = "/"
  /// The remainder, with the sign of the dividend, as Swift has it.
  case remainder = "%"
}

package enum QueryAggregate: String, Hashable, Sendable, CaseIterable {
  case minimum = "min"
  case maximum = "max"
  case sum
  case average = "avg"
}
