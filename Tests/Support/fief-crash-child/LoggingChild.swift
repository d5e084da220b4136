import FiefLog

/// A process that logs to a file which others log to.
enum LoggingChild {
  /// Logs entries with numbers, each with a text behind it.
  static func run(_ path: String, from first: Int, count: Int) {
    StoreLog.minimumLevel = .info
    StoreLog.sinks = [.file(path, maximumBytes: 16 << 10, kept: 100)]
    for number in first..<(first + count) {
      StoreLog.log(.info, "number \(number) \(String(repeating: "x", count: 40))")
    }
  }
}
