import Foundation

enum DecimalMean {
  /// Returns the mean of the values as a decimal, or `nil` if there are no values. The caller's collection
  /// reports elements that cannot be read.
  static func of(_ values: some Sequence<Decimal>) -> Decimal? {
    var fold = RowFold(.average, kind: .decimal)
    for value in values { fold.add(.decimal(value)) }
    return try? fold.decimalAverage()
  }
}
