import FiefImport
import Foundation

/// Buffers lines that are printed after their snapshot is closed, because the reader of the output may be
/// slow.
final class ChangeSpool {
  private static let mostInMemory = 8 << 20

  private var memory = Data()
  private var file: TemporaryFile?

  func write(_ data: Data) throws {
    if let file { return try file.write(data) }
    guard memory.count + data.count > Self.mostInMemory else { return memory.append(data) }
    let made = TemporaryFile()
    try made.write(memory)
    try made.write(data)
    memory = Data()
    file = made
  }

  /// Passes all lines to `body`, in batches.
  func forEach(_ body: (Data) throws -> Void) throws {
    guard let read = try file?.reader() else {
      if !memory.isEmpty { try body(memory) }
      return
    }
    while true {
      let data = try read()
      if data.isEmpty { return }
      try body(data)
    }
  }
}
