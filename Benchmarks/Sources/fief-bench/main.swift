import Foundation

// Row M counts from here.
let start = Clock.now
let arguments = Array(CommandLine.arguments.dropFirst())

do {
  switch arguments.first {
  case "fief" where arguments.count == 4 && arguments[1] == "open":
    let digest = try FiefPeer(arguments[2]).digest(of: Int(arguments[3]) ?? 0)
    Files.print("\(Double(Clock.now - start) / 1e9) \(digest)")
  case "fief" where arguments.count == 5:
    let isServing = arguments[1] == "serve"
    let rounds = try FiefRounds(
      directory: arguments[isServing ? 2 : 1],
      round: Int(arguments[isServing ? 3 : 2]) ?? 0,
      count: Int(arguments[isServing ? 4 : 3]) ?? 0
    )
    if isServing {
      try rounds.serve()
    } else {
      try rounds.run(rows: Set(arguments[4].split(separator: ",").map(String.init)))
    }
  default:
    try Runner(options: try Options(arguments)).run()
  }
} catch {
  FileHandle.standardError.write(Data("fief-bench: \(error)\n".utf8))
  exit(1)
}
