import Foundation

/// How cost grows: rows at 10,000 to 5 million objects.
struct ScaleRunner {
  let options: Options
  let largest: Int

  func run() throws { throw BenchmarkError("not there yet") }
}
