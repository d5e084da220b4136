import FiefRealm
import Foundation

final class Log {
  var lines: [String] = []
}

func configureLogging(_ log: Log) {
  let logger = Logger(level: .info) { level, message in
    print("REALM \(level): \(message)")
  }
  Logger.shared = logger
}
