// The functions that libFuzzer calls. `run` links them with the targets and with the library.

import Foundation

/// The target and the defect that the process was started for.
private let target = FuzzTarget.named(setting("FIEF_FUZZ_TARGET"))
private let defect = setting("FIEF_FUZZ_DEFECT") == "planted" ? PlantedDefect.planted : .none

private func setting(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

/// Does what needs no fuzzer, and ends the process then: `list`, `unpack CORPUS DIRECTORY`, `pack DIRECTORY CORPUS`.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let arguments = CommandLine.arguments
  do {
    switch arguments.dropFirst().first {
    case "list": for target in FuzzTarget.all { print(target.name, target.longest) }
    case "unpack" where arguments.count == 4: try unpack(arguments[2], to: arguments[3])
    case "pack" where arguments.count == 4: try pack(arguments[2], to: arguments[3])
    default:
      if target != nil { return 0 }
      end("FIEF_FUZZ_TARGET is none of the targets that `list` shows", 64)
    }
  } catch {
    end("\(error)", 70)
  }
  exit(0)
}

/// Writes the seeds of the target, and the inputs of a corpus where there is one, as files of a directory.
private func unpack(_ corpus: String, to directory: String) throws {
  guard let target else { end("FIEF_FUZZ_TARGET is missing", 64) }
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  var inputs = try target.seeds()
  if FileManager.default.fileExists(atPath: corpus) {
    inputs += try FuzzCorpus.inputs(String(contentsOfFile: corpus, encoding: .utf8))
  }
  for (index, input) in inputs.enumerated() {
    try Data(input).write(to: URL(filePath: "\(directory)/\(index)"))
  }
}

private func pack(_ directory: String, to corpus: String) throws {
  let inputs = try FileManager.default.contentsOfDirectory(atPath: directory)
    .map { [UInt8](try Data(contentsOf: URL(filePath: "\(directory)/\($0)"))) }
  try FuzzCorpus.text(inputs).write(toFile: corpus, atomically: true, encoding: .utf8)
}

/// Reads one input; a finding ends the process.
@_cdecl("LLVMFuzzerTestOneInput")
public func runOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do { try target?.run(UnsafeRawBufferPointer(start: data, count: count), defect) } catch {
    FileHandle.standardError.write(Data("finding: \(error)\n".utf8))
    abort()
  }
  return 0
}

private func end(_ text: String, _ code: CInt) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(code)
}
