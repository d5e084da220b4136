import Fief
import FiefTree
import Foundation
import Synchronization

/// The memory of an import and an export of a JSON file of a size.
struct FiefTransfer {
  let directory: String
  /// The size of the file in bytes.
  let size: Int

  /// The size of the text of a message.
  private static let textSize = 100

  func run() throws {
    try Files.makeEmpty(directory)
    let (file, exported) = (directory + "/import.json", directory + "/export.json")
    let messages = try write(file)
    let repository = BenchmarkRepository(JSONTree.objectTypes, in: directory + "/store")
    try FileManager.default.createDirectory(atPath: directory + "/store", withIntermediateDirectories: true)
    try repository.open()
    let tree = JSONTree(in: repository, rules: try AccessRules().index("rooms/$room", on: "at"))
    let rooms = try tree.reference("rooms")
    // The index exists before the import.
    try rooms.child("r0/m").setValueAndWait(["at": 1])
    while try tree.indexes().isEmpty || !tree.indexes().allSatisfy(\.isComplete) { usleep(1000) }
    var leaves = 0
    let importing = try Self.peak { leaves = try tree.importJSONAndWait(from: file, to: rooms).leaves }
    guard leaves == messages * 2 else {
      throw BenchmarkError("transfer: \(leaves) leaves, \(messages) messages")
    }
    let exporting = try Self.peak { try tree.exportJSONAndWait(from: rooms, to: exported) }
    repository.close()
    // An import of the export is the same value, so a second export has the same bytes.
    let second = BenchmarkRepository(JSONTree.objectTypes, in: directory + "/second")
    try FileManager.default.createDirectory(atPath: directory + "/second", withIntermediateDirectories: true)
    try second.open()
    let copy = JSONTree(in: second)
    let again = try Self.peak { try copy.importJSONAndWait(from: exported, to: copy.root) }
    try copy.exportJSONAndWait(from: copy.root, to: file)
    second.close()
    guard FileManager.default.contentsEqual(atPath: file, andPath: exported) else {
      throw BenchmarkError("transfer: the two exports differ")
    }
    Files.print("bytes \(size) leaves \(leaves) import \(importing) export \(exporting) ordered \(again)")
    Files.remove(directory)
  }

  /// Writes the file: messages in no order, in rooms of 1,000. A tenth of the names are long.
  private func write(_ path: String) throws -> Int {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw BenchmarkError("transfer: cannot write \(path)") }
    var (text, written, messages) = ("{", 0, 0)
    var random = SplitMix(state: SplitMix.seed)
    func name(_ number: Int) -> String {
      number % 10 == 0 ? "m\(number)-" + String(repeating: "n", count: 300) : "m\(number)"
    }
    while written < size {
      text += (messages == 0 ? "" : ",") + "\"r\(random.next() >> 32)-\(messages)\":{"
      for number in 0..<1000 {
        let body = String(random.next(), radix: 36) + String(repeating: "x", count: Self.textSize)
        // 7,919 is prime.
        text += (number == 0 ? "" : ",") + "\"\(name(number * 7919 % 1000))\":"
        text += "{\"text\":\"\(body)\",\"at\":\(random.next() >> 32)}"
      }
      messages += 1000
      text += "}"
      try file.write(contentsOf: Data(text.utf8))
      written += text.utf8.count
      text = ""
    }
    try file.write(contentsOf: Data("}".utf8))
    try file.close()
    return messages
  }

  /// Returns by how much the anonymous memory of the process grew at most, in KiB.
  private static func peak(_ body: () throws -> Void) rethrows -> Int {
    let peak = MemoryPeak()
    Thread.detachNewThread { while peak.isSampled { usleep(2000) } }
    try body()
    return peak.end()
  }
}

/// The greatest anonymous memory of the process while it is sampled.
private final class MemoryPeak: Sendable {
  private let start = Memory.anonymous
  private let most = Mutex(0)
  private let isEnded = Atomic(false)

  /// Samples the memory. Returns false after the end.
  var isSampled: Bool {
    let now = Memory.anonymous
    most.withLock { $0 = max($0, now - start) }
    return !isEnded.load(ordering: .relaxed)
  }

  func end() -> Int {
    _ = isSampled
    isEnded.store(true, ordering: .relaxed)
    return most.withLock { $0 }
  }
}
