import Foundation

/// How much work the tests do that repeat themselves: loops over seeds, rounds of random operations, soaks.
///
/// `make test` runs the short form of each test, which covers every behaviour. `make test-more` sets
/// `FIEF_TEST_MORE=1` and runs the long form.
package enum TestEffort {
  /// A Boolean value that indicates whether tests run in their long form.
  package static let isLong = ProcessInfo.processInfo.environment["FIEF_TEST_MORE"] == "1"

  /// Returns the number of rounds, seeds or objects for this run.
  package static func count(_ short: Int, more long: Int) -> Int { isLong ? long : short }

  /// Returns the first `count` arguments of a test, or all of them in the long form.
  package static func first<Argument>(_ count: Int, of arguments: [Argument]) -> [Argument] {
    isLong ? arguments : Array(arguments.prefix(count))
  }

  /// Returns each pair of an argument of either kind, or, in the short form, as few pairs as contain all arguments.
  package static func pairs<First, Second>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
    guard !isLong, !first.isEmpty, !second.isEmpty else {
      return first.flatMap { one in second.map { (one, $0) } }
    }
    return (0..<max(first.count, second.count)).map { (first[$0 % first.count], second[$0 % second.count]) }
  }
}
