import LMDB
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A directory of a test's own, removed with everything in it at the end.
final class Scratch {
  let path: String

  init(in parent: String? = nil) {
    let base = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/fief-lmdb-XXXXXX").utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
  }

  deinit { Scratch.remove(path) }

  subscript(_ name: String) -> String { path + "/" + name }

  static func remove(_ path: String) {
    // A link to a directory is none itself.
    guard !path.isEmpty, unlink(path) != 0 else { return }
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove(path + "/" + name) }
      }
      closedir(directory)
      rmdir(path)
    }
  }
}

/// The bytes of a text that a test passes as a key or a value.
func bytes<R>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
  try Array(text.utf8).withUnsafeBytes(body)
}

extension Transaction {
  /// The value of a key as text.
  func text(_ database: Database, _ key: String) throws -> String? {
    try bytes(key) { try get(database, $0).map { String(decoding: $0, as: UTF8.self) } }
  }
}

extension WritableTransaction {
  func put(_ database: Database, _ key: String, _ value: String) throws {
    try bytes(key) { key in try bytes(value) { value in try put(database, key, value) } }
  }

  func delete(_ database: Database, _ key: String) throws -> Bool {
    try bytes(key) { try delete(database, $0) }
  }
}

extension Environment {
  /// Opens one database and makes it where it is missing.
  func database(_ name: String) throws -> Database {
    try #require(try openDatabases([name], create: true)[0])
  }
}

/// The code of the error that `body` throws; nil when it throws none or another one.
func code(_ body: () throws -> Void) -> LMDBError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LMDBError)?.code
  }
}

extension EnvironmentOptions {
  /// Options of a store that begins with a small map.
  static func small(_ mapSize: Int = 1 << 20) -> EnvironmentOptions {
    var options = EnvironmentOptions()
    options.mapSize = mapSize
    return options
  }
}
