import Foundation

/// Collects lines and writes them in batches.
struct LineSink {
  private static let most = 1 << 17

  private var bytes: [UInt8] = []
  private let write: (Data) throws -> Void

  init(_ write: @escaping (Data) throws -> Void) {
    self.write = write
  }

  /// Adds a line.
  mutating func append(_ line: [UInt8]) throws { try append { $0 += line } }

  /// Adds the closure's output: all of it, or nothing if the closure throws.
  mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
    let start = bytes.count
    do { try body(&bytes) } catch {
      bytes.removeLast(bytes.count - start)
      throw error
    }
    if bytes.count >= Self.most { try flush() }
  }

  /// Writes the remaining lines.
  mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try write(Data(bytes))
    bytes.removeAll(keepingCapacity: true)
  }
}
