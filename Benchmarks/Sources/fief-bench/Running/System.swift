import Foundation

/// The monotonic clock, in seconds.
enum Clock {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = now
    try body()
    return now - start
  }
}

/// Files as `Peers/system.hpp` handles them.
enum Files {
  /// Prints a line at once: a reader of the output waits for it.
  static func print(_ line: String) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Synchronizes a directory and its files, so that no row pays for the writes of an earlier row.
  ///
  /// The function does not open `lock.mdb`: closing a descriptor of this file releases LMDB's locks, and another
  /// process then clears the readers.
  static func synchronize(_ directory: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) + [""]
    where !name.hasSuffix("lock.mdb") {
      let descriptor = open(directory + "/" + name, O_RDONLY)
      guard descriptor >= 0 else { continue }
      fsync(descriptor)
      close(descriptor)
    }
  }

  static func remove(_ directory: String) { try? FileManager.default.removeItem(atPath: directory) }

  static func makeEmpty(_ directory: String) throws {
    remove(directory)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// Copies a directory with the command that the other peers use.
  static func copy(_ source: String, to target: String) throws {
    remove(target)
    _ = try PeerProcess.output("/bin/cp", ["-r", source, target])
    try synchronize(target)
  }

  static func bytes(of directory: String) throws -> Double {
    try FileManager.default.subpathsOfDirectory(atPath: directory).reduce(0) { sum, name in
      var status = stat()
      guard lstat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return sum
      }
      return sum + Double(status.st_size)
    }
  }
}

/// An error that ends a benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
