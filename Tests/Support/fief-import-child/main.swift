import FiefRealm
import Foundation

/// A process that imports an export from Realm and prints the memory that it needed, or kills itself meanwhile.
/// Other tests of a test bundle use memory at the same time, so the import needs a separate process.

final class Traveller: Object {
  @Persisted var name: String
  @Persisted var notes: String
  @Persisted var next: Traveller?
  @Persisted var friends: List<Traveller>
  @Persisted var anything: AnyRealmValue
}

/// Writes an export in which each object links objects of later lines, so that all objects have waiting
/// links.
func writeExport(to url: URL, count: Int) throws {
  _ = FileManager.default.createFile(atPath: url.path, contents: nil)
  let file = try FileHandle(forWritingTo: url)
  try file.write(contentsOf: Data("{\"$export\":\"\(UUID().uuidString)\"}\n".utf8))
  let notes = String(repeating: "All happy families are alike. ", count: 20)
  var lines = ""
  for number in 1...count {
    let (next, friend) = (number % count + 1, (number + count / 2) % count + 1)
    lines +=
      "{\"$type\":\"Traveller\",\"$key\":\(number),\"name\":\"traveller \(number)\",\"notes\":\"\(notes)\","
    lines += "\"next\":\(next),\"friends\":[\(next),\(friend)],"
    lines += "\"anything\":{\"$object\":{\"type\":\"Traveller\",\"key\":\(friend)}}}\n"
    guard lines.utf8.count > 1 << 20 || number == count else { continue }
    try file.write(contentsOf: Data(lines.utf8))
    lines = ""
  }
  try file.write(contentsOf: Data("{\"$counts\":{\"Traveller\":\(count)}}\n".utf8))
  try file.close()
}

/// The memory of the process that belongs to no file, in KiB.
func anonymousMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

/// Calls a closure and returns the most memory that the process had meanwhile, in KiB.
func peak(of body: () throws -> Void) rethrows -> Int {
  let most = Lock(anonymousMemory())
  let isOver = Lock(false)
  let ended = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    while !isOver.withLock({ $0 }) {
      let now = anonymousMemory()
      most.withLock { $0 = max($0, now) }
      usleep(2_000)
    }
    ended.signal()
  }
  defer {
    isOver.withLock { $0 = true }
    ended.wait()
  }
  try body()
  let now = anonymousMemory()
  return most.withLock { max($0, now) }
}

/// - Parameter batches: the number of batches after which the process kills itself, or `nil`.
func run(_ directory: URL, count: Int, killAfter batches: Int?) throws {
  let export = directory.appendingPathComponent("export.jsonl")
  if !FileManager.default.fileExists(atPath: export.path) { try writeExport(to: export, count: count) }
  let configuration = Realm.Configuration(
    fileURL: directory.appendingPathComponent("travel.realm"),
    objectTypes: [Traveller.self]
  )
  let before = anonymousMemory()
  var done = 0
  let most = try peak {
    _ = try Realm.importObjects(from: export, configuration: configuration) { _ in
      done += 1
      if done == batches { kill(getpid(), SIGKILL) }
    }
  }
  print("batches: \(done)")
  let realm = try Realm(configuration: configuration)
  let travellers = realm.objects(Traveller.self)
  let last = travellers.where { $0.name == "traveller \(count)" }.first
  print("objects: \(travellers.count)")
  print("next: \(last?.next?.name ?? "")")
  print("friends: \(last?.friends.map(\.name).joined(separator: ", ") ?? "")")
  print("unlinked: \(travellers.where { $0.next == nil }.count)")
  realm.close()
  print("export: \(try FileManager.default.attributesOfItem(atPath: export.path)[.size] as? Int ?? 0)")
  print("memory: \(before) \(most)")
}

let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count), let count = Int(arguments[2]), count > 0 else {
  print(
    "usage: fief-import-child <directory> <number of objects> [<batches before the process kills itself>]"
  )
  exit(64)
}
do {
  let batches = arguments.count > 3 ? Int(arguments[3]) : nil
  try run(URL(fileURLWithPath: arguments[1]), count: count, killAfter: batches)
} catch {
  print("error: \(error)")
  exit(1)
}
