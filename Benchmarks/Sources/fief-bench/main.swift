import Foundation

// Row M counts from here.
let start = Clock.now
let arguments = Array(CommandLine.arguments.dropFirst())

do {
  if arguments.first == "fief" {
    try FiefProgram.run(Array(arguments.dropFirst()), start: start)
  } else {
    let options = try Options(arguments)
    if let largest = options.scale {
      try ScaleRunner(options: options, largest: largest).run()
    } else {
      try Runner(options: options).run().publish()
    }
  }
} catch {
  FileHandle.standardError.write(Data("fief-bench: \(error)\n".utf8))
  exit(1)
}
