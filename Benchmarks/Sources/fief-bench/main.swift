import Foundation

// Row M counts from here.
let start = Clock.now

do {
  if try !FiefProgram.open(CommandLine.argc, CommandLine.unsafeArgv, start: start) {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "fief" {
      try FiefProgram.run(Array(arguments.dropFirst()))
    } else {
      let options = try Options(arguments)
      if let largest = options.scale {
        try ScaleRunner(options: options, largest: largest).run()
      } else {
        try Runner(options: options).run().publish()
      }
    }
  }
} catch {
  FileHandle.standardError.write(Data("fief-bench: \(error)\n".utf8))
  exit(1)
}
